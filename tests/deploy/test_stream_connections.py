"""The listeners of the stream process: order, limits, slow clients, the end; without a database."""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import accumulate
from random import Random
from typing import Any

import pytest
import uvloop
from hypothesis import given
from hypothesis import strategies as st
from uvicorn.server import ServerState

from deploy.server.connections import Connections
from deploy.server.limits import Limits
from deploy.server.serve import build_config, sweep
from deploy.stream.application import StreamApplication
from deploy.stream.channel import LARGEST_MESSAGE, Channel, Listener
from deploy.stream.places import Places, TooManyListeners
from deploy.stream.reading import Reader
from deploy.stream.serve import adopt_connection
from deploy.stream.watcher import Watcher
from tournament.views.events import SUBSCRIBE, Subscription

REQUEST = b"GET /api/v1/tournaments/spring/events HTTP/1.1\r\nHost: x\r\n\r\n"
STREAM = "tournament/spring"


def open_stream(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
    """Subscribe to a journal without lines, as the view does; refuse if there is no place."""
    try:
        environ[SUBSCRIBE](Subscription(STREAM, 0, 0, environ["REMOTE_ADDR"], None))
    except TooManyListeners as error:
        start_response(f"{error.status} Too Many", [])
        return [error.code.encode()]
    start_response("200 OK", [("Content-Type", "text/event-stream"), ("Content-Length", "0")])
    return []


@dataclass(slots=True)
class Stream:
    """A stream process in this one, and its clients."""

    watcher: Watcher
    adopt: Callable[[socket.socket], Awaitable[None]]
    stack: ExitStack
    clients: list[socket.socket] = field(default_factory=list)

    async def connect(self, *, buffer: int = 0) -> socket.socket:
        """Connect a client; `buffer` limits what the system stores for it, in bytes."""
        with socket.create_server(("127.0.0.1", 0)) as server:
            client = self.stack.enter_context(socket.socket())
            if buffer:
                client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
            client.connect(server.getsockname())
            accepted, _ = server.accept()
        if buffer:
            accepted.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, buffer)
        for one in (client, accepted):
            one.setblocking(False)
        await self.adopt(accepted)
        return client

    @property
    def channel(self) -> Channel:
        return self.watcher._channels[STREAM]


async def read_until(client: socket.socket, text: bytes) -> bytes:
    """Read until a text has come, or the end."""
    loop, received = asyncio.get_running_loop(), b""
    async with asyncio.timeout(20):
        while text not in received and (part := await loop.sock_recv(client, 1 << 16)):
            received += part
    return received


@contextmanager
def streaming(limits: Limits, per_address: int) -> Iterator[Stream]:
    """Serve listeners of `open_stream`; call it in an event loop."""
    reader, connections = Reader(1), Connections(limits)
    watcher = Watcher(reader)
    application = StreamApplication(open_stream, watcher, reader, Places(per_address), Random(1))
    config, state = build_config(application, connections), ServerState()
    config.load()
    sweeps = asyncio.create_task(sweep(connections))
    with ExitStack() as stack:
        yield Stream(watcher, lambda one: adopt_connection(config, state, one, REQUEST), stack)
    sweeps.cancel()
    reader.threads.shutdown()


def run(scenario: Callable[[Stream], Awaitable[None]], *, per_address: int = 9) -> None:
    """Run a scenario with limits of a fraction of a second."""

    async def serve() -> None:
        with streaming(Limits(grace=0.3, sweep=0.05), per_address) as stream:
            await scenario(stream)

    uvloop.run(serve())


def test_listeners_get_the_events_in_order_and_the_end() -> None:
    async def scenario(stream: Stream) -> None:
        clients = [await stream.connect() for _ in range(3)]
        for client in clients:
            assert b"retry: " in await read_until(client, b"id: 0\n\n")
        stream.channel.add([(1, b"id: 1\n\n"), (3, b"id: 3\n\n")], 3)
        stream.channel.add([(4, b"last\n\n")], 4)
        texts = [await read_until(client, b"last") for client in clients]
        assert [text.index(b"id: 1") < text.index(b"id: 3") for text in texts] == [True] * 3
        stream.watcher.stop()
        for client in clients:
            assert (await read_until(client, b"nothing")).endswith(b"0\r\n\r\n")

    run(scenario)


def test_a_refused_listener_gets_nothing_but_the_reason() -> None:
    async def scenario(stream: Stream) -> None:
        client = await stream.connect()
        await read_until(client, b"id: 0\n\n")
        (listener,) = stream.channel.listeners
        listener.is_refused = True
        stream.channel.add([(1, b"secret\n\n")], 1)
        received = await read_until(client, b"nothing")
        assert b'event: closed\ndata: {"reason":"not_visible"}\n\n' in received
        assert b"secret" not in received

    run(scenario)


def test_a_client_that_does_not_read_is_dropped_and_delays_nobody() -> None:
    async def scenario(stream: Stream) -> None:
        slow, fast = await stream.connect(buffer=4096), await stream.connect()
        await read_until(fast, b"id: 0\n\n")
        for number in range(1, 21):
            stream.channel.add([(number, b"x" * 50_000 + b"\n\n")], number)
        stream.channel.add([(21, b"last\n\n")], 21)
        assert b"last" in await read_until(fast, b"last")
        async with asyncio.timeout(10):
            while len(stream.channel.listeners) > 1:
                await asyncio.sleep(0.05)
        with pytest.raises(ConnectionResetError):
            await read_until(slow, b"last")

    run(scenario)


def test_an_address_has_so_many_listeners_at_most() -> None:
    async def scenario(stream: Stream) -> None:
        first, second = await stream.connect(), await stream.connect()
        for client in (first, second):
            await read_until(client, b"id: 0\n\n")
        refused = await read_until(await stream.connect(), b"too_many_listeners")
        assert refused.startswith(b"HTTP/1.1 429 ")

        first.close()
        async with asyncio.timeout(10):
            while len(stream.channel.listeners) > 1:
                await asyncio.sleep(0.01)
        assert b"id: 0" in await read_until(await stream.connect(), b"id: 0\n\n")

    run(scenario, per_address=2)


def test_a_channel_forgets_its_oldest_events() -> None:
    async def scenario() -> None:
        channel = Channel(STREAM, 10)
        channel.listeners.add(Listener({}, 10))
        size = LARGEST_MESSAGE // 4
        for number in range(11, 17):
            channel.add([(number, b"%d" % number + b"x" * size)], number)
        assert channel.events_after(16) == b""
        events = channel.events_after(channel.floor)
        assert events is not None
        assert len(events) <= LARGEST_MESSAGE
        assert events.endswith(b"16" + b"x" * size)
        assert channel.events_after(channel.floor - 1) is None

    asyncio.run(scenario())


@given(
    st.lists(st.integers(1, 5), min_size=1, max_size=30),
    st.integers(0, 30),
    st.integers(0, 150),
)
def test_a_channel_has_every_event_after_its_floor(steps: list[int], split: int, at: int) -> None:
    """Some lines are in the journal at first and are read later; the others are added."""
    numbers = list(accumulate(steps))
    older, newer = numbers[:split], numbers[split:]
    floor = older[-1] if older else 0

    async def scenario() -> None:
        channel = Channel(STREAM, floor)
        for number in newer:
            channel.add([(number, b"%d " % number)], number)
        if older:
            assert channel.events_after(floor - 1) is None
        channel.add_older([(number, b"%d " % number) for number in older], 0)
        found = channel.events_after(at)
        assert found is not None
        assert found.decode().split() == [str(number) for number in numbers if number > at]

    asyncio.run(scenario())
