"""Store the chunks of a run, each with a checkpoint, while the next ones are rated."""

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from django.db import connection, transaction
from django.db.models import Max

from ratings.models import Pool, Run
from ratings.queries.batch_order import digest_parameters
from ratings.services.checkpoints import RunState, rated_states, save_checkpoint
from ratings.services.run_chunks import Chunk
from ratings.services.run_rows import insert_changes


class Overtaken(Exception):
    """Another call has continued or finished the run, or its parameters are those of before."""


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

    On PostgreSQL a thread with a connection of its own stores a chunk while the next one is rated.
    SQLite has one writer, and the connection of an open transaction sees only its own rows.
    Raises Overtaken.
    """
    number = stored.number
    if connection.vendor != "postgresql" or connection.in_atomic_block:
        for chunk in chunks:
            number += 1
            _write_chunk(run, number, chunk, rated_states(stored.state, chunk))
            yield chunk
        return
    written: Future[None] | None = None
    with ThreadPoolExecutor(max_workers=1) as thread:
        try:
            for chunk in chunks:
                number += 1
                states = rated_states(stored.state, chunk)
                if written is not None:
                    written.result()
                written = thread.submit(_write_chunk, run, number, chunk, states)
                yield chunk
            if written is not None:
                written.result()
        finally:
            thread.submit(_close_connection)


def _write_chunk(run: Run, number: int, chunk: Chunk, states: list[Any]) -> None:
    with transaction.atomic():
        check_run(run, number - 1)
        insert_changes(run, chunk.changes)
        save_checkpoint(run, number, chunk, states)


def _close_connection() -> None:
    connection.close()  # that of the thread which calls this
