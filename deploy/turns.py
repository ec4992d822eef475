"""Turns: which request gets the next thread of the web server.

A client has at most a quarter of the threads and a queue of its own. Next is who holds the fewest
threads, and of those with as many, who waits longest. So who sends many requests waits for their
own, and everybody else for the next thread that is free, however many others send many.

Of the reads of one address, whatever their queries, one runs at a time: the response of the first
is stored, and the others neither compute it again nor hold threads while they wait for it.

A read whose client has gone leaves its queue; a write never does, because who reports a result and
closes the page has reported it. The server does not learn that a client has gone who has sent
further requests on the same connection.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Final

from deploy.streams import Receive, wait_for_end

MOST_WAITING: Final = 128
"""Requests of a client that may arrive or wait for a thread; a further one is refused."""

Queue = dict[asyncio.Future[None], str]
"""The turns of a client, with the address of each read."""


class QueueFull(Exception):
    """As many requests of a client wait as may."""


class Turns:
    """The threads of the web server, and the clients who wait for them."""

    def __init__(self, threads: int) -> None:
        self._free = threads
        self._share = max(threads // 4, 1)
        self._unfinished: Counter[str] = Counter()
        self._running: Counter[str] = Counter()
        self._queues: dict[str, Queue] = {}  # the first one is the next that is served
        self._read: set[str] = set()

    @contextmanager
    def place(self, client: str) -> Iterator[None]:
        """Count a request from its first line to its response; raises QueueFull."""
        if self._unfinished[client] >= MOST_WAITING + self._share:
            raise QueueFull
        self._unfinished[client] += 1
        try:
            yield
        finally:
            subtract(self._unfinished, client)

    @asynccontextmanager
    async def thread(
        self, client: str, receive: Receive | None, address: str = ""
    ) -> AsyncIterator[None]:
        """Wait for the turn of a request, and hold a thread; `address` is that of a read.

        Raises ConnectionAbortedError if the client goes before; without `receive`, nobody looks.
        """
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queues.setdefault(client, {})[turn] = address
        self._serve()
        try:
            if not turn.done():
                await first_of(turn, receive)
            if not turn.done():
                raise ConnectionAbortedError
            yield
        finally:
            if turn.done():
                self._free += 1
                subtract(self._running, client)
                self._read.discard(address)
                self._serve()
            else:
                del self._queues[client][turn]
                if not self._queues[client]:
                    del self._queues[client]

    def _serve(self) -> None:
        """Give the free threads to those who may have one, in turn."""
        while self._free and (found := self._next()):
            client, turn = found
            queue = self._queues.pop(client)
            address = queue.pop(turn)
            if queue:
                self._queues[client] = queue  # behind the others
            if address:
                self._read.add(address)
            self._free -= 1
            self._running[client] += 1
            turn.set_result(None)

    def _next(self) -> tuple[str, asyncio.Future[None]] | None:
        """Return the client who is next, with their first turn that may be now."""
        waiting = [each for each in self._queues if self._running[each] < self._share]
        for client in sorted(waiting, key=self._running.__getitem__):
            for turn, address in self._queues[client].items():
                if address not in self._read:
                    return client, turn
        return None


async def first_of(turn: asyncio.Future[None], receive: Receive | None) -> None:
    """Wait for a turn, or until the client closes the connection."""
    end = asyncio.create_task(wait_for_end(receive)) if receive else None
    try:
        await asyncio.wait([each for each in (turn, end) if each], return_when="FIRST_COMPLETED")
    finally:
        if end:
            end.cancel()


def subtract(counter: Counter[str], key: str) -> None:
    """Subtract one, and forget a client who has nothing left."""
    counter[key] -= 1
    if not counter[key]:
        del counter[key]
