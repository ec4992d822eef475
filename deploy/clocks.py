"""Clocks: a steady one for intervals, and how far the clocks of the servers differ.

The time of day can jump, for example when it is synchronised. Intervals are measured with the
monotonic clock; times of day are only compared with each other if their clocks agree.
"""

import time
from collections.abc import Callable, Collection, Iterator
from datetime import UTC, datetime, timedelta
from typing import Final

import redis
from django.db import DatabaseError, connection

from games.broker import connect
from games.rules.text import Text

MOST_CLOCK_SECONDS: Final = 5.0
"""Seconds between this machine's clock and the clock of the database or the broker."""

_started_at = datetime.now(UTC)
_started = time.monotonic()


def steady_now() -> datetime:
    """Return the time since this process started, as a time that never jumps."""
    return _started_at + timedelta(seconds=time.monotonic() - _started)


def clock_differences(servers: Collection[str] = ("database", "broker")) -> Iterator[str]:
    """Yield the servers whose clocks differ from this machine's; skip those that do not respond."""
    for name in servers:
        try:
            server_time = SERVER_TIMES[name]()
        except (DatabaseError, redis.RedisError, OSError):
            continue  # reported by the server's own check
        difference = (server_time - datetime.now(UTC)).total_seconds()
        if abs(difference) > MOST_CLOCK_SECONDS:
            yield Text(
                "the %(name)s's clock differs by %(seconds)s s",
                name=name,
                seconds=f"{difference:.0f}",
            )


def broker_time() -> datetime:
    """Return the time of the broker's clock."""
    seconds, microseconds = connect().time()
    return datetime.fromtimestamp(seconds + microseconds / 1e6, UTC)


def _database_time() -> datetime:
    if connection.vendor != "postgresql":
        return datetime.now(UTC)
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        at: datetime = cursor.fetchone()[0]
    return at


SERVER_TIMES: Final[dict[str, Callable[[], datetime]]] = {
    "database": _database_time,
    "broker": broker_time,
}
