"""Environment variables as settings; an invalid value is reported in one sentence.

django-environ reads the values. It was chosen over `environs`: both are maintained, but
django-environ has no dependencies, while `environs` needs three packages to read Django's URLs.
Databases and brokers are named by URLs:

    sqlite:///var/perihelion.sqlite3        a file, relative to the project's folder
    sqlite:////srv/perihelion.sqlite3       a file, by its absolute path
    postgresql://name:secret@host:5432/db   a server
    postgresql://name@/db?host=/run/pg      a server on the Unix socket in a folder
    consolemail://                          emails are written to the worker's output
    smtp+tls://name:secret@host:587         a mail server, with STARTTLS
    redis://host:6379/0, rediss://...       Redis or Valkey, without and with TLS
    unix:///run/valkey.sock                 Redis or Valkey on a Unix socket
"""

import hashlib
import os
import tempfile
from collections.abc import Mapping, Sequence
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any, Final
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured
from environ import Env

LONGEST_SOCKET_PATH: Final = 100
"""Bytes; the operating system's limit is 108 (104 on macOS)."""

SHORTEST_SECRET: Final = 32
"""Characters of a secret key."""


FALSE: Final = ("0", "false", "no", "off")
"""Values of a flag; `Env` lists the values that mean true."""

SQLITE_OPTIONS: Final = {
    # Without IMMEDIATE, two requests that read and then write fail with "database is locked".
    "transaction_mode": "IMMEDIATE",
    "init_command": "PRAGMA journal_mode=wal; PRAGMA synchronous=normal;",
}


