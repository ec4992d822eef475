"""The tick of the worker, as the broker keeps it."""

from datetime import UTC, datetime
from typing import Final

from games.broker import connect

TICK: Final = "perihelion:tick"
"""The key under which the worker notes the time of its last tick."""


def last_tick() -> datetime | None:
    """When a worker last carried out a tick; None if never. Raises redis.RedisError."""
    written = connect().get(TICK)
    return datetime.fromisoformat(written.decode()) if isinstance(written, bytes) else None


def tick_age() -> float | None:
    """Seconds since the last tick; None if there was none. Raises redis.RedisError."""
    at = last_tick()
    return None if at is None else (datetime.now(UTC) - at).total_seconds()
