"""Event streams: a plain ASGI callable, because an async view of Django holds a thread for each.

The ordinary view opens a stream and checks the rights of its listener again, in two threads. One
watcher reads the heads of the journals that have listeners and the versions of the games that are
being played, twice a second, and puts the new events into a bounded queue of each listener.
"""

import asyncio
import logging
from collections import Counter, deque
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from random import uniform
from typing import Any, Final

from a2wsgi import WSGIMiddleware
from django.db import close_old_connections

from tournament.messages.feed import is_wide, load_heads, settled_number
from tournament.webhooks.stream import (
    HEARTBEAT,
    SUBSCRIBE,
    Subscription,
    find_refused,
    format_boards,
    format_event,
    format_opening,
    is_of_game,
    load_board_events,
    load_boards,
    load_events,
)

log = logging.getLogger("perihelion.streams")

POLL_SECONDS: Final = 0.5
BEAT_SECONDS: Final = 15.0
"""Seconds from a byte to a heartbeat, and between two checks of rights; a new line checks too."""

QUEUED: Final = 100
"""Batches of events that may wait for a listener, who reads more slowly than they are written."""

SENT: Final = 1000
"""Numbers of events that are remembered for a listener."""

CLOSED: Final = (0, format_event({"reason": "not_visible"}, name="closed"))
"""The last event of a listener who may not listen any more."""

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]
Events = list[tuple[int | None, bytes]]
"""Events with their numbers; what is not in a journal has none."""


class Listener:
    """A client of a stream; `news` are the events that it has not been sent."""

    def __init__(self, subscription: Subscription, send: Send) -> None:
        self.subscription = subscription
        self.news: asyncio.Queue[Events] = asyncio.Queue(QUEUED)
        self.beat_at = 0.0
        self.is_of_game = is_of_game(subscription.stream)
        # A live record has one state, which can be that before the last one again; 0 is none.
        known = [0] if self.is_of_game and not subscription.after else []
        self._sent: deque[int] = deque(known, maxlen=1 if self.is_of_game else SENT)
        self._send = send

    def unsent(self, events: Events) -> bytes:
        """Return the bodies of the events that the client has not got: a wide feed repeats some."""
        after = self.subscription.after
        found = []
        for number, body in events:
            if number is None:
                found.append(body)
            elif number not in self._sent and (self.is_of_game or number > after):
                self._sent.append(number)
                found.append(body)
        return b"".join(found)

    async def send(self, body: bytes, *, more: bool = True) -> None:
        """Send events or a heartbeat, or the end."""
        await self._send({"type": "http.response.body", "body": body, "more_body": more})
        self.beat_at = asyncio.get_running_loop().time() + BEAT_SECONDS


