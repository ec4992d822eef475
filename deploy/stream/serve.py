"""Receive the connections that the web server hands over, and serve them until SIGTERM."""

import asyncio
import logging
import os
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from threading import Thread
from typing import Final, cast

from django.conf import settings
from uvicorn import Config
from uvicorn.server import ServerState

from deploy.server.connection import Connection
from deploy.server.connections import Connections
from deploy.server.handover import LARGEST_HEAD
from deploy.server.limits import Limits
from deploy.server.responses import Application
from deploy.server.serve import BACKLOG, STOP_SECONDS, build_config, sweep
from deploy.stream.application import StreamApplication
from deploy.stream.places import Places
from deploy.stream.reading import Reader
from deploy.stream.watcher import Watcher

log = logging.getLogger("perihelion.stream")

STREAM_THREADS: Final = 4
"""Threads that open streams and read the journal."""

HEAD_SECONDS: Final = 1.0
"""How long the head of a request may take from the web server, which has it complete."""

Adopt = Callable[[socket.socket, bytes], None]


async def serve(application: Application, limits: Limits, *, listeners_per_address: int) -> None:
    """Serve until SIGTERM or SIGINT; then end all streams, so that clients connect again."""
    loop, stopped = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopped.set)
    # The watcher has a thread of its own, so that many openings at once do not delay the others.
    reader, watcher = Reader(STREAM_THREADS), Watcher(Reader(1))
    connections = Connections(limits)
    places = Places(listeners_per_address)
    stream = StreamApplication(application, watcher, reader, places, Random())
    config, state = build_config(stream, connections), ServerState()
    config.load()
    path: Path = settings.STREAM_SOCKET
    listener = listen_at(path)
    adopting: set[asyncio.Task[None]] = set()

    def adopt(connection: socket.socket, head: bytes) -> None:
        task = loop.create_task(adopt_connection(config, state, connection, head))
        adopting.add(task)
        task.add_done_callback(adopting.discard)

    def adopt_soon(connection: socket.socket, head: bytes) -> None:
        loop.call_soon_threadsafe(adopt, connection, head)

    Thread(target=receive_connections, args=(listener, adopt_soon), daemon=True).start()
    background = [
        asyncio.create_task(work)
        for work in (watcher.watch(), watcher.receive_hints(settings.REDIS_URL), sweep(connections))
    ]
    await stopped.wait()
    with suppress(OSError):
        path.unlink()
    watcher.stop()
    if state.tasks:
        await asyncio.wait(set(state.tasks), timeout=STOP_SECONDS)
    for task in background:
        task.cancel()


def listen_at(path: Path) -> socket.socket:
    """Return a socket that only processes of this user can connect to."""
    path.unlink(missing_ok=True)  # of a process that was killed
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    mask = os.umask(0o177)
    try:
        listener.bind(str(path))
    finally:
        os.umask(mask)
    listener.listen(BACKLOG)
    return listener


def receive_connections(listener: socket.socket, adopt: Adopt) -> None:
    """Pass on each client's connection with the head of its request, in a thread, until the end."""
    while True:
        try:
            sender, _ = listener.accept()
            with sender:
                sender.settimeout(HEAD_SECONDS)
                receive_connection(sender, adopt)
        except OSError as error:
            log.warning("a connection could not be received: %s", error)


def receive_connection(sender: socket.socket, adopt: Adopt) -> None:
    """Pass on the connection that one message of the web server contains."""
    head, descriptors, _, _ = socket.recv_fds(sender, LARGEST_HEAD, 1)
    received = [socket.socket(fileno=descriptor) for descriptor in descriptors]
    try:
        while part := sender.recv(LARGEST_HEAD):
            head += part
    except OSError:
        for connection in received:
            connection.close()
        raise
    for connection in received:
        connection.setblocking(False)
        adopt(connection, head)


async def adopt_connection(
    config: Config, state: ServerState, connection: socket.socket, head: bytes
) -> None:
    """Let the event loop serve a connection, whose request has been read already."""
    connect = cast(Callable[..., Connection], config.http_protocol_class)
    protocol = connect(config=config, server_state=state, app_state={})
    loop = asyncio.get_running_loop()
    try:
        await loop.connect_accepted_socket(lambda: protocol, connection)
    except OSError:  # the client has gone
        connection.close()
        return
    protocol.data_received(head)
