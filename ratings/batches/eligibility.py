"""Which games of a pool are rated, and with what players, score and handicap part.

The same database expressions decide what is filed and what has changed since, so every correction,
annulment or merge is found, wherever it was made. A game is excluded for the first of these
reasons that applies: its batch is waiting, refused or withdrawn, both seats are the same person, it
was annulled, its event is unrated or private, it was forfeited, it has no confirmed result, a
player was advised, the pool does not rate its game or board, or its time class, no handicap table
applies, its expected score at pairing is outside the band of the pool, not both players agreed, a
player of a casual game has finished no approved event, it is beyond the limits of the two players
for a day or a month.
"""

from collections.abc import Collection, Iterable, Mapping
from copy import copy
from datetime import UTC, datetime
from typing import Any, NamedTuple, Self

from django.db.models import Case, CharField, F, IntegerField, Q, QuerySet, Value, When
from django.db.models.functions import Coalesce

from games.core.journal.chain import canonical_json, digest_of, format_time
from games.models import Game, Player
from games.models.bulk import chunks
from ratings.core.conditions import (
    Tables,
    handicap_part,
    is_game_out_of_band,
    is_game_rated,
    rates_class,
)
from ratings.models import Batch, BatchGame, Pool
from ratings.systems.elo import DRAW, LOSS, WIN
from ratings.systems.fide import Fide
from ratings.systems.presets import Start, find_preset

FORFEIT_TERMINATIONS = ("forfeit", "double_forfeit")
Exclusion = BatchGame.Exclusion
EXCLUDED_STATES: dict[str, Exclusion] = {
    Batch.State.WAITING: Exclusion.AWAITING_APPROVAL,
    Batch.State.REFUSED: Exclusion.TOURNAMENT_REFUSED,
    Batch.State.WITHDRAWN: Exclusion.BATCH_WITHDRAWN,
}
"""The states of a batch in which no game of it is rated."""


class RatedInput(NamedTuple):
    """A game of a batch as it enters the ratings; the fields are the columns of `BatchGame`."""

    game_id: int
    first_id: int
    second_id: int
    first_seed: int | None
    second_seed: int | None
    first_seed_games: int
    second_seed_games: int
    first_reached_2400: bool
    second_reached_2400: bool
    score: int
    handicap_part: int | None
    first_junior: bool
    second_junior: bool
    exclusion: str

    @classmethod
    def from_row(cls, row: BatchGame) -> Self:
        """Return the input of a row, saved or not."""
        return cls._make(getattr(row, name) for name in cls._fields)

    @property
    def first_start(self) -> Start:
        """The seed of the first seat."""
        return Start(self.first_seed, self.first_seed_games, self.first_reached_2400)

    @property
    def second_start(self) -> Start:
        """The seed of the second seat."""
        return Start(self.second_seed, self.second_seed_games, self.second_reached_2400)


def describe_games(effective_at: datetime, games: Iterable[RatedInput]) -> list[Any]:
    """Return a batch's effective time and its rated games, ordered by id, as JSON."""
    rated = sorted(game[:-1] for game in games if not game.exclusion)
    return [effective_at.astimezone(UTC).isoformat(), rated]


def digest_games(effective_at: datetime, games: Iterable[RatedInput]) -> str:
    """Return the SHA-256 of a batch's effective time and its rated games."""
    return digest_of(describe_games(effective_at, games))


OF_FILING = (
    "first_seed", "second_seed", "first_seed_games", "second_seed_games",
    "first_reached_2400", "second_reached_2400", "handicap_part", "wrong_game", "wrong_class",
    "out_of_band", "first_junior", "second_junior", "over_limit",
    "over_month", "without_event",
)  # fmt: skip
"""The columns of a row that do not change after the day of filing."""

OF_BATCH = (
    "kind", "label", "stream", "state", "approved", "reason", "effective_at", "backdated",
    "filed_at",
)  # fmt: skip
"""The columns of a batch that travel with its event."""


LIMITS = {
    "without_event": Exclusion.WITHOUT_TOURNAMENT,
    "over_limit": Exclusion.DAILY_LIMIT,
    "over_month": Exclusion.MONTHLY_LIMIT,
}
"""The columns of the limits of casual games, with the codes of those beyond them, in order."""


