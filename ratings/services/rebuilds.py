"""Rate all batches of a pool anew, or compute what that would change."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db import transaction

from games.core.uploads.progress import Progress, no_progress
from ratings.batches.eligibility import find_changed_games
from ratings.batches.order import load_periods
from ratings.batches.services import refresh_batches
from ratings.models import IN_ORDER, Batch, BatchGame, Pool
from ratings.runs.openings import load_openings
from ratings.runs.services import RATING_STEP, advance_pool
from ratings.runs.state import PoolState
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
