"""Recompute the ratings of a pool from its batches and compare every row with the stored one."""

import logging
from collections.abc import Iterator
from datetime import datetime
from itertools import islice, zip_longest

from django.db import transaction

from ratings.batches.eligibility import digest_games
from ratings.batches.order import digest_input, digest_parameters, is_due, load_periods
from ratings.models import IN_CURRENT_RUN, RATED_ORDER, Batch, Change, Pool, Rating, Run
from ratings.runs.openings import digest_openings, load_openings
from ratings.runs.state import CHANGE_COLUMNS, ChangeRow, PoolState
from ratings.systems.presets import find_preset

log = logging.getLogger(__name__)

MAX_DIFFERENCES = 20
COMPARED = CHANGE_COLUMNS[2:]


def verify_pool(pool: Pool) -> list[str]:
    """Return a sentence for each difference between stored and recomputed ratings.

    At most twenty are returned. If the pool is due for a run, the only sentence says so, and
    nothing is compared. Runs of the pool wait until the comparison is done.
    """
    with transaction.atomic():
        pool = Pool.objects.select_for_update(no_key=True).get(pk=pool.pk)
        if is_due(pool):
            return [f"{pool.code} is due for a run; advance it first"]
        if pool.current_run is None:
            return []
        return list(islice(_find_differences(pool, pool.current_run), MAX_DIFFERENCES))


def verify_nightly(pool: Pool, *, now: datetime) -> None:
    """Verify the ratings of a pool that were not found correct on this day (UTC); store the result.

    A pool that is due for a run is left for the next call.
    """
    is_verified = pool.verified_at is not None and pool.verified_at.date() == now.date()
    if (is_verified and not pool.differences) or is_due(pool):
        return
    differences = verify_pool(pool)
    for difference in differences:
        log.error("the ratings are not those of a recomputation: %s", difference)
    Pool.objects.filter(pk=pool.pk).update(verified_at=now, differences=differences)


def _find_differences(pool: Pool, run: Run) -> Iterator[str]:
    state = PoolState(find_preset(pool.preset, pool.parameters))
    digest = digest_parameters(pool)
    stored = (
        Change.objects.filter(IN_CURRENT_RUN, pool=pool)
        .order_by(*RATED_ORDER)
        .values_list(*COMPARED)
        .iterator(chunk_size=2000)
    )
    batches = Batch.objects.filter(pool=pool, rated_effective_at__isnull=False)
    openings = load_openings(pool, batches)
    imported = load_openings(pool, batches, follow_merges=False)
    for period in load_periods(pool, batches):
        for batch, games in period:
            place = f"{pool.code}, batch {batch.pk}"
            if digest_games(batch.effective_at, games) != batch.games_digest:
                yield f"{place}: its games do not match their digest"
            if digest_openings(imported.get(batch.pk, {})) != batch.openings_digest:
                yield f"{place}: its openings do not match their digest"
            digest = digest_input(digest, batch.pk, batch.games_digest, batch.openings_digest)
            if batch.input_digest != digest:
                yield f"{place}: its input digest does not follow from the batch before"
        for row in state.rate_period(period, openings):
            found = next(stored, None)
            if found != row[2:]:
                yield _describe_difference(pool, found, row[2:])
    for found in stored:
        yield _describe_difference(pool, found, None)
    if run.input_digest != digest:
        yield f"{pool.code}, run {run.number}: its input digest is not that of the last batch"
    yield from _compare_ratings(pool, state)


def _describe_difference(pool: Pool, stored: ChangeRow | None, correct: ChangeRow | None) -> str:
    described = [
        "nothing"
        if row is None
        else ", ".join(f"{name} {value}" for name, value in zip(COMPARED, row, strict=True))
        for row in (stored, correct)
    ]
    return f"{pool.code}: a change is stored as [{described[0]}], expected [{described[1]}]"


def _compare_ratings(pool: Pool, state: PoolState) -> Iterator[str]:
    stored = (
        Rating.objects.filter(pool=pool)
        .order_by("player_id")
        .values_list("player_id", "rating", "games", "last_game_at")
        .iterator(chunk_size=2000)
    )
    correct = (
        (
            player,
            state.players[player].rating,
            state.players[player].games,
            state.last_game_at[player],
        )
        for player in sorted(state.last_game_at)
        if state.has_rating(player)
    )
    for found, expected in zip_longest(stored, correct):
        if found != expected:
            yield f"{pool.code}: a rating is stored as {found}, expected {expected}"
