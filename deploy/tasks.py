"""The tick: a task that proves that scheduler, broker and worker work together."""

from datetime import UTC, datetime

from celery import shared_task

from deploy.broker import TICK
from games.broker import connect


@shared_task(name="deploy.tasks.tick")
def tick() -> None:
    """Store the present time in the broker."""
    connect().set(TICK, datetime.now(UTC).isoformat())
