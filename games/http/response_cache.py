"""Responses of this process that are sent again while what they were made of has not changed.

A response is stored with the *state* that it was made of, such as the last lines of journals, and
found again only for the same state. So nothing has to be deleted when something changes: the next
response to the same address replaces the former one.
"""

import time
from collections import OrderedDict
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock
from typing import Final

LONGEST_AGE: Final = 600.0
"""Seconds after which a response is computed again, even if nothing has changed."""

LONGEST_WAIT: Final = 10.0
"""Seconds that a request waits for another one that computes the same response."""

OVERHEAD: Final = 2_000
"""Bytes that a stored response takes besides its content, about."""


@dataclass(frozen=True, slots=True)
class StoredContent:
    """The content and the headers of a response (200), and the state that it was made of."""

    state: Hashable
    content: bytes
    headers: tuple[tuple[str, str], ...]
    tag: str
    ends_at: float

    @property
    def size(self) -> int:
        """Return the bytes that it takes."""
        return len(self.content) + OVERHEAD


@dataclass(slots=True)
class _Computation:
    """The requests for one key that nobody has stored; the one with the lock computes it."""

    lock: Lock = field(default_factory=Lock)
    requests: int = 0


class ResponseCache:
    """Stored responses by key, at most `capacity` bytes of them; threads may share it.

    The one that was not used for the longest time is dropped first.
    """

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.size = 0
        self._lock = Lock()
        self._stored: OrderedDict[Hashable, StoredContent] = OrderedDict()
        self._computations: dict[Hashable, _Computation] = {}

    def find(self, key: Hashable, state: Hashable) -> StoredContent | None:
        """Return what is stored for this key and state, None if there is none or it is too old."""
        with self._lock:
            found = self._stored.get(key)
            if found is None or found.state != state or found.ends_at <= time.monotonic():
                return None
            self._stored.move_to_end(key)
            return found

    def store(
        self,
        key: Hashable,
        state: Hashable,
        content: bytes,
        *,
        headers: tuple[tuple[str, str], ...],
        tag: str,
    ) -> None:
        """Store a response in place of the former one, unless it takes an eighth of the cache."""
        ends_at = time.monotonic() + LONGEST_AGE
        stored = StoredContent(state, content, headers, tag, ends_at)
        with self._lock:
            if former := self._stored.pop(key, None):
                self.size -= former.size
            if stored.size > self.capacity // 8:
                return
            self._stored[key] = stored
            self.size += stored.size
            while self.size > self.capacity:
                _, dropped = self._stored.popitem(last=False)
                self.size -= dropped.size

    @contextmanager
    def computing(self, key: Hashable) -> Iterator[None]:
        """Wait until no other thread computes the response of this key, for `LONGEST_WAIT`."""
        with self._lock:
            computation = self._computations.setdefault(key, _Computation())
            computation.requests += 1
        is_first = computation.lock.acquire(timeout=LONGEST_WAIT)
        try:
            yield
        finally:
            if is_first:
                computation.lock.release()
            with self._lock:
                computation.requests -= 1
                if not computation.requests:
                    del self._computations[key]

    def clear(self) -> None:
        """Drop everything."""
        with self._lock:
            self._stored.clear()
            self.size = 0