class Keys(NamedTuple):
    """What names games and players in every installation, by their ids."""

    games: Mapping[int, str]
    players: Mapping[int, str]


def load_keys(rows: Collection[BatchGame]) -> Keys:
    """Return the keys of these rows, in two queries for 500 games."""
    games: dict[int, str] = {}
    players: dict[int, str] = {}
    for ids in chunks([row.game_id for row in rows]):
        placed = Game.objects.filter(pk__in=ids).values_list("pk", "stream", "place")
        games |= {pk: f"{stream}/{place}" if place else str(pk) for pk, stream, place in placed}
    for ids in chunks(sorted({player for row in rows for player in (row.first_id, row.second_id)})):
        players |= Player.objects.filter(pk__in=ids).values_list("pk", "key")
    return Keys(games, players)


def digest_filed(batch: Batch, rows: Iterable[BatchGame], keys: Keys) -> str:
    """Return the SHA-256 of a batch and of all columns of its games, the same everywhere.

    A casual game, which does not travel, has no place, and its batch is named after it. The reason
    of the batch counts as empty: a name in it may be erased.
    """
    of_batch = ["" if name == "reason" else getattr(batch, name) for name in OF_BATCH]
    games = [
        [
            keys.games.get(row.game_id),
            keys.players.get(row.first_id),
            keys.players.get(row.second_id),
            *(getattr(row, name) for name in OF_FILING),
            row.score,
            row.exclusion,
        ]
        for row in rows
    ]
    stated = [format_time(value) if isinstance(value, datetime) else value for value in of_batch]
    return digest_of([batch.pool.code, *stated, sorted(games, key=canonical_json)])


def digest_filed_before(rows: Iterable[BatchGame]) -> str:
    """Return the digest that versions before 0.3 stored: only of what never changes, by game."""
    return digest_of(sorted([row.game_id, *(getattr(row, n) for n in OF_FILING)] for row in rows))