class Streams:
    """The ASGI callable; an address may have `per_address` listeners."""

    def __init__(self, wsgi: Any, per_address: int) -> None:
        self._view: Any = WSGIMiddleware(wsgi, workers=2, send_queue_size=0)
        self._threads = ThreadPoolExecutor(2, "stream")
        self._per_address = per_address
        self._places: Counter[str] = Counter()
        self._listeners: dict[str, dict[Listener, asyncio.Task[None]]] = {}
        self._heads: dict[str, int] = {}
        self._boards: dict[str, dict[int, int]] = {}
        self._watching: asyncio.Task[None] | None = None
        self._is_stopping = False

    def end(self) -> None:
        """End all streams, because the server stops; one that begins now ends after its opening."""
        self._is_stopping = True
        for listeners in self._listeners.values():
            for sending in listeners.values():
                sending.cancel()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond to a request for a stream."""
        taken: list[Subscription] = []

        def subscribe(subscription: Subscription) -> bool:  # called in a thread
            if self._places[subscription.caller] < self._per_address:
                taken.append(subscription)
            return bool(taken)

        async def send_response(message: dict[str, Any]) -> None:
            if not taken:
                await send(message)
            elif message["type"] == "http.response.start":
                headers = [pair for pair in message["headers"] if pair[0] != b"content-length"]
                await send({**message, "headers": [*headers, (b"connection", b"close")]})

        await self._view({**scope, SUBSCRIBE: subscribe}, receive, send_response)
        if taken:
            await self._serve(Listener(taken[0], send), receive)

    async def _serve(self, listener: Listener, receive: Receive) -> None:
        """Send events until either side ends, or the server stops."""
        stream, caller = listener.subscription.stream, listener.subscription.caller
        self._places[caller] += 1
        sending = asyncio.create_task(self._send_events(listener))
        gone = asyncio.create_task(wait_for_end(receive))
        self._listeners.setdefault(stream, {})[listener] = sending
        self._heads.setdefault(stream, listener.subscription.head)
        if self._watching is None or self._watching.done():
            self._watching = asyncio.create_task(self._watch())
        try:
            with suppress(asyncio.CancelledError):
                await asyncio.wait((sending, gone), return_when=asyncio.FIRST_COMPLETED)
        finally:
            sending.cancel()
            gone.cancel()
            self._places -= Counter([caller])
            self._listeners[stream].pop(listener)
            if not self._listeners[stream]:
                del self._listeners[stream], self._heads[stream]
                self._boards.pop(stream, None)
        with suppress(TimeoutError):
            async with asyncio.timeout(1):
                await listener.send(b"", more=False)

    async def _send_events(self, listener: Listener) -> None:
        """Send the events after the first line that the client wants, and heartbeats."""
        stream, after = listener.subscription.stream, listener.subscription.after
        floor = self._heads[stream]
        await listener.send(format_opening(after, retry=uniform(1, 3)))  # not all at once
        if self._is_stopping:
            return
        boards = self._boards.get(stream)  # None: the next look sends them
        if boards is not None and listener.subscription.boards:
            await listener.send(format_boards(boards, is_complete=True))
        if listener.is_of_game:
            events, after = await self._read(load_events, stream, after, floor)
            await listener.send(listener.unsent(events) or HEARTBEAT)
        while after < floor:  # what is older than the events in the queue
            events, after = await self._read(load_events, stream, after, floor)
            await listener.send(listener.unsent(events) or HEARTBEAT)
        while True:
            try:
                async with asyncio.timeout_at(listener.beat_at):
                    events = await listener.news.get()
            except TimeoutError:
                await listener.send(HEARTBEAT)
                continue
            if CLOSED in events:
                await listener.send(CLOSED[1])
                return
            if body := listener.unsent(events):
                await listener.send(body)

    async def _watch(self) -> None:
        """Bring the listeners to the heads of their journals, for as long as there are any."""
        loop = asyncio.get_running_loop()
        recheck_at = loop.time() + BEAT_SECONDS
        while self._listeners:
            await asyncio.sleep(POLL_SECONDS)
            is_recheck = loop.time() > recheck_at
            recheck_at = loop.time() + BEAT_SECONDS if is_recheck else recheck_at
            try:
                await self._advance_boards(await self._read(load_boards, [*self._listeners]))
                heads = await self._read(load_heads, [*self._listeners])
            except Exception as error:  # the next look finds what this one has not
                log.error("the journals could not be read: %r", error)
                continue
            for stream in [*self._listeners]:
                try:
                    head = heads.get(stream, self._heads.get(stream, 0))
                    await self._advance(stream, head, is_recheck=is_recheck)
                except Exception as error:  # it delays no other stream
                    log.error("%s could not be read: %r", stream, error)

    async def _advance(self, stream: str, head: int, *, is_recheck: bool) -> None:
        """Send the new events of a stream to those who may still see them."""
        if self._is_behind(stream, head) or is_recheck:
            listeners = {one: one.subscription.environ for one in self._listeners.get(stream, ())}
            for listener in await self._read(find_refused, stream, listeners):
                self._put(listener, [CLOSED])
        if is_recheck and is_wide(stream) and stream in self._heads:
            # A transaction may have committed a line after others with a higher key.
            self._heads[stream] = min(self._heads[stream], await self._read(settled_number))
        while self._is_behind(stream, head):
            events, last = await self._read(load_events, stream, self._heads[stream], head)
            if stream in self._heads:
                self._heads[stream] = last
            for listener in [*self._listeners.get(stream, ())] if events else ():
                self._put(listener, events)

    def _is_behind(self, stream: str, head: int) -> bool:
        """Return True if a stream has events up to this head that were not read yet."""
        known = self._heads.get(stream, head)
        return known != head if is_of_game(stream) else known < head

    async def _advance_boards(self, found: dict[str, dict[int, int]]) -> None:
        """Send which games of an event have begun or ended, and to who wants them the versions."""
        for stream, boards in found.items():
            before = self._boards.get(stream)
            if stream not in self._listeners or boards == before:
                continue
            self._boards[stream] = boards
            messages, versions = [], format_boards(boards, is_complete=True)
            if before is not None:
                messages, versions = await self._read(load_board_events, stream, before, boards)
            for listener in [*self._listeners.get(stream, ())]:
                bodies = [*messages, versions] if listener.subscription.boards else messages
                if bodies:
                    self._put(listener, [(None, body) for body in bodies])

    def _put(self, listener: Listener, events: Events) -> None:
        """Add events to the queue of a listener, or end one that does not read them."""
        try:
            listener.news.put_nowait(events)
        except asyncio.QueueFull:
            # It misses nothing: a client connects again with the id of its last event.
            sending = self._listeners[listener.subscription.stream].get(listener)
            if sending is not None:
                sending.cancel()

    async def _read(self, load: Callable[..., Any], *args: Any) -> Any:
        """Read from the database in a thread."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, read, load, args)


def read(load: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    """Call a function that reads from the database."""
    try:
        return load(*args)
    finally:
        close_old_connections()


async def wait_for_end(receive: Receive) -> None:
    """Wait until the client closes the connection."""
    while (await receive())["type"] != "http.disconnect":
        pass
