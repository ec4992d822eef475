"""The tick: a task that proves that scheduler, broker and worker work together."""

from datetime import UTC, datetime
from typing import Final

from celery import shared_task

from games.broker import connect

TICK: Final = "perihelion:tick"
"""The key in the broker under which the time of the last tick is stored."""


@shared_task(name="deploy.tasks.tick")
def tick() -> None:
    """Store the present time in the broker."""
    connect().set(TICK, datetime.now(UTC).isoformat())
