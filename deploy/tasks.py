"""The tick: a task for each queue that proves that scheduler, broker and workers work together."""

from datetime import UTC, datetime
from typing import Any, Final

from celery import shared_task
from celery.signals import after_task_publish

from games.core.broker import connect

TICK: Final = "perihelion:ticks"
"""The key in the broker under which the time of the last tick of each queue is stored."""

BEAT: Final = "perihelion:beat"
"""The key under which the time is stored at which the scheduler has sent the last one."""


BEAT_CLOCK: Final = "perihelion:beat-clock"
"""The key with the seconds by which the clock of the scheduler was ahead of the broker's then."""


@shared_task(name="deploy.tasks.tick")
def tick(queue: str = "results") -> None:
    """Store the time of the broker's clock, which all machines share, in the broker."""
    connect().hset(TICK, queue, broker_time().isoformat())


@after_task_publish.connect(sender=tick.name)
def note_beat(**_: Any) -> None:
    """Store when a tick was sent, which is what the scheduler does."""
    at = broker_time()
    ahead = (datetime.now(UTC) - at).total_seconds()
    connect().mset({BEAT: at.isoformat(), BEAT_CLOCK: ahead})


def beat_clock() -> float:
    """Return by how many seconds the scheduler's clock is ahead; raises RedisError."""
    return float(connect().get(BEAT_CLOCK) or 0)


def tick_ages() -> dict[str, float]:
    """Return the seconds since the last tick of each queue that had one; raises RedisError."""
    stored: Any = connect().hgetall(TICK)
    return {queue.decode(): _age(value) for queue, value in stored.items()}


def beat_age() -> float | None:
    """Return the seconds since the scheduler has sent a tick, None if never; raises RedisError."""
    value = connect().get(BEAT)
    return _age(value) if isinstance(value, bytes) else None


def _age(value: bytes) -> float:
    return (broker_time() - datetime.fromisoformat(value.decode())).total_seconds()


def broker_time() -> datetime:
    """Return the time of the broker's clock."""
    seconds, microseconds = connect().time()
    return datetime.fromtimestamp(seconds + microseconds / 1e6, UTC)
