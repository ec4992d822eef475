"""A channel: the latest events of a stream, as they are sent, and who listens to it."""

import asyncio
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

LARGEST_MESSAGE: Final = 1 << 20
"""Bytes of the events in memory; older ones are read from the journal again."""


@dataclass(slots=True, eq=False)
class Listener:
    """A client of a channel: `after` is the last line that it has been sent or has no part in.

    `environ` is the environment of its request, with which its rights are checked again.
    """

    environ: dict[str, Any]
    after: int
    is_refused: bool = False

    @property
    def credentials(self) -> tuple[str, str]:
        """What the client authenticates with; both are empty for a stranger."""
        return self.environ.get("HTTP_AUTHORIZATION", ""), self.environ.get("HTTP_COOKIE", "")


class Channel:
    """All public lines with `floor` < sequence <= `head`; `news` is done when there are more.

    `loading` is held while older lines are read, so that many listeners who come back at once, with
    the same number, read them once.
    """

    def __init__(self, stream: str, head: int) -> None:
        self.stream = stream
        self.head = self.floor = head
        self.listeners: set[Listener] = set()
        self.loading = asyncio.Lock()
        self.news: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._sequences: list[int] = []
        self._events: list[bytes] = []
        self._size = 0

    def events_after(self, sequence: int) -> bytes | None:
        """Return the events after a line, None if the first of them are not in memory."""
        if sequence < self.floor:
            return None
        return b"".join(self._events[bisect_right(self._sequences, sequence) :])

    def add(self, events: Sequence[tuple[int, bytes]], head: int) -> None:
        """Add the events up to a line, and wake the listeners."""
        self._sequences += [sequence for sequence, _ in events]
        self._events += [event for _, event in events]
        self._size += size_of(events)
        self.head = head
        self._forget_oldest()
        self.wake()

    def add_older(self, events: Sequence[tuple[int, bytes]], floor: int) -> None:
        """Add all events after a line before the others, unless there is no room for them."""
        size = size_of(events)
        if self._size + size > LARGEST_MESSAGE:
            return
        self._sequences[:0] = [sequence for sequence, _ in events]
        self._events[:0] = [event for _, event in events]
        self._size += size
        self.floor = floor

    def wake(self) -> None:
        """Let the listeners look for what has changed."""
        news, self.news = self.news, asyncio.get_running_loop().create_future()
        news.set_result(None)

    def _forget_oldest(self) -> None:
        count = 0
        while self._size > LARGEST_MESSAGE and count < len(self._events) - 1:
            self._size -= len(self._events[count])
            count += 1
        if count:
            self.floor = self._sequences[count - 1]
            del self._sequences[:count], self._events[:count]


def size_of(events: Sequence[tuple[int, bytes]]) -> int:
    """Return the bytes of some events."""
    return sum(len(event) for _, event in events)
