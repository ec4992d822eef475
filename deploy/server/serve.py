"""Listen on a port, and serve an application until SIGTERM."""

import asyncio
import logging
import socket
from functools import partial
from pathlib import Path
from typing import Final, cast

from uvicorn import Config, Server
from uvicorn._types import ASGI3Application

from deploy.server.connection import Connection
from deploy.server.connections import Connections
from deploy.server.limits import Limits

log = logging.getLogger("perihelion.server")

BACKLOG: Final = 4096
"""Connections that the system accepts before the server does."""

STOP_SECONDS: Final = 2
"""How long a stop waits for the running requests."""


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket; several processes may listen on the same port."""
    is_ipv6 = ":" in host
    return socket.create_server(
        (host, port),
        family=socket.AF_INET6 if is_ipv6 else socket.AF_INET,
        dualstack_ipv6=is_ipv6 and socket.has_dualstack_ipv6(),  # `::` accepts IPv4 too
        reuse_port=True,
        backlog=BACKLOG,
    )


def build_config(
    application: ASGI3Application, connections: Connections, stream_socket: Path | None = None
) -> Config:
    """Return uvicorn's settings with connections that have limits.

    Requests for event streams are handed over at `stream_socket`.
    """
    connect = partial(Connection, connections, stream_socket)
    return Config(
        application,
        http=cast(type[Connection], connect),  # uvicorn calls it
        ws="none",
        lifespan="off",
        backlog=BACKLOG,
        timeout_keep_alive=connections.limits.idle,
        timeout_graceful_shutdown=STOP_SECONDS,
        proxy_headers=False,  # `client_address` reads them
        server_header=False,
        access_log=False,  # the middleware writes it
        log_config=None,
        log_level="error",
    )


async def serve(
    application: ASGI3Application,
    listener: socket.socket,
    limits: Limits,
    stream_socket: Path | None = None,
) -> None:
    """Serve until SIGTERM or SIGINT; then finish the running requests."""
    connections = Connections(limits)
    sweeps = asyncio.create_task(sweep(connections))
    config = build_config(application, connections, stream_socket)
    await Server(config).serve(sockets=[listener])
    sweeps.cancel()


async def sweep(connections: Connections) -> None:
    """Close the connections of slow clients again and again."""
    while True:
        await asyncio.sleep(connections.limits.sweep)
        try:
            connections.sweep(asyncio.get_running_loop().time())
        except Exception:  # the next sweep closes the others
            log.exception("a sweep of the connections failed")
