"""The age of the worker's last tick, which is right after a clock was changed too.

A tick is a time of the broker's clock, so a jump of that clock makes the computed age wrong until
the next tick. Each process therefore also observes with its monotonic clock when the tick changes:
the tick is at least as old as its first observation, and at most as old as the last observation of
the tick before it.
"""

import time
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Self

from deploy.clocks import broker_time
from deploy.tasks import TICK
from games.broker import connect


@dataclass(frozen=True, slots=True)
class TickObservation:
    """A tick, and when this process observed it, in seconds of the monotonic clock.

    `previous` is when it last observed the tick before it.
    """

    tick: datetime
    first: float
    last: float
    previous: float = float("-inf")

    def next(self, tick: datetime, now: float) -> Self:
        """Return the observation after this one."""
        if tick == self.tick:
            return replace(self, last=now)
        return replace(self, tick=tick, first=now, last=now, previous=self.last)

    def age(self, broker_now: datetime) -> float:
        """Return the age of the tick at the last observation, in seconds."""
        computed = (broker_now - self.tick).total_seconds()
        return min(max(computed, self.last - self.first), self.last - self.previous)


_observation: TickObservation | None = None


def tick_age() -> float | None:
    """Return the seconds since the worker's last tick, None without one; raises RedisError."""
    global _observation
    value = connect().get(TICK)
    if not isinstance(value, bytes):
        return None
    tick, now = datetime.fromisoformat(value.decode()), time.monotonic()
    _observation = _observation.next(tick, now) if _observation else TickObservation(tick, now, now)
    return _observation.age(broker_time())
