"""Django's PostgreSQL, whose threads do not all wait for a server that is away.

Each request takes a connection from the pool, which tries to connect until its time is over: in an
outage all threads of a web server would wait, and all requests behind them. Once one thread has
failed, the others fail at once, and one at a time tries again, a second after the last failure.
"""

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from threading import Lock
from time import monotonic
from typing import Any, Final

from django.conf import settings
from django.db.backends.postgresql import base
from psycopg import OperationalError
from psycopg_pool import ConnectionPool, PoolTimeout

PAUSE: Final = 1.0
"""Seconds from a failure until the next thread tries."""


class Outage:
    """What the threads of a process know about the server."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._retry_at = 0.0
        """When a thread may try; 0 while the server responds."""

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """Let a thread connect; raise OperationalError if it would wait in vain."""
        with self._lock:
            if monotonic() < self._retry_at:
                raise OperationalError("the database server did not respond a moment ago")
            if self._retry_at:
                self._retry_at = math.inf  # the others do not wait for this thread
        try:
            yield
        except BaseException:
            self._retry_at = monotonic() + PAUSE
            raise
        self._retry_at = 0.0


OUTAGE: Final = Outage()


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection of a thread."""

    def get_new_connection(self, conn_params: Mapping[str, Any]) -> Any:
        """Return a connection of the pool; without a pool (`manage.py`), connect."""
        if self.pool is None:
            return super().get_new_connection(conn_params)
        with OUTAGE.attempt():
            return self._take_connection(self.pool, conn_params)

    def _take_connection(self, pool: "ConnectionPool[Any]", conn_params: Mapping[str, Any]) -> Any:
        """Wait for a connection until the server has refused one, or the time is over."""
        end, refused = monotonic() + settings.DATABASE_WAIT, count_refusals(pool)
        while True:
            try:
                return super().get_new_connection(conn_params)
            except PoolTimeout:
                if monotonic() >= end or count_refusals(pool) > refused:
                    raise


def count_refusals(pool: "ConnectionPool[Any]") -> int:
    """Return how many attempts of the pool to connect have failed."""
    return pool.get_stats().get("connections_errors", 0)
