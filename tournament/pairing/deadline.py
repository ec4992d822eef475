"""The time after which a pairing is given up, because pure computing cannot be interrupted.

The searches ask `check_time` between their steps, each of which is short. Without `end_after`,
there is no limit: a command takes as long as it needs.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from games.rules.text import Text
from tournament.pairing.errors import PairingError

_end: ContextVar[tuple[float, float] | None] = ContextVar("_end", default=None)
"""The monotonic time of the end, and the seconds that there were."""


class OutOfTime(PairingError):
    """A pairing was given up after its time."""


@contextmanager
def end_after(seconds: float) -> Iterator[None]:
    """Give up what is paired here after so many seconds; raises OutOfTime."""
    token = _end.set((time.monotonic() + seconds, seconds))
    try:
        yield
    finally:
        _end.reset(token)


def check_time() -> None:
    """Raise OutOfTime if the time is over."""
    found = _end.get()
    if found is not None and time.monotonic() > found[0]:
        raise OutOfTime(Text("no pairing was found in %(seconds)s seconds", seconds=found[1]))
