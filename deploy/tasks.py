"""The tick: a task that proves that scheduler, broker and worker work together."""

from datetime import UTC, datetime
from typing import Final

from celery import shared_task

from games.core.broker import connect

TICK: Final = "perihelion:tick"
"""The key in the broker under which the time of the last tick is stored."""


@shared_task(name="deploy.tasks.tick")
def tick() -> None:
    """Store the time of the broker's clock, which all machines share, in the broker."""
    connect().set(TICK, broker_time().isoformat())


def tick_age() -> float | None:
    """Return the seconds since the last tick, None without one; raises RedisError."""
    value = connect().get(TICK)
    if not isinstance(value, bytes):
        return None
    return (broker_time() - datetime.fromisoformat(value.decode())).total_seconds()


def broker_time() -> datetime:
    """Return the time of the broker's clock."""
    seconds, microseconds = connect().time()
    return datetime.fromtimestamp(seconds + microseconds / 1e6, UTC)
