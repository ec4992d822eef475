"""Bring a pool's ratings up to date: one run, which becomes current in one transaction.

A batch is due if it was never rated, if its games differ from those that were rated, or if it has
moved in the order; every batch is due if the pool's parameters or the engine have changed. A run
starts at the first batch that is due, or at the first of its month if the pool uses FIDE's system,
takes the states before it from a checkpoint or the current changes, and rates every batch from
there on. The changes that it replaces remain: those of the run of a batch are current.

A run of few games is one transaction. A longer one stores a checkpoint after each chunk of games,
with the changes of the chunk, from which the next call continues if it is killed. The previous run
is current until the last transaction, and a second run finds nothing due. Of two calls at the same
time that continue a run, the later one stops, at once or when it would store a chunk.
"""

from collections.abc import Iterable

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from games.compiled_queries import CompiledQuery
from games.imports.progress import Progress, no_progress
from games.journal import append_line
from games.models import Game, Player
from games.statistics import update_statistics
from ratings.models import IN_CURRENT_RUN, Batch, BatchGame, Change, Pool, Rating, Run
from ratings.queries.batch_order import (
    FIRST_UNFINISHED_RUN,
    BatchPosition,
    batches_before,
    batches_from,
    digest_parameters,
    find_digest_before,
    find_first,
    find_first_due,
    find_period_start,
)
from ratings.queries.openings import load_openings_before, load_states
from ratings.queries.pools import LAST_RUN_NUMBER, LOCKED_POOL
from ratings.services.batches import refresh_batches
from ratings.services.changed_games import (
    ChangedStreams,
    find_changed_batches,
    find_changed_streams,
    save_comparison,
)
from ratings.services.checkpoints import (
    delete_replaced_checkpoints,
    load_run_state,
    load_state_before,
    save_first_checkpoint,
)
from ratings.services.pool_state import PoolState
from ratings.services.run_chunks import ChunkStart, RunBatch, RunSize, measure_run, rate_chunks
from ratings.services.run_rows import insert_changes, replace_ratings, save_rated_batches
from ratings.services.run_writing import Overtaken, check_run, only_one_call, write_chunks
from ratings.systems.elo import ENGINE_VERSION, Elo, PlayerState
from ratings.systems.presets import find_preset

RATED_PLAYERS = CompiledQuery(
    lambda pool: Rating.objects.filter(pool=pool).values_list("player_id", flat=True), int
)
MANY_GAMES = 1000
"""A run of as many lets the database count its changes, before others read them."""


def advance_pool(
    pool_id: int,
    *,
    from_start: bool = False,
    changed: ChangedStreams | None = None,
    progress: Progress = no_progress,
) -> Run | None:
    """Rate the batches that are due and make the run current.

    Continue a run that has stopped first. Return None if none is due, or if another call continues
    the run. `from_start` rates every batch anew, due or not. `changed` are streams of which the
    caller has filed the casual games: store that their games are compared.
    """
    while True:
        with transaction.atomic():
            pool = LOCKED_POOL.first(pool_id)
            if pool is None:
                return None
            unfinished = _find_unfinished(pool)
            if unfinished is None:
                _refresh_batches(pool, changed, from_start=from_start)
                position = find_first(pool) if from_start else find_first_due(pool)
                if position is None:
                    return None
                run, is_finished = _start_run(pool, find_period_start(pool, position), progress)
                if is_finished:
                    return run
        try:
            with only_one_call(unfinished or run):
                finished = _continue_run(pool, unfinished or run, progress)
        except Overtaken:
            return None
        first = find_first(pool) if from_start and unfinished is not None else None
        if first is None or finished.from_batch_id == first[1]:
            return finished


def _refresh_batches(pool: Pool, filed: ChangedStreams | None, *, from_start: bool) -> None:
    """Update the batches whose games have changed; a rebuild compares all games."""
    changed = filed or find_changed_streams(pool, now=timezone.now(), is_all=from_start)
    if changed.is_all:
        update_statistics(Batch, BatchGame, Game, Player)
    refresh_batches(pool, find_changed_batches(pool, changed))
    if filed is not None:
        save_comparison(pool, filed)


def _find_unfinished(pool: Pool) -> Run | None:
    """Return the run to continue; delete one with other parameters than those of the pool."""
    run = FIRST_UNFINISHED_RUN.first(pool.pk)
    if run is None or (run.parameter_digest, run.engine_version) == (
        digest_parameters(pool),
        ENGINE_VERSION,
    ):
        return run
    Change.objects.filter(pool=pool, run=run).delete()
    run.delete()
    return None


