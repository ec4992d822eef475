"""Rate the batches of a pool in chunks of many games, which take little memory, stored one by one.

A chunk reads its batches and their games while it has locked the batches, so that what it rates of
a batch is what its digest covers. The locks end with the transaction of the caller; a batch that
changes later, stored or not, is due (see `run_writing.py`).
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.db import transaction

from games.bulk import chunks
from games.compiled_queries import CompiledQuery, count_rows
from games.imports.progress import Progress
from ratings.models import IN_ORDER, Batch, BatchGame, Pool
from ratings.queries.batch_order import (
    BATCH_ORDER,
    BatchPosition,
    batches_before,
    batches_from,
    batches_of_chunk,
    digest_input,
    load_periods,
    position_after,
)
from ratings.queries.input_columns import MOST_BATCHES, load_input_columns
from ratings.queries.openings import load_openings_between
from ratings.services.column_rating import as_columns, rate_columns
from ratings.services.pool_state import ChangeRow, PoolState
from ratings.systems.elo import Elo
from ratings.systems.history import Column, is_compiled

RATING_STEP = "rating games"

GAMES_OF_CHUNK = 50_000
"""Games, about: a chunk consists of whole batches, in FIDE's system of whole months."""


class RunBatch(NamedTuple):
    """What a run rated of a batch, and the digest of all input up to it."""

    batch: int
    effective_at: datetime
    games_digest: str
    input_digest: str


class ChunkStart(NamedTuple):
    """A position, the input digest of the batch before it, and the games that the run has rated."""

    position: BatchPosition
    input_digest: str
    games: int = 0


@dataclass(frozen=True, slots=True)
class Chunk:
    """Batches that were rated, their changes, and where the next chunk starts."""

    batches: Sequence[RunBatch]
    changes: Column
    end: ChunkStart


@dataclass(frozen=True, slots=True)
class RunSize:
    """The number of games that a run rates, and of its batches."""

    games: int
    batches: int

    @property
    def is_small(self) -> bool:
        """Return True if one transaction is enough for all games."""
        return self.games <= GAMES_OF_CHUNK

    @property
    def batches_at_once(self) -> int:
        """Return the number of batches of a chunk."""
        return max(1, GAMES_OF_CHUNK * self.batches // max(1, self.games))


BATCH_COUNT = CompiledQuery(lambda pool: count_rows(Batch.objects.filter(IN_ORDER, pool=pool)), int)
NUMBER_FROM = CompiledQuery(
    lambda pool, at, batch: count_rows(batches_from(pool, (at, batch))), int, datetime, int
)
GAME_COUNT = CompiledQuery(
    lambda pool: count_rows(BatchGame.objects.filter(pool=pool, exclusion="")), int
)
GAMES_FROM = CompiledQuery(
    lambda pool, at, batch: count_rows(
        BatchGame.objects.filter(
            pool=pool, exclusion="", batch__in=batches_from(pool, (at, batch)).values("pk")
        )
    ),
    int,
    datetime,
    int,
)
BATCHES_FROM = CompiledQuery(
    lambda pool, at, batch: (
        batches_from(pool, (at, batch)).order_by(*BATCH_ORDER).values_list("pk", "effective_at")
    ),
    int,
    datetime,
    int,
)


def measure_run(pool: Pool, position: BatchPosition, end: BatchPosition | None = None) -> RunSize:
    """Return the size of a run from a position to the end of the pool, or to `end`."""
    if end is None:
        count = NUMBER_FROM.only(pool.pk, *position)
    else:
        before = batches_before(pool, end).values("pk")
        batches = batches_from(pool, position).filter(pk__in=before)
        count = batches.count()
    if count >= BATCH_COUNT.only(pool.pk):
        games = GAME_COUNT.only(pool.pk)
    elif end is None:
        games = GAMES_FROM.only(pool.pk, *position)
    else:
        rows = BatchGame.objects.filter(pool=pool, exclusion="")
        games = rows.filter(batch__in=batches.values("pk")).count()
    return RunSize(games, count)


def rate_chunk(
    pool: Pool,
    state: PoolState,
    start: ChunkStart,
    size: RunSize,
    *,
    end: BatchPosition | None = None,
    seen: Collection[int] = (),
) -> Chunk | None:
    """Rate the next batches from a position on, before `end`, and update the state.

    Return None if there are none. A batch that moves meanwhile is left out, and so are those `seen`
    before at another position: such a batch is due, and the next run rates it. Call it in a
    transaction.
    """
    if size.is_small and end is None:
        queued = dict(BATCHES_FROM.rows(pool.pk, *start.position))
    else:
        batches = batches_of_chunk(pool, start.position, end, count=size.batches_at_once)
        queued = dict(batches.values_list("pk", "effective_at"))
    if not queued:
        return None
    locked = {
        row[0]: row
        for ids in chunks(list(queued), MOST_BATCHES)
        for row in Batch.objects.filter(pk__in=ids)
        .select_for_update(no_key=True)
        .order_by("pk")
        .values_list("pk", "effective_at", "games_digest", "openings_digest")
    }
    digest, rated = start.input_digest, []
    for batch, effective_at in queued.items():
        _, locked_at, games_digest, openings_digest = locked[batch]
        if locked_at == effective_at and batch not in seen:
            digest = digest_input(digest, batch, games_digest, openings_digest)
            rated.append(RunBatch(batch, effective_at, games_digest, digest))
    changes = _rate_batches(pool, state, rated, compiled=is_compiled(size.games))
    *_, (last, last_at) = queued.items()
    position = position_after(pool, (last_at, last))
    games = start.games + len(changes) // 2
    return Chunk(rated, changes, ChunkStart(position, digest, games))


def _rate_batches(
    pool: Pool, state: PoolState, rated: Sequence[RunBatch], *, compiled: bool
) -> Column:
    """Rate batches and update the state; return the changes as `NUMBER_COLUMNS`."""
    if not rated:
        return as_columns([])
    effective_at = {batch.batch: batch.effective_at for batch in rated}
    times = (min(effective_at.values()), max(effective_at.values()))
    openings = load_openings_between(pool, *times)
    if isinstance(state.system, Elo):
        inputs = load_input_columns(pool, list(effective_at))
        return rate_columns(state, state.system, inputs, effective_at, openings, compiled=compiled)
    batches = Batch.objects.filter(pool=pool, effective_at__range=times)
    rows: list[ChangeRow] = []
    for period in load_periods(pool, batches):
        own = [(batch, games) for batch, games in period if batch.pk in effective_at]
        rows += state.rate_period(own, openings)
    return as_columns(rows)


def rate_chunks(
    pool: Pool,
    state: PoolState,
    start: ChunkStart,
    size: RunSize,
    progress: Progress,
    *,
    end: BatchPosition | None = None,
    seen: Collection[int] = (),
) -> Iterator[Chunk]:
    """Rate all batches from a position on, before `end`; yield the chunks.

    Each is read in a transaction of its own, unless the caller has begun one.
    """
    seen = set(seen)
    while True:
        progress(RATING_STEP, start.games, size.games)
        with transaction.atomic():
            chunk = rate_chunk(pool, state, start, size, end=end, seen=seen)
        if chunk is None:
            return
        seen.update(batch.batch for batch in chunk.batches)
        start = chunk.end
        yield chunk
