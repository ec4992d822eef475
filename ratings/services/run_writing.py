"""Store the chunks of a run, each with a checkpoint, while the next ones are rated.

A chunk is stored in a later transaction than the one that has locked and read its batches, and a
batch may change in between. What the run stores of it still agrees: the digest of the games that
were read, their changes, and the states on which the next chunks are rated. The batch as it is now
has another digest, or another time, than the run has rated, so it is due, and the next run starts
there or before. Chunks are stored in their order, and nothing is current before the last
transaction of the run, which begins when all of them are stored.
"""

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from django.db import connection, transaction
from django.db.models import Max

from ratings.models import Pool, Run
from ratings.queries.batch_order import digest_parameters
from ratings.services.checkpoints import RunState, rated_states, save_checkpoint
from ratings.services.run_chunks import Chunk
from ratings.services.run_rows import copy_changes, encode_changes, insert_changes


class Overtaken(Exception):
    """Another call has continued or finished the run, or its parameters are those of before."""


@contextmanager
def only_one_call(run: Run) -> Iterator[None]:
    """Prevent that two calls continue a run; raises Overtaken if another one does.

    PostgreSQL releases the lock with the connection. On SQLite, which has one writer, the call that
    is later to store a chunk finds that out by `check_run`.
    """
    if connection.vendor != "postgresql":
        yield
        return
    name = [f"ratings/run/{run.pk}"]
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(hashtextextended(%s, 0))", name)
        if not cursor.fetchone()[0]:
            raise Overtaken(f"another call continues {run}")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(hashtextextended(%s, 0))", name)


def check_run(run: Run, number: int) -> Pool:
    """Lock the pool of an unfinished run and return it.

    Raises Overtaken unless `number` is that of the last checkpoint.
    """
    pool = Pool.objects.select_for_update(no_key=True).get(pk=run.pool_id)
    found = Run.objects.filter(pk=run.pk, made_current_at__isnull=True)
    last = found.aggregate(last=Max("checkpoints__number"))["last"]
    if last != number or digest_parameters(pool) != run.parameter_digest:
        raise Overtaken(f"{run} is not at checkpoint {number} any more")
    return pool


def write_chunks(run: Run, stored: RunState, chunks: Iterator[Chunk]) -> Iterator[Chunk]:
    """Store chunks with their checkpoints; yield each when its turn has come.

    On PostgreSQL a thread with a connection of its own stores a chunk while the next one is read
    and rated; a second one would not help, because storing takes about as long as all else. SQLite
    has one writer, and the connection of an open transaction sees only its own rows. Raises
    Overtaken, and what prevents a chunk from being stored: the run then ends at the checkpoint
    before it.
    """
    number = stored.number
    if connection.vendor != "postgresql" or connection.in_atomic_block:
        for chunk in chunks:
            number += 1
            with transaction.atomic():
                check_run(run, number - 1)
                insert_changes(run, chunk.changes)
                save_checkpoint(run, number, chunk, rated_states(stored.state, chunk))
            yield chunk
        return
    with _connected_thread() as thread:
        written: Future[None] | None = None
        for chunk in chunks:
            number += 1
            rows, states = encode_changes(run, chunk.changes), rated_states(stored.state, chunk)
            if written is not None:
                written.result()
            written = thread.submit(_write_chunk, run, number, chunk, rows, states)
            yield chunk
        if written is not None:
            written.result()


@contextmanager
def _connected_thread() -> Iterator[ThreadPoolExecutor]:
    """Start a thread; at the end, wait for what it does and close its connection."""
    with ThreadPoolExecutor(max_workers=1) as thread:
        try:
            yield thread
        finally:
            thread.submit(_close_connection)


def _write_chunk(run: Run, number: int, chunk: Chunk, rows: bytes, states: list[Any]) -> None:
    """Store a chunk on PostgreSQL without waiting for the disk.

    If the server fails, it may lose the last chunks, each with its checkpoint, and the run
    continues from the one before. The transaction that makes the run current waits for the disk,
    which has all earlier ones then.
    """
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL synchronous_commit TO OFF")
        copy_changes(rows)
        check_run(run, number - 1)
        save_checkpoint(run, number, chunk, states)


def _close_connection() -> None:
    connection.close()  # that of the thread which calls this