class Environment(Env):
    """Environment variables; an empty one is treated as not set.

    The methods raise ImproperlyConfigured, with the variable's name, for an invalid value.
    """

    def __init__(self, variables: Mapping[str, str]) -> None:
        super().__init__()
        # Env replaces a value that begins with $ by another variable; a secret key may do so.
        self.escape_proxy = True
        self.ENVIRON = {
            name: value.strip().replace("$", r"\$")
            for name, value in variables.items()
            if value.strip()
        }

    def flag(self, name: str) -> bool:
        """Return the variable as a boolean, False if it is not set."""
        text: str = self.str(name, default="0")
        if text.lower() not in (*self.BOOLEAN_TRUE_STRINGS, *FALSE):
            raise ImproperlyConfigured(f"{name}={text!r} is neither 1 nor 0.")
        return bool(self.bool(name, default=False))

    def number(self, name: str, default: int, *, least: int = 1, most: int | None = None) -> int:
        """Return the variable as an integer from `least` to `most`."""
        try:
            number = int(self.int(name, default=default))
        except ValueError:
            number = least - 1
        if number < least:
            kind = "a positive integer" if least else "an integer from 0"
            raise ImproperlyConfigured(f"{name}={self.str(name)!r} is not {kind}.")
        if most is not None and number > most:
            raise ImproperlyConfigured(f"{name}={number} is more than {most}.")
        return number

    def choice(self, name: str, choices: Sequence[str]) -> str:
        """Return the variable as one of the choices, in their case; the first is the default."""
        text: str = self.str(name, default=choices[0])
        for choice in choices:
            if choice.lower() == text.lower():
                return choice
        raise ImproperlyConfigured(f"{name}={text!r} is not one of: {', '.join(choices)}.")

    def secret(self, name: str) -> str:
        """Return the variable as a secret that cannot be guessed, empty if it is not set."""
        text: str = self.str(name, default="")
        if text and (len(text) < SHORTEST_SECRET or len(set(text)) < 5):
            raise ImproperlyConfigured(
                f"{name} can be guessed: it needs at least {SHORTEST_SECRET} characters, of which"
                " at least five differ. `openssl rand -base64 48` prints a good one."
            )
        return text

    def words(self, name: str, default: list[str]) -> list[str]:
        """Return the variable as a list of words separated by commas."""
        return list(self.list(name, cast=str.strip, default=default))

    def origins(self, name: str) -> list[str]:
        """Return the variable as a list of origins, such as `https://overlay.example:8443`."""
        origins = self.words(name, [])
        for origin in origins:
            url = _split(name, origin)
            if origin != f"{url.scheme}://{url.netloc}".lower() or "@" in url.netloc:
                raise ImproperlyConfigured(f"{name}: write https://host, not {origin!r}.")
            if url.scheme not in ("http", "https") or not url.hostname:
                raise ImproperlyConfigured(f"{name}: {origin!r} is not the origin of a web site.")
        return origins

    def networks(self, name: str) -> list[IPv4Network | IPv6Network]:
        """Return the variable as a list of networks, such as `10.1.0.0/16`."""
        try:
            return [ip_network(word) for word in self.words(name, [])]
        except ValueError as error:
            raise ImproperlyConfigured(f"{name}: {error}; a network is as 10.1.0.0/16.") from error

    def database(
        self,
        name: str,
        default: str,
        *,
        folder: Path,
        threads: int = 1,
        wait: int = 20,
    ) -> dict[str, Any]:
        """Return the variable as an entry of DATABASES; `folder` is the base of relative paths.

        Each of the `threads` of a process may have a connection. `wait` is how many seconds it
        waits for a lock or a connection.
        """
        text: str = self.str(name, default=default)
        url = _split(name, text)
        if url.scheme == "sqlite":
            path = unquote(url.path.removeprefix("/"))
            if url.netloc or not path or url.query:
                raise ImproperlyConfigured(f"{name}: write sqlite:///folder/file, three slashes.")
            return {
                "ENGINE": "django.db.backends.sqlite3",
                "NAME": folder / path,
                "CONN_MAX_AGE": None,
                "OPTIONS": {**SQLITE_OPTIONS, "timeout": wait},
            }
        if url.scheme not in ("postgresql", "postgres"):
            raise ImproperlyConfigured(
                f"{name}: the scheme is {url.scheme!r}; it must be sqlite or postgresql."
            )
        server = self.db_url_config(text)
        if not server["NAME"]:
            raise ImproperlyConfigured(f"{name}: the name of the database is missing at the end.")
        options = server.get("OPTIONS", {})
        for key in ("host", "port", "user", "password"):
            if key in options:
                server[key.upper()] = options.pop(key)
        # By default, the pool tries ever more rarely to connect again, for five minutes.
        pool = {"min_size": 1, "max_size": threads, "timeout": wait, "reconnect_timeout": 4}
        lock_timeout = f"-c lock_timeout={wait * 1000}"
        options["options"] = f"{options.get('options', '')} {lock_timeout}".strip()
        server["OPTIONS"] = {"connect_timeout": 5, **options, "pool": pool}
        return {**server, "CONN_HEALTH_CHECKS": True}

    def mail_server(self, name: str, default: str) -> dict[str, Any]:
        """Return the variable as Django's settings of a mail server."""
        text: str = self.str(name, default=default)
        url = _split(name, text)
        if url.scheme not in self.EMAIL_SCHEMES:
            valid = ", ".join(self.EMAIL_SCHEMES)
            raise ImproperlyConfigured(f"{name}: the scheme is {url.scheme!r}; it must be {valid}.")
        server = self.email_url_config(text)
        names = [key for key in server if key.startswith("EMAIL_")]
        return {key: server[key] for key in names}

    def broker(self, name: str, default: str) -> str:
        """Return the variable as the URL of a Redis or Valkey server, as redis-py reads it."""
        text: str = self.str(name, default=default)
        url = _split(name, text)
        if text.startswith("unix:///") and url.path != "/":
            return text
        if url.scheme in ("redis", "rediss") and url.hostname:
            return text
        raise ImproperlyConfigured(f"{name}: write redis://host:6379/0 or unix:///path.sock.")


def _split(name: str, text: str) -> SplitResult:
    try:
        url = urlsplit(text)
        _ = url.port
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} is not a valid URL: {error}.") from error
    return url


def celery_address(address: str) -> str:
    """Return the broker's URL in Celery's notation."""
    if not address.startswith("unix://"):
        return address
    url = urlsplit(address)
    number = dict(parse_qsl(url.query)).get("db", "0")
    return f"redis+socket://{url.path}?virtual_host={number}"


def socket_address(state: Path) -> str:
    """Return the URL of the embedded Valkey's socket."""
    return f"unix://{quote(str(socket_path(state, 'valkey.sock')))}"


def socket_path(state: Path, name: str) -> Path:
    """Return the path of a socket.

    It is in the state folder, or in a temporary folder if that path is too long for a socket.
    """
    socket = state / name
    if len(os.fsencode(socket)) > LONGEST_SOCKET_PATH:
        digest = hashlib.sha256(os.fsencode(state)).hexdigest()[:12]
        socket = Path(tempfile.gettempdir(), f"perihelion-{os.getuid()}-{digest}", name)
    return socket


def stored_text(path: Path) -> str:
    """Return the text of a file of the state folder, empty if it does not exist."""
    try:
        return path.read_text().strip()
    except OSError:
        return ""
