"""Which games of a pool are rated, and with what players, score and handicap part.

The same database expressions decide what is filed and what has changed since, so every correction,
annulment or merge is found, wherever it was made. A game is excluded for the first of these
reasons that applies: both seats are the same person, it was annulled, its event is unrated, it was
forfeited, it has no confirmed result, a player was advised, no handicap table applies.
"""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, NamedTuple, Self

from django.db.models import Case, CharField, F, IntegerField, Q, QuerySet, Value, When
from django.db.models.functions import Coalesce

from games.journal import digest_of
from games.models import Game
from games.rules.conditions import Handicap, HandicapKind
from ratings.models import BatchGame, Pool
from ratings.systems.elo import DRAW, LOSS, WIN
from ratings.systems.handicap import (
    FULL_RINGS,
    PLACEMENT_GAMES,
    RINGS,
    TABLES,
    BadHandicap,
    has_table,
    make_handicap,
)

FORFEITS = ("forfeit", "double-forfeit")
Exclusion = BatchGame.Exclusion


class RatedInput(NamedTuple):
    """A game of a batch as it enters the ratings; the fields are the columns of `BatchGame`."""

    game_id: int
    first_id: int
    second_id: int
    first_seed: int | None
    second_seed: int | None
    score: int
    handicap_part: int | None
    exclusion: str

    @classmethod
    def from_row(cls, row: BatchGame) -> Self:
        """Return the input of a row, saved or not."""
        return cls._make(getattr(row, name) for name in cls._fields)


def digest_games(effective_at: datetime, games: Iterable[RatedInput]) -> str:
    """Return the SHA-256 of a batch's effective time and its rated games, ordered by id."""
    rated = sorted(game[:-1] for game in games if not game.exclusion)
    return digest_of([effective_at.astimezone(UTC).isoformat(), rated])


def current_values(prefix: str = "") -> dict[str, Any]:
    """Return expressions for a game's `current_first`, `_second`, `_score` and `_exclusion`.

    `prefix` leads to the game: empty for games, `game__` for games of a batch. An exclusion for
    the handicap is not included: it follows from the handicap part, which never changes, as the
    conditions of a game do not.
    """

    def at(**conditions: Any) -> Q:
        return Q(**{prefix + name: value for name, value in conditions.items()})

    no_result = ~at(state=Game.State.CONFIRMED) | (at(winner="") & at(draw=False))
    return {
        "current_first": Coalesce(f"{prefix}first__merged_into_id", f"{prefix}first_id"),
        "current_second": Coalesce(f"{prefix}second__merged_into_id", f"{prefix}second_id"),
        "current_score": Case(
            When(at(draw=True), then=Value(DRAW)),
            When(at(winner="first"), then=Value(WIN)),
            default=Value(LOSS),
            output_field=IntegerField(),
        ),
        "current_exclusion": Case(
            When(Q(current_first=F("current_second")), then=Value(Exclusion.SAME_PLAYER.value)),
            When(at(state=Game.State.ANNULLED), then=Value(Exclusion.ANNULLED.value)),
            When(at(rated=False), then=Value(Exclusion.UNRATED_EVENT.value)),
            When(at(termination__in=FORFEITS), then=Value(Exclusion.FORFEIT.value)),
            When(no_result, then=Value(Exclusion.UNFINISHED.value)),
            When(~at(advice=""), then=Value(Exclusion.ADVICE.value)),
            default=Value(""),
            output_field=CharField(),
        ),
    }


def load_games(pool: Pool, game_ids: Iterable[int]) -> list[BatchGame]:
    """Return games as rows of a batch as they are now, ordered by id, without batch and seeds."""
    games = Game.objects.filter(pk__in=game_ids).annotate(**current_values()).order_by("pk")
    return [_make_row(pool, game, handicap_part(pool, game)) for game in games]


def _make_row(pool: Pool, game: Any, part: int | None) -> BatchGame:
    """Return the row of a game with its `current_values`."""
    unknown_handicap = Exclusion.HANDICAP if part is None else ""
    return BatchGame(
        pool=pool,
        game_id=game.pk,
        first_id=game.current_first,
        second_id=game.current_second,
        score=game.current_score,
        handicap_part=part,
        exclusion=game.current_exclusion or unknown_handicap,
    )


def find_changed_games(pool: Pool) -> "QuerySet[BatchGame]":
    """Return the filed games of a pool that differ from what would be filed now."""
    filed = (
        BatchGame.objects.filter(pool=pool)
        .annotate(**current_values("game__"))
        .alias(
            with_handicap=Case(
                When(
                    Q(current_exclusion="") & Q(handicap_part__isnull=True),
                    then=Value(Exclusion.HANDICAP.value),
                ),
                default=F("current_exclusion"),
                output_field=CharField(),
            )
        )
    )
    same = (
        Q(first=F("current_first"))
        & Q(second=F("current_second"))
        & Q(exclusion=F("with_handicap"))
        & (Q(score=F("current_score")) | ~Q(exclusion=""))
    )
    return filed.filter(~same)


def handicap_part(pool: Pool, game: Game) -> int | None:
    """Return the value of a game's conditions to its first seat, in milli; None without a table.

    Without the pie rule the first move counts, in the games that the table covers.
    """
    try:
        handicap = _read_handicap(game.handicap)
        if not has_table(game.game, game.board, handicap):
            return None
        swap = game.swap or game.game not in PLACEMENT_GAMES
        rings = RINGS.get(game.board, FULL_RINGS)
        return TABLES[pool.handicap_table].part(handicap, swap=swap, rings=rings)
    except BadHandicap:
        return None


def _read_handicap(conditions: dict[str, Any] | None) -> Handicap | None:
    """Return a game's handicap from its JSON; raises BadHandicap if no record could contain it."""
    if not conditions:
        return None
    kind = next((kind for kind in HandicapKind if conditions.get(kind)), "")
    number = conditions.get(kind, 0)
    return make_handicap(str(conditions.get("seat")), kind, number if type(number) is int else 0)
