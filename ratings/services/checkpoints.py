"""Checkpoints: store what a run has rated so far, continue from it, and start later runs from it.

A checkpoint holds as long as the input digest of the last batch before its position is that of the
checkpoint: it covers everything that the states depend on.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np
from django.db.models import Q

from games.imports.progress import no_progress
from ratings.models import Checkpoint, Pool, Run
from ratings.queries.batch_order import (
    BatchPosition,
    digest_parameters,
    find_digest_before,
)
from ratings.services.column_rating import NUMBER_COLUMNS
from ratings.services.pool_state import PoolState
from ratings.services.run_chunks import (
    Chunk,
    ChunkStart,
    RunBatch,
    measure_run,
    rate_chunks,
)
from ratings.systems.elo import Elo, PlayerState
from ratings.systems.fide_changes import read_state
from ratings.systems.presets import find_preset

PLAYER_COLUMN = NUMBER_COLUMNS.index("player_id")

MOST_TRIED = 20
"""Checkpoints that are looked at to find one that holds."""


@dataclass(slots=True)
class RunState:
    """What an unfinished run has rated up to its last checkpoint.

    `first` is where the run starts, `start` where it continues.
    """

    number: int
    state: PoolState
    first: ChunkStart
    start: ChunkStart
    batches: list[RunBatch]


def save_first_checkpoint(run: Run, state: PoolState, start: ChunkStart) -> None:
    """Store the states of all players before a run."""
    _save(run, 0, start, _states_as_json(state, state.last_game_at), batches=())


def save_checkpoint(run: Run, number: int, chunk: Chunk, states: list[Any]) -> None:
    """Store the states after a chunk of a run; `states` is that of `rated_states`."""
    _save(run, number, chunk.end, states, chunk.batches)


def rated_states(state: PoolState, chunk: Chunk) -> list[Any]:
    """Return the states of the players of a chunk that was just rated, as JSON."""
    players = chunk.changes[:, PLAYER_COLUMN]
    return _states_as_json(state, np.unique(players).tolist())


def _save(
    run: Run,
    number: int,
    start: ChunkStart,
    states: list[Any],
    batches: Iterable[RunBatch],
) -> None:
    (effective_at, batch), input_digest, games = start
    Checkpoint.objects.create(
        pool_id=run.pool_id,
        run=run,
        number=number,
        effective_at=effective_at,
        batch=batch,
        games=games,
        input_digest=input_digest,
        states=states,
        batches=[[row[0], row.effective_at.isoformat(), *row[2:]] for row in batches],
    )


def load_run_state(pool: Pool, run: Run) -> RunState:
    """Return what an unfinished run has rated."""
    state = PoolState(find_preset(pool.preset, pool.parameters))
    checkpoints = list(run.checkpoints.filter(pool=pool).order_by("number"))
    rated: set[int] = set()
    for checkpoint in checkpoints:
        players = _restore(state, checkpoint)
        if checkpoint.number:
            rated |= players
    state.rated = rated
    return RunState(
        number=checkpoints[-1].number,
        state=state,
        first=_start_of(checkpoints[0]),
        start=_start_of(checkpoints[-1]),
        batches=[
            RunBatch(batch, datetime.fromisoformat(effective_at), games_digest, input_digest)
            for checkpoint in checkpoints
            for batch, effective_at, games_digest, input_digest in checkpoint.batches
        ],
    )


def delete_replaced_checkpoints(pool: Pool, run: Run, first: ChunkStart) -> None:
    """Delete the checkpoints that a finished run replaces, and what it no longer needs of its own.

    These are the checkpoints of earlier runs from its start on.
    """
    effective_at, batch = first.position
    checkpoints = Checkpoint.objects.filter(pool=pool)
    later = Q(effective_at__gt=effective_at) | Q(effective_at=effective_at, batch__gte=batch)
    checkpoints.filter(later).exclude(run=run).delete()
    checkpoints.filter(run=run).update(batches=[])


def load_state_before(pool: Pool, position: BatchPosition) -> PoolState | None:
    """Return the state of all players before a position: that of a checkpoint, rated further.

    No batch before the position may be due. Return None if no checkpoint before it holds.
    """
    found = _find_checkpoint(pool, position)
    if found is None:
        return None
    state = PoolState(find_preset(pool.preset, pool.parameters))
    earlier = found.run.checkpoints.filter(pool=pool, number__lte=found.number)
    for checkpoint in earlier.order_by("number"):
        _restore(state, checkpoint)
    start = _start_of(found)
    size = measure_run(pool, start.position, position)
    for _ in rate_chunks(pool, state, start, size, no_progress, end=position):
        pass
    state.rated = set()
    return state


def _find_checkpoint(pool: Pool, position: BatchPosition) -> Checkpoint | None:
    """Return the last checkpoint before a position that holds."""
    effective_at, batch = position
    earlier = Q(effective_at__lt=effective_at) | Q(effective_at=effective_at, batch__lte=batch)
    checkpoints = Checkpoint.objects.filter(
        earlier, pool=pool, run__made_current_at__isnull=False
    ).defer("states", "batches")
    parameters = digest_parameters(pool)
    for checkpoint in checkpoints.order_by("-effective_at", "-batch", "-run")[:MOST_TRIED]:
        last = find_digest_before(pool, _start_of(checkpoint).position)
        if checkpoint.input_digest == (parameters if last is None else last):
            return checkpoint
    return None


def _start_of(checkpoint: Checkpoint) -> ChunkStart:
    position = (checkpoint.effective_at, checkpoint.batch)
    return ChunkStart(position, checkpoint.input_digest, checkpoint.games)


def _states_as_json(state: PoolState, players: Iterable[int]) -> list[Any]:
    times: dict[datetime, str] = {}
    rows = []
    for player in players:
        at = state.last_game_at[player]
        if at not in times:
            times[at] = at.isoformat()
        rows.append([player, times[at], *state.players[player]])
    return rows


def _restore(state: PoolState, checkpoint: Checkpoint) -> set[int]:
    """Set the states of a checkpoint; return its players."""
    read = PlayerState._make if isinstance(state.system, Elo) else read_state
    times: dict[str, datetime] = {}
    for player, at, *values in checkpoint.states:
        if at not in times:
            times[at] = datetime.fromisoformat(at)
        state.players[player] = read(values)
        state.last_game_at[player] = times[at]
    return {row[0] for row in checkpoint.states}
