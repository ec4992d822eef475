"""The lock of the runs of a pool, so that a message that is delivered twice does nothing.

PostgreSQL releases an advisory lock with its connection, and the system that of a file with the
process that holds it. SQLite has no lock besides that of its one writer, which a run must not hold
while it computes.
"""

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from django.db import connection

RUNS: Final = 7
"""The first key of the advisory locks of runs; the second is the id of the pool."""


@contextmanager
def lock_runs(pool_id: int) -> Iterator[bool]:
    """Hold the lock of the runs of a pool; yield False if another call holds it."""
    if connection.vendor == "postgresql":
        with _advisory_lock(pool_id) as is_held:
            yield is_held
        return
    with _path(pool_id).open("w") as file:  # closing it releases the lock
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True


@contextmanager
def _advisory_lock(pool_id: int) -> Iterator[bool]:
    keys = [RUNS, pool_id]
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", keys)
        (is_held,) = cursor.fetchone()
    try:
        yield is_held
    finally:
        if is_held:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s, %s)", keys)


def _path(pool_id: int) -> Path:
    """Return the file beside that of the database; one in memory belongs to this process."""
    database = Path(connection.settings_dict["NAME"])
    if database.is_file():
        return database.with_name(f"{database.name}-runs-{pool_id}")
    return Path(tempfile.gettempdir(), f"perihelion-{os.getpid()}-runs-{pool_id}")
