"""Values of this process that are used again while what they were made of has not changed.

A value is stored with the *state* that it was made of, such as the last lines of journals, and
found again only for the same state. So nothing has to be deleted when something changes: the next
value of the same key replaces the former one.
"""

import time
from collections import OrderedDict
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import inf
from threading import Condition, Lock
from typing import Final, Generic, TypeVar

LONGEST_AGE: Final = 600.0
"""Seconds after which a value is computed again, even if nothing has changed."""

LONGEST_WAIT: Final = 10.0
"""Seconds that a request waits for another one that computes the same value."""

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class _Stored(Generic[Value]):
    state: Hashable
    value: Value
    size: int
    ends_at: float


@dataclass(slots=True)
class Computation(Generic[Value]):
    """The requests for one key that nobody has stored; one of them computes it.

    If the state changes while a value is computed, it belongs to no state and is not stored. The
    requests that were waiting already when its computation began may use it all the same: for them
    it is as new as what they would compute now.
    """

    changed: Condition = field(default_factory=Condition)
    is_running: bool = False
    requests: int = 0
    began_at: float = 0.0
    shared: Value | None = None

    def share(self, value: Value, *, began_at: float) -> None:
        """Let the requests that wait have a value; its computation began at a monotonic time."""
        with self.changed:
            self.began_at, self.shared = began_at, value
            self.changed.notify_all()

    def shared_since(self, arrived_at: float) -> Value | None:
        """Return the value whose computation began after the request arrived, None without one."""
        return self.shared if self.began_at >= arrived_at else None

    def begin(self, arrived_at: float) -> bool:
        """Wait until nobody computes, or a value is shared; return True if this request computes.

        All that wait for a shared value go on at once: if they took turns, the one that has just
        computed could take the next turn again and again.
        """
        with self.changed:
            self.changed.wait_for(
                lambda: not self.is_running or self.shared_since(arrived_at) is not None,
                timeout=LONGEST_WAIT,
            )
            if self.is_running or self.shared_since(arrived_at) is not None:
                return False
            self.is_running = True
            return True

    def end(self) -> None:
        """Let another request compute."""
        with self.changed:
            self.is_running = False
            self.changed.notify_all()


class StateCache(Generic[Value]):
    """Stored values by key, which together have at most the size `capacity`; threads may share it.

    The value that was not used for the longest time is dropped first.
    """

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.size = 0
        self._lock = Lock()
        self._stored: OrderedDict[Hashable, _Stored[Value]] = OrderedDict()
        self._computations: dict[Hashable, Computation[Value]] = {}

    def __len__(self) -> int:
        return len(self._stored)

    def find(self, key: Hashable, state: Hashable) -> Value | None:
        """Return what is stored for this key and state, None if there is none or it is too old."""
        with self._lock:
            found = self._stored.get(key)
            if found is None or found.state != state or found.ends_at <= time.monotonic():
                return None
            self._stored.move_to_end(key)
            return found.value

    def store(self, key: Hashable, state: Hashable, value: Value, *, size: int) -> None:
        """Store a value in place of the former one; only drop that if this takes too much room.

        Too much is more than a quarter of the capacity.
        """
        stored = _Stored(state, value, size, time.monotonic() + LONGEST_AGE)
        with self._lock:
            if former := self._stored.pop(key, None):
                self.size -= former.size
            if size > self.capacity // 4:
                return
            self._stored[key] = stored
            self.size += size
            while self.size > self.capacity:
                _, dropped = self._stored.popitem(last=False)
                self.size -= dropped.size

    @contextmanager
    def computing(self, key: Hashable, *, arrived_at: float = inf) -> Iterator[Computation[Value]]:
        """Wait until no other thread computes the value of this key, for `LONGEST_WAIT`.

        A request that arrived at a monotonic time also takes a value that is shared since.
        """
        with self._lock:
            computation = self._computations.setdefault(key, Computation())
            computation.requests += 1
        is_first = computation.begin(arrived_at)
        try:
            yield computation
        finally:
            if is_first:
                computation.end()
            with self._lock:
                computation.requests -= 1
                if not computation.requests:
                    del self._computations[key]

    def clear(self) -> None:
        """Drop everything."""
        with self._lock:
            self._stored.clear()
            self.size = 0
