"""What a rebuild of a pool changes, and what a correction of an event would, computed in memory."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from games.core.decimals import rating_number
from games.core.uploads.progress import Progress, no_progress
from games.models import Game
from ratings.batches.eligibility import corrected_input, find_changed_games
from ratings.batches.order import batches_from, find_period_start, load_periods
from ratings.batches.services import refresh_batches, rows_of
from ratings.models import IN_CURRENT_RUN, IN_ORDER, Batch, BatchGame, Change, Pool
from ratings.runs.openings import load_openings, load_states
from ratings.runs.services import RATING_STEP, advance_pool
from ratings.runs.state import CHANGE_COLUMNS, PoolState
from ratings.systems.presets import find_preset

Ratings = Mapping[int, int]
"""The rating of each player, in milli."""


@dataclass(frozen=True, slots=True)
class Move:
    """A rating that a rebuild changes; None without rated games."""

    player: int
    before: int | None
    after: int | None

    @property
    def difference(self) -> int:
        """Return the difference, in milli; a missing rating counts as zero."""
        return (self.after or 0) - (self.before or 0)


@dataclass(frozen=True, slots=True)
class Rebuild:
    """The effect of a rebuild: the number of its run, if it made one, and the ratings.

    `moves` are the ratings that change, the largest differences first.
    """

    run: int | None
    players: int
    moves: tuple[Move, ...]


def rebuild_pool(pool: Pool, progress: Progress = no_progress) -> Rebuild:
    """Rate all batches of a pool anew in one run."""
    before = _load_ratings(pool)
    run = advance_pool(pool.pk, from_start=True, progress=progress)
    return _describe(run.number if run else None, before, _load_ratings(pool))


def preview_rebuild(pool: Pool, progress: Progress = no_progress) -> Rebuild:
    """Return what a rebuild would change, computed in memory; nothing is written."""
    with transaction.atomic():
        changed = find_changed_games(pool)
        refresh_batches(pool, set(changed.values_list("batch", flat=True).distinct()))
        state = PoolState(find_preset(pool.preset, pool.parameters))
        batches = Batch.objects.filter(IN_ORDER, pool=pool)
        openings = load_openings(pool, batches)
        total = BatchGame.objects.filter(pool=pool, batch__in=batches, exclusion="").count()
        done = 0
        for period in load_periods(pool, batches):
            progress(RATING_STEP, done, total)
            done += len(state.rate_period(period, openings)) // 2
        progress(RATING_STEP, done, total)
        before = _load_ratings(pool)
        transaction.set_rollback(True)
    after = {
        player: player_state.rating
        for player, player_state in state.players.items()
        if state.has_rating(player)
    }
    return _describe(None, before, after)


def _load_ratings(pool: Pool) -> Ratings:
    return dict(pool.ratings.values_list("player_id", "rating"))


def _describe(run: int | None, before: Ratings, after: Ratings) -> Rebuild:
    moves = [
        Move(player, before.get(player), after.get(player)) for player in sorted({*before, *after})
    ]
    changed = (move for move in moves if move.before != move.after)
    ordered = sorted(changed, key=lambda move: -abs(move.difference))
    return Rebuild(run, len(after), tuple(ordered))


BATCH_COLUMN, PLAYER = CHANGE_COLUMNS.index("batch_id"), CHANGE_COLUMNS.index("player_id")


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingEffect:
    """How the ratings of a pool change: the events, and the players with rating before and after.

    A rating is None for a player without rated games, `events` are those from the corrected one on
    in which a rating changes, with the number of players.
    """

    pool: str
    events: tuple[tuple[str, int], ...]
    players: Mapping[int, tuple[int | None, int | None]]

    def as_json(self) -> dict[str, Any]:
        """Return the effect for the API; players are ids."""
        return {
            "pool": self.pool,
            "tournaments": [{"name": name, "players": count} for name, count in self.events],
            "players": [
                {"player": player, "rating": [_as_number(rating) for rating in ratings]}
                for player, ratings in sorted(self.players.items())
            ],
        }


def _as_number(rating: int | None) -> float | None:
    return None if rating is None else rating_number(rating)


def preview_ratings(stream: str, games: Mapping[int, Game]) -> list[RatingEffect]:
    """Return what the corrected results of games of an event, by id, do to the ratings.

    Every pool with which the event is filed is rated from the event on, as it is filed and with
    the corrected results.
    """
    batches = Batch.objects.filter(stream=stream).select_related("pool").order_by("pool__code")
    effects = [_preview_batch(batch.pool, batch, games) for batch in batches]
    return [effect for effect in effects if effect.players]


def _preview_batch(pool: Pool, corrected: Batch, games: Mapping[int, Game]) -> RatingEffect:
    position = find_period_start(pool, (corrected.effective_at, corrected.pk))
    batches = batches_from(pool, position)
    openings = load_openings(pool, batches)
    filed = {row.game_id: row for row in rows_of(corrected).filter(game__in=games)}
    inputs = {
        number: corrected_input(row, corrected, games[number]) for number, row in filed.items()
    }
    before, after = _load_state(pool, batches), _load_state(pool, batches)
    labels: dict[int, str] = {}
    changed: set[tuple[Any, Any]] = set()
    for period in load_periods(pool, batches):
        corrected_period = [
            (batch, [inputs.get(row.game_id, row) for row in rows]) for batch, rows in period
        ]
        old = before.rate_period(period, openings)
        new = after.rate_period(corrected_period, openings)
        changed |= {(row[BATCH_COLUMN], row[PLAYER]) for row in {*old} ^ {*new}}
        labels |= {batch.pk: batch.label for batch, _ in period}
    counts = Counter(batch for batch, _ in changed)
    players = before.rated | after.rated
    ratings = {player: (_rating(before, player), _rating(after, player)) for player in players}
    return RatingEffect(
        pool=pool.code,
        events=tuple((label, counts[batch]) for batch, label in labels.items() if counts[batch]),
        players={player: pair for player, pair in ratings.items() if pair[0] != pair[1]},
    )


def _load_state(pool: Pool, batches: "QuerySet[Batch]") -> PoolState:
    """Return the state before these batches."""
    state = PoolState(find_preset(pool.preset, pool.parameters))
    earlier = Batch.objects.filter(pool=pool).exclude(pk__in=batches.values("pk"))
    changes = Change.objects.filter(IN_CURRENT_RUN, pool=pool, batch__in=earlier.values("pk"))
    state.add_states(load_states(pool, changes, earlier, state.system))
    return state


def _rating(state: PoolState, player: int) -> int | None:
    """Return the rating of a player with rated games."""
    return state.players[player].rating if state.has_rating(player) else None
