"""Bring a pool's ratings up to date: one run, in one transaction.

A batch is due if it was never rated, if its games differ from those that were rated, or if it has
moved in the order; every batch is due if the pool's parameters or the engine have changed. A run
starts at the first batch that is due, or at the first of its month if the pool uses FIDE's system,
takes the states before it from the current changes, and rates every batch from there on. The
changes that it replaces remain: those of the run of a batch are current. The previous run is
current until the transaction commits, so a run can be killed at any point, and a second run finds
nothing due.
"""

from collections.abc import Iterator

from django.db import transaction
from django.db.models import F, Max, Q, QuerySet
from django.utils import timezone

from games.imports.progress import Progress, no_progress
from games.journal import append_line
from ratings.models import CURRENT, Batch, BatchGame, Change, Pool, Rating, Run
from ratings.queries.batch_order import (
    ORDER,
    BatchPosition,
    batches_before,
    batches_from,
    digest_inputs,
    digest_parameters,
    find_first,
    find_first_due,
    find_period_start,
    load_periods,
)
from ratings.queries.input_columns import load_input_columns
from ratings.queries.openings import load_openings, load_states
from ratings.services.batches import refresh_batches
from ratings.services.column_rating import as_columns, rate_columns
from ratings.services.pool_state import PoolState
from ratings.services.run_rows import insert_changes, replace_ratings, save_input_digests
from ratings.systems.elo import ENGINE_VERSION, Elo, PlayerState
from ratings.systems.history import Column, is_compiled
from ratings.systems.presets import find_preset

STEP = "rating games"


def advance_pool(
    pool_id: int, *, from_start: bool = False, progress: Progress = no_progress
) -> Run | None:
    """Rate the batches that are due and make the run current; return None if none is due.

    `from_start` rates every batch anew, due or not. The row of the pool is locked until the end, so
    a second call waits and then finds nothing due.
    """
    with transaction.atomic():
        # Do not lock the key: filing a game refers to the row of the pool. It must not wait for
        # this lock while this transaction waits for the journal, which filing has locked.
        pool = Pool.objects.select_for_update(no_key=True).filter(pk=pool_id).first()
        if pool is None:
            return None
        refresh_batches(pool)
        position = find_first(pool) if from_start else find_first_due(pool)
        if position is None:
            return None
        return _rate_from(pool, find_period_start(pool, position), progress)


def _rate_from(pool: Pool, position: BatchPosition, progress: Progress) -> Run:
    run = Run.objects.create(
        pool=pool,
        number=(pool.runs.aggregate(top=Max("number"))["top"] or 0) + 1,
        engine_version=ENGINE_VERSION,
        parameter_digest=digest_parameters(pool),
        parent=pool.current_run,
        from_batch_id=position[1],
    )
    earlier = batches_before(pool, position)
    previous = earlier.filter(rated_effective_at__isnull=False).order_by(*ORDER).last()
    players = _find_replaced_players(pool, position, has_previous=previous is not None)
    # The queries below select by this mark. A batch that is filed in the meantime does not have it
    # and waits for the next run; filing one of these again waits for the lock on its row.
    batches_from(pool, position).update(
        run=run, rated_effective_at=F("effective_at"), rated_games_digest=F("games_digest")
    )
    batches = Batch.objects.filter(pool=pool, run=run)

    state = _load_state(pool, batches, earlier, has_replaced=bool(players))
    for changes in rate_batches(pool, batches, state, progress):
        insert_changes(run, changes)

    digests = digest_inputs(previous.input_digest if previous else run.parameter_digest, batches)
    save_input_digests(digests)
    players |= state.rated
    replace_ratings(run, state, players)
    run.input_digest, run.made_current_at = next(reversed(digests.values())), timezone.now()
    run.save(update_fields=["input_digest", "made_current_at"])
    pool.current_run = run
    pool.save(update_fields=["current_run"])
    payload = {
        "run": run.number,
        "parent": run.parent.number if run.parent else None,
        "from_batch": run.from_batch_id,
        "batches": len(digests),
        "players": len(players),
        "engine_version": run.engine_version,
        "parameter_digest": run.parameter_digest,
        "input_digest": run.input_digest,
    }
    append_line(pool.stream, "rating.run", payload, by=None)
    return run


def _find_replaced_players(pool: Pool, position: BatchPosition, *, has_previous: bool) -> set[int]:
    """Return the players of the changes that a run from this position replaces."""
    if not has_previous:
        return set(Rating.objects.filter(pool=pool).values_list("player_id", flat=True))
    batches = batches_from(pool, position)
    replaced = Change.objects.filter(CURRENT, pool=pool, batch__in=batches.values("pk"))
    return set(replaced.values_list("player_id", flat=True).distinct())


def _load_state(
    pool: Pool, batches: "QuerySet[Batch]", earlier: "QuerySet[Batch]", *, has_replaced: bool
) -> PoolState:
    """Return the state before batches; `earlier` are those before them.

    If no changes are replaced, this is the current rating of each player of these batches;
    otherwise, and for FIDE's system, which needs more than the rating, it is computed from the
    changes of the earlier batches.
    """
    state = PoolState(find_preset(pool.preset, pool.parameters))
    if has_replaced or not isinstance(state.system, Elo):
        changes = Change.objects.filter(CURRENT, pool=pool, batch__in=earlier.values("pk"))
        states = load_states(changes, load_openings(pool, earlier), state.system)
        for player, (player_state, played_at) in states.items():
            state.players[player], state.last_game_at[player] = player_state, played_at
        return state
    games = BatchGame.objects.filter(pool=pool, batch__in=batches.values("pk"))
    involved = Q(player__in=games.values("first")) | Q(player__in=games.values("second"))
    for rating in Rating.objects.filter(involved, pool=pool):
        state.players[rating.player_id] = PlayerState(rating.rating, rating.games)
        state.last_game_at[rating.player_id] = rating.last_game_at
    return state


def rate_batches(
    pool: Pool, batches: "QuerySet[Batch]", state: PoolState, progress: Progress
) -> Iterator[Column]:
    """Rate batches and update the state; yield the changes as `NUMBER_COLUMNS`."""
    openings = load_openings(pool, batches)
    games = BatchGame.objects.filter(pool=pool, batch__in=batches.values("pk"), exclusion="")
    total, done = games.count(), 0
    if isinstance(state.system, Elo):
        effective_at = dict(batches.values_list("pk", "effective_at"))
        for inputs in load_input_columns(pool, batches):
            progress(STEP, done, total)
            yield rate_columns(
                state, state.system, inputs, effective_at, openings, compiled=is_compiled(total)
            )
            done += len(inputs.games)
    else:
        for period in load_periods(pool, batches):
            progress(STEP, done, total)
            rows = state.rate_period(period, openings)
            yield as_columns(rows)
            done += len(rows) // 2
