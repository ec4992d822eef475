"""The tick: a task that proves that scheduler, broker and worker work together."""

from typing import Final

from celery import shared_task

from deploy.clocks import broker_time
from games.broker import connect

TICK: Final = "perihelion:tick"
"""The key in the broker under which the time of the last tick is stored."""


@shared_task(name="deploy.tasks.tick")
def tick() -> None:
    """Store the time of the broker's clock, which all machines share, in the broker."""
    connect().set(TICK, broker_time().isoformat())
