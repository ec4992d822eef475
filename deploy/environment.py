"""What the environment says, read into values; everything unreadable is one clear sentence.

Databases and brokers are named by addresses:

    sqlite:///var/perihelion.sqlite3        a file, from the project's folder
    sqlite:////srv/perihelion.sqlite3       a file, from the root
    postgresql://name:secret@host:5432/db   a server
    postgresql://name@/db?host=/run/pg      a server behind the socket in a folder
    redis://host:6379/0, rediss://...       Redis or Valkey, plain or within TLS
    unix:///run/valkey.sock                 Redis or Valkey behind a socket
"""

import hashlib
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

LONGEST_SOCKET_PATH: Final = 100
"""Bytes; the system's own limit is 108 (104 on macOS)."""

YES: Final = ("1", "true", "yes", "on")
NO: Final = ("", "0", "false", "no", "off")

SQLITE_OPTIONS: Final = {
    # Without IMMEDIATE, two requests that read and then write fail with "database is locked".
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    "init_command": "PRAGMA journal_mode=wal; PRAGMA synchronous=normal;",
}


class Environment:
    """A reader of variables; each method raises ImproperlyConfigured naming the variable."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        self._variables = variables

    def text(self, name: str, default: str = "") -> str:
        """The variable, or the default when it is not set or empty."""
        return self._variables.get(name, "").strip() or default

    def flag(self, name: str, *, default: bool = False) -> bool:
        """The variable as yes or no."""
        written = self._variables.get(name)
        if written is None:
            return default
        if written.strip().lower() in YES:
            return True
        if written.strip().lower() in NO:
            return False
        raise ImproperlyConfigured(f"{name}={written!r} is neither 1 nor 0.")

    def number(self, name: str, default: int, *, least: int = 1) -> int:
        """The variable as a whole number."""
        written = self.text(name, str(default))
        if not written.isascii() or not written.isdigit() or int(written) < least:
            raise ImproperlyConfigured(f"{name}={written!r} is no whole number from {least} up.")
        return int(written)

    def words(self, name: str, default: list[str]) -> list[str]:
        """The variable as words separated by commas."""
        written = self.text(name)
        if not written:
            return default
        return [word.strip() for word in written.split(",") if word.strip()]

    def database(self, name: str, default: str, *, folder: Path) -> dict[str, Any]:
        """The variable as Django's description of a database; relative files lie in `folder`."""
        url = _split(name, self.text(name, default))
        if url.scheme == "sqlite":
            path = unquote(url.path.removeprefix("/"))
            if url.netloc or not path or url.query:
                raise ImproperlyConfigured(f"{name}: write sqlite:///folder/file, three slashes.")
            return {
                "ENGINE": "django.db.backends.sqlite3",
                "NAME": folder / path,
                "CONN_MAX_AGE": None,
                "OPTIONS": dict(SQLITE_OPTIONS),
            }
        if url.scheme in ("postgresql", "postgres"):
            return _postgresql(name, url)
        raise ImproperlyConfigured(
            f"{name}: it begins with {url.scheme or 'nothing'!r}, not with sqlite:// or "
            "postgresql://."
        )

    def broker(self, name: str, default: str) -> str:
        """The variable as the address of a Redis or Valkey server, as the redis client reads it."""
        written = self.text(name, default)
        url = _split(name, written)
        if written.startswith("unix:///") and url.path != "/":
            return written
        if url.scheme in ("redis", "rediss") and url.hostname:
            return written
        raise ImproperlyConfigured(f"{name}: write redis://host:6379/0 or unix:///path.sock.")


def _split(name: str, written: str) -> SplitResult:
    try:
        url = urlsplit(written)
        _ = url.port
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} is no address: {error}.") from error
    return url


def _postgresql(name: str, url: SplitResult) -> dict[str, Any]:
    query = dict(parse_qsl(url.query))
    database = unquote(url.path.removeprefix("/"))
    if not database:
        raise ImproperlyConfigured(f"{name}: the address ends without the database's name.")
    description = {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": database,
        "HOST": query.pop("host", unquote(url.hostname or "")),
        "PORT": query.pop("port", str(url.port or "")),
        "USER": query.pop("user", unquote(url.username or "")),
        "PASSWORD": query.pop("password", unquote(url.password or "")),
        "CONN_HEALTH_CHECKS": True,
    }
    pool = {"min_size": 1, "max_size": 8, "timeout": 10}
    return description | {"OPTIONS": {"connect_timeout": 5, **query, "pool": pool}}


def celery_address(address: str) -> str:
    """The broker's address as Celery writes it."""
    if not address.startswith("unix://"):
        return address
    url = urlsplit(address)
    number = dict(parse_qsl(url.query)).get("db", "0")
    return f"redis+socket://{url.path}?virtual_host={number}"


def socket_address(state: Path) -> str:
    """Where the embedded Valkey listens: in the state folder if the path is short enough."""
    socket = state / "valkey.sock"
    if len(os.fsencode(socket)) > LONGEST_SOCKET_PATH:
        digest = hashlib.sha256(os.fsencode(state)).hexdigest()[:12]
        socket = Path(tempfile.gettempdir(), f"perihelion-{os.getuid()}-{digest}", "valkey.sock")
    return f"unix://{quote(str(socket))}"