def current_values(prefix: str = "") -> dict[str, Any]:
    """Return expressions for a game's `current_first`, `_second`, `_score` and `_exclusion`.

    `prefix` leads to the game: empty for games, `game__` for games of a batch. The exclusions that
    follow from the batch, and from what is filed with the game, are not included.
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
            When(at(rated=False), then=Value(Exclusion.UNRATED_TOURNAMENT.value)),
            When(at(public=False), then=Value(Exclusion.PRIVATE_TOURNAMENT.value)),
            When(at(termination__in=FORFEIT_TERMINATIONS), then=Value(Exclusion.FORFEIT.value)),
            When(no_result, then=Value(Exclusion.UNFINISHED.value)),
            When(~at(advice=""), then=Value(Exclusion.ADVICE.value)),
            default=Value(""),
            output_field=CharField(),
        ),
    }


def load_current_games(game_ids: Iterable[int]) -> "QuerySet[Any]":
    """Return games with their `current_values`, ordered by id."""
    return Game.objects.filter(pk__in=game_ids).annotate(**current_values()).order_by("pk")


def make_row(
    batch: Batch,
    game: Any,
    tables: Tables,
    ratings: Mapping[int, int],
    *,
    limits: Collection[str] = (),
    filed: BatchGame | None = None,
) -> BatchGame:
    """Return the row of a game with its `current_values`; see `_filed_exclusion`.

    A filed game keeps the value of its handicap, whether the pool rates such games and times, and
    the limits that a casual game is beyond. `ratings` are those from which a run would start now,
    in milli, by player: they stand for those at pairing where a game has none.
    """
    beyond = {name: getattr(filed, name) if filed else name in limits for name in LIMITS}
    if filed is not None:
        part, out_of_band = filed.handicap_part, filed.out_of_band
        wrong_game, wrong_class = filed.wrong_game, filed.wrong_class
    else:
        wrong_game = not is_game_rated(batch.pool, game)
        wrong_class = not rates_class(batch.pool, game.time_class)
        part = handicap_part(tables, batch.pool, game)
        out_of_band = part is not None and is_game_out_of_band(
            batch.pool,
            game.first_rating or ratings[game.current_first],
            game.second_rating or ratings[game.current_second],
            part,
        )
    is_agreed = batch.approved or game.consented
    exclusion = (
        EXCLUDED_STATES.get(batch.state, "")
        or game.current_exclusion
        or (Exclusion.WRONG_GAME if wrong_game else "")
        or (Exclusion.WRONG_TIME_CLASS if wrong_class else "")
        or (Exclusion.HANDICAP if part is None else "")
        or (Exclusion.OUT_OF_BAND if out_of_band else "")
        or (Exclusion.NO_CONSENT if not is_agreed else "")
        or next((code for name, code in LIMITS.items() if beyond[name]), "")
    )
    return BatchGame(
        pool=batch.pool,
        batch=batch,
        game_id=game.pk,
        first_id=game.current_first,
        second_id=game.current_second,
        score=0 if exclusion else game.current_score,
        handicap_part=part,
        wrong_game=wrong_game,
        wrong_class=wrong_class,
        out_of_band=out_of_band,
        **beyond,
        exclusion=exclusion,
    )


def corrected_input(filed: BatchGame, batch: Batch, game: Game) -> RatedInput:
    """Return the input of a filed game of an event after a correction that is not saved yet.

    `game` has the corrected result; its players and conditions are those that were filed.
    """
    score = DRAW if game.draw else WIN if game.winner == "first" else LOSS
    row: Any = copy(game)
    row.current_first, row.current_second = filed.first_id, filed.second_id
    row.current_score, row.current_exclusion = score, _current_exclusion(filed, game)
    new = make_row(batch, row, {}, {}, filed=filed)
    return RatedInput.from_row(filed)._replace(score=new.score, exclusion=new.exclusion)


def _current_exclusion(filed: BatchGame, game: Game) -> str:
    """Return the exclusion that `current_values` gives a game."""
    has_result = game.state == Game.State.CONFIRMED and (game.winner or game.draw)
    reasons = {
        Exclusion.SAME_PLAYER: filed.first_id == filed.second_id,
        Exclusion.ANNULLED: game.state == Game.State.ANNULLED,
        Exclusion.UNRATED_TOURNAMENT: not game.rated,
        Exclusion.PRIVATE_TOURNAMENT: not game.public,
        Exclusion.FORFEIT: game.termination in FORFEIT_TERMINATIONS,
        Exclusion.UNFINISHED: not has_result,
        Exclusion.ADVICE: bool(game.advice),
    }
    return next((code.value for code, applies in reasons.items() if applies), "")


def _filed_exclusion() -> Case:
    """Return the exclusion of a row as an expression, in the same order as `make_row`."""
    not_agreed = Q(batch__approved=False, game__consented=False)
    return Case(
        *(
            When(batch__state=state, then=Value(exclusion.value))
            for state, exclusion in EXCLUDED_STATES.items()
        ),
        When(~Q(current_exclusion=""), then=F("current_exclusion")),
        When(wrong_game=True, then=Value(Exclusion.WRONG_GAME.value)),
        When(wrong_class=True, then=Value(Exclusion.WRONG_TIME_CLASS.value)),
        When(handicap_part__isnull=True, then=Value(Exclusion.HANDICAP.value)),
        When(out_of_band=True, then=Value(Exclusion.OUT_OF_BAND.value)),
        When(not_agreed, then=Value(Exclusion.NO_CONSENT.value)),
        *(When(**{name: True}, then=Value(code.value)) for name, code in LIMITS.items()),
        default=Value(""),
        output_field=CharField(),
    )


def has_juniors(pool: Pool) -> bool:
    """Return True if the pool's system asks who is a junior, as FIDE's does."""
    return isinstance(find_preset(pool.preset, pool.parameters), Fide)


def find_changed_games(pool: Pool) -> "QuerySet[BatchGame]":
    """Return the filed games of a pool that differ from what would be filed now.

    Versions before 0.3 filed who is a junior with every pool, and its digests covered it.
    """
    filed = (
        BatchGame.objects.filter(pool=pool)
        .annotate(**current_values("game__"))
        .alias(filed_exclusion=_filed_exclusion())
    )
    same = (
        Q(first=F("current_first"))
        & Q(second=F("current_second"))
        & Q(exclusion=F("filed_exclusion"))
        & (Q(score=F("current_score")) | ~Q(exclusion=""))
    )
    if not has_juniors(pool):
        same &= Q(first_junior=False, second_junior=False)
    return filed.filter(~same)