def _start_run(pool: Pool, position: BatchPosition, progress: Progress) -> tuple[Run, bool]:
    """Start a run; return it and True if it is finished, because it is small."""
    run = Run(
        pool=pool,
        number=(LAST_RUN_NUMBER.first(pool.pk) or 0) + 1,
        engine_version=ENGINE_VERSION,
        parameter_digest=digest_parameters(pool),
        parent=pool.current_run,
        from_batch_id=position[1],
    )
    run.save()
    size = measure_run(pool, position)
    previous = find_digest_before(pool, position)
    start = ChunkStart(position, run.parameter_digest if previous is None else previous)
    replaced = _find_replaced_players(pool, run, start)
    state = _load_state(pool, position, size, has_replaced=bool(replaced))
    if not size.is_small:
        save_first_checkpoint(run, state, start)
        return run, False
    rated: list[RunBatch] = []
    for chunk in rate_chunks(pool, state, start, size, progress):
        insert_changes(run, chunk.changes)
        rated += chunk.batches
    _finish_run(pool, run, state, rated, replaced, games=size.games)
    return run, True


def _continue_run(pool: Pool, run: Run, progress: Progress) -> Run:
    """Rate the rest of a run and make it current; raises Overtaken if another call does."""
    stored = load_run_state(pool, run)
    size = measure_run(pool, stored.first.position)
    seen = [batch.batch for batch in stored.batches]
    chunks = rate_chunks(pool, stored.state, stored.start, size, progress, seen=seen)
    for chunk in write_chunks(run, stored, chunks):
        stored.batches += chunk.batches
        stored.number += 1
    with transaction.atomic():
        pool = check_run(run, stored.number)
        replaced = _find_replaced_players(pool, run, stored.first)
        _finish_run(pool, run, stored.state, stored.batches, replaced, games=size.games)
        delete_replaced_checkpoints(pool, run, stored.first)
    return run


def _finish_run(
    pool: Pool,
    run: Run,
    state: PoolState,
    rated: list[RunBatch],
    replaced: Iterable[int],
    *,
    games: int,
) -> None:
    """Make a run current that has rated these batches, of so many games, and stored its changes."""
    players = state.rated.union(replaced)
    save_rated_batches(run, rated)
    replace_ratings(run, state, players)
    run.input_digest, run.made_current_at = rated[-1].input_digest, timezone.now()
    run.save(update_fields=["input_digest", "made_current_at"])
    pool.current_run = run
    pool.save(update_fields=["current_run"])
    payload = {
        "run": run.number,
        "parent": run.parent.number if run.parent else None,
        "from_batch": run.from_batch_id,
        "batches": len(rated),
        "players": len(players),
        "engine_version": run.engine_version,
        "parameter_digest": run.parameter_digest,
        "input_digest": run.input_digest,
    }
    append_line(pool.stream, "rating.run", payload, by=None)
    if games >= MANY_GAMES:
        update_statistics(Batch, Change)


def _find_replaced_players(pool: Pool, run: Run, start: ChunkStart) -> set[int]:
    """Return the players of the changes that a run replaces."""
    if start.input_digest == run.parameter_digest:  # no batch before it is rated
        return set(RATED_PLAYERS.rows(pool.pk))
    batches = batches_from(pool, start.position)
    replaced = Change.objects.filter(IN_CURRENT_RUN, pool=pool, batch__in=batches.values("pk"))
    return set(replaced.values_list("player_id", flat=True).distinct())


def _load_state(
    pool: Pool,
    position: BatchPosition,
    size: RunSize,
    *,
    has_replaced: bool,
) -> PoolState:
    """Return the state before a position.

    If no changes are replaced, this is the current rating of each player of the batches from it on,
    or of all players if a checkpoint needs them. Otherwise, and for FIDE's system, which needs more
    than the rating, it is that of a checkpoint, rated further, or else it is computed from the
    changes of the earlier batches.
    """
    state = PoolState(find_preset(pool.preset, pool.parameters))
    if has_replaced or not isinstance(state.system, Elo):
        if (found := load_state_before(pool, position)) is not None:
            return found
        earlier = batches_before(pool, position)
        changes = Change.objects.filter(IN_CURRENT_RUN, pool=pool, batch__in=earlier.values("pk"))
        states = load_states(changes, load_openings_before(pool, position), state.system)
        for player, (player_state, played_at) in states.items():
            state.players[player], state.last_game_at[player] = player_state, played_at
        return state
    ratings = Rating.objects.filter(pool=pool)
    if size.is_small:
        batches = batches_from(pool, position)
        games = BatchGame.objects.filter(pool=pool, batch__in=batches.values("pk"))
        involved = Q(player__in=games.values("first")) | Q(player__in=games.values("second"))
        ratings = ratings.filter(involved)
    for rating in ratings:
        state.players[rating.player_id] = PlayerState(rating.rating, rating.games)
        state.last_game_at[rating.player_id] = rating.last_game_at
    return state
