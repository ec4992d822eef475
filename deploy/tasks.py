"""The tick: a sign of life that only a working beat, broker and worker together can give."""

from datetime import UTC, datetime

from celery import shared_task

from deploy.broker import TICK
from games.broker import connect


@shared_task(name="deploy.tasks.tick")
def tick() -> None:
    """Note in the broker that a task has just been carried out."""
    connect().set(TICK, datetime.now(UTC).isoformat())
