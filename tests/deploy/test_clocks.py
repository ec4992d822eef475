"""Clocks that jump: ticks are sent, and their age is right, after a jump of an hour."""

from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest
from celery.beat import Scheduler, Service
from celery.signals import beat_init

from deploy.celery import app
from deploy.ticks import TickObservation

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
HOUR = 3600


def age_after(*looks: tuple[float, float, float]) -> float:
    """Return the age after looks: seconds of the monotonic and the broker's clock, and the tick."""
    observation = None
    for now, _, tick in looks:
        at = NOON + timedelta(seconds=tick)
        observation = observation.next(at, now) if observation else TickObservation(at, now, now)
    return observation.age(NOON + timedelta(seconds=looks[-1][1]))


@pytest.mark.parametrize(
    ("looks", "age"),
    [
        pytest.param([(0, 7, 0)], 7, id="first look: by the broker's clock"),
        pytest.param([(0, 7, 0), (10, 17, 10)], 7, id="no jump"),
        pytest.param([(0, 7, 0), (60, 67, 0)], 67, id="no jump, dead worker"),
        pytest.param([(0, 7, 0), (10, HOUR + 17, 10)], 10, id="jump ahead, living worker"),
        pytest.param([(0, 7, 0), (10, 17 - HOUR, 10)], 0, id="jump back, living worker"),
        pytest.param([(0, 7, 0), (10, 17 - HOUR, 10 - HOUR)], 7, id="jump back, next tick"),
        pytest.param([(0, 7, 0), (60, 67 - HOUR, 0)], 60, id="jump back, dead worker"),
        pytest.param([(0, 7, 0), (HOUR, HOUR + 7, HOUR)], 7, id="observed once an hour"),
        pytest.param([(0, 7, 0), (HOUR, HOUR + 7, 100)], HOUR - 93, id="died between two looks"),
    ],
)
def test_the_age_of_a_tick(looks: list[tuple[float, float, float]], age: float) -> None:
    assert age_after(*looks) == age


def started_scheduler() -> Scheduler:
    service = Service(app, scheduler_cls=app.conf.beat_scheduler)
    beat_init.send(sender=service)
    return service.scheduler


def test_a_scheduler_that_is_killed_soon_after_each_start_sends_every_task() -> None:
    schedule = started_scheduler().schedule

    assert len(schedule) > 3
    assert all(entry.is_due().is_due for entry in schedule.values())


@pytest.mark.usefixtures("broker")
@pytest.mark.parametrize("hours", [-1, 1])
def test_the_scheduler_continues_after_a_jump_of_the_clock(
    hours: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    scheduler = started_scheduler()
    with closing(scheduler.connection):
        while scheduler.tick() == 0:  # until it has sent the tasks that are due
            pass

        now = app.now
        monkeypatch.setattr(app, "now", lambda: now() + timedelta(hours=hours))

        assert 0 < scheduler.tick() <= 10
