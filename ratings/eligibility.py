"""What of a game enters its rating, read from the game's rows in one place.

The same expressions say what is filed and what has changed since, so that a correction, an
annulment or a merge is noticed wherever it was made. A game is left out for the first of these
reasons that holds: both seats are one person's, it was annulled, its event is unrated, it was
forfeited, it has no result that stands, a side was advised, no table knows its handicap.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.db.models import Case, CharField, F, IntegerField, Q, QuerySet, Value, When
from django.db.models.functions import Coalesce

from games.journal.chain import digest_of
from games.models import Game
from games.rules.conditions import Handicap, HandicapKind
from ratings.models import BatchGame, Pool
from ratings.systems.elo import DRAW, LOSS, WIN
from ratings.systems.errors import BadHandicap
from ratings.systems.handicap import (
    FULL_RINGS,
    PLACEMENT_GAMES,
    RINGS,
    TABLES,
    handicap_of,
    has_table,
)

FILED = (
    "game_id", "first_id", "second_id", "first_seed", "second_seed", "score", "handicap_part",
    "exclusion",
)  # fmt: skip
FORFEITS = ("forfeit", "double-forfeit")
Exclusion = BatchGame.Exclusion


def told(prefix: str = "") -> dict[str, Any]:
    """Expressions for `now_first`, `now_second`, `now_score` and `now_exclusion` of a game.

    `prefix` leads to the game: empty on games, `game__` on a batch's games. The handicap is left
    out: conditions never change once the game is made.
    """

    def at(**conditions: Any) -> Q:
        return Q(**{prefix + name: value for name, value in conditions.items()})

    first = Coalesce(f"{prefix}first__merged_into_id", f"{prefix}first_id")
    second = Coalesce(f"{prefix}second__merged_into_id", f"{prefix}second_id")
    no_result = ~at(state=Game.State.CONFIRMED) | (at(winner="") & at(draw=False))
    return {
        "now_first": first,
        "now_second": second,
        "now_score": Case(
            When(at(draw=True), then=Value(DRAW)),
            When(at(winner="first"), then=Value(WIN)),
            default=Value(LOSS),
            output_field=IntegerField(),
        ),
        "now_exclusion": Case(
            When(Q(now_first=F("now_second")), then=Value(Exclusion.SAME_PLAYER.value)),
            When(at(state=Game.State.ANNULLED), then=Value(Exclusion.ANNULLED.value)),
            When(at(rated=False), then=Value(Exclusion.UNRATED_EVENT.value)),
            When(at(termination__in=FORFEITS), then=Value(Exclusion.FORFEIT.value)),
            When(no_result, then=Value(Exclusion.UNFINISHED.value)),
            When(~at(advice=""), then=Value(Exclusion.ADVICE.value)),
            default=Value(""),
            output_field=CharField(),
        ),
    }


@dataclass(frozen=True, slots=True)
class Told:
    """What the expressions of `told` say of one game."""

    first: int
    second: int
    score: int
    exclusion: str

    @classmethod
    def of(cls, row: Any, handicap_part: int | None) -> "Told":
        """What stands on an annotated row; a handicap that no table knows excludes."""
        exclusion = row.now_exclusion
        if handicap_part is None and not exclusion:
            exclusion = Exclusion.HANDICAP
        return cls(row.now_first, row.now_second, row.now_score, exclusion)


def _handicap(conditions: dict[str, Any] | None) -> Handicap | None:
    """A game's handicap from its JSON form; raises BadHandicap for what no record could hold."""
    if not conditions:
        return None
    kind = next((kind for kind in HandicapKind if conditions.get(kind)), "")
    number = conditions.get(kind, 0)
    return handicap_of(str(conditions.get("seat")), kind, number if type(number) is int else 0)


def handicap_part(pool: Pool, game: Game) -> int | None:
    """What the game's conditions are worth to its first seat, in milli; None without a table.

    Where the pie rule is off, the first move counts in the games that the table speaks of.
    """
    try:
        handicap = _handicap(game.handicap)
        if not has_table(game.game, game.board, handicap):
            return None
        swap = game.swap or game.game not in PLACEMENT_GAMES
        rings = RINGS.get(game.board, FULL_RINGS)
        return TABLES[pool.handicap_table].part(handicap, swap=swap, rings=rings)
    except BadHandicap:
        return None


def drifted(pool: Pool) -> "QuerySet[BatchGame]":
    """The pool's filed games that are no longer as they were filed, with what they are now."""
    filed = (
        BatchGame.objects.filter(pool=pool)
        .annotate(**told("game__"))
        .alias(
            now_code=Case(
                When(
                    Q(now_exclusion="") & Q(handicap_part__isnull=True),
                    then=Value(Exclusion.HANDICAP.value),
                ),
                default=F("now_exclusion"),
                output_field=CharField(),
            )
        )
    )
    same = (
        Q(first=F("now_first"))
        & Q(second=F("now_second"))
        & Q(exclusion=F("now_code"))
        & (Q(score=F("now_score")) | ~Q(exclusion=""))
    )
    return filed.filter(~same)


class Filed(NamedTuple):
    """A filed game as it is rated; one is made for every game of a run."""

    game: int
    first: int
    second: int
    first_seed: int | None
    second_seed: int | None
    score: int
    handicap_part: int | None
    exclusion: str


def digest_of_facts(effective_at: datetime, games: Iterable[Filed]) -> str:
    """SHA-256 over all that a batch brings to the ratings: its time and its rated games by id."""
    counted = sorted(one[:-1] for one in games if not one.exclusion)
    return digest_of([effective_at.astimezone(UTC).isoformat(), counted])


def filed_games(**wanted: Any) -> "QuerySet[BatchGame, tuple[Any, ...]]":
    """The rows of filed games in the order of `Filed`, by game."""
    return BatchGame.objects.filter(**wanted).order_by("game_id").values_list(*FILED)
