"""The time of the worker's last tick, stored in the broker."""

from datetime import UTC, datetime
from typing import Final

from games.broker import connect

TICK: Final = "perihelion:tick"
"""The key of the time at which a worker last ran the task `deploy.tasks.tick`."""


def tick_age() -> float | None:
    """Return the seconds since the last tick, None if there was none. Raises RedisError."""
    value = connect().get(TICK)
    if not isinstance(value, bytes):
        return None
    return (datetime.now(UTC) - datetime.fromisoformat(value.decode())).total_seconds()
