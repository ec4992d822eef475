"""The embedded service: what must be so before it starts, and the children that it consists of."""

import fcntl
import os
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

import psycopg
from django.conf import settings
from django.db import DatabaseError, connection

from deploy import valkey
from deploy.processes import Child


class CannotStart(Exception):
    """Why the service cannot start, in one sentence that says what to do."""


@contextmanager
def only_instance() -> Iterator[bool]:
    """Hold the state folder for one instance; whether the last one ended without being asked.

    Raises CannotStart when the folder cannot be written or another instance holds it.
    """
    folder = settings.STATE_DIR
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        (folder / "log").mkdir(exist_ok=True)
        lock = (folder / "up.lock").open("a+")
    except OSError as error:
        raise CannotStart(
            f"the state folder {folder} cannot be written ({error.strerror}); "
            "STATE_DIR names another one."
        ) from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise CannotStart(
                f"another instance (process {_noted(lock) or 'unknown'}) runs on {folder}; "
                "end it first, or give this one its own STATE_DIR and PORT."
            ) from error
        cut_off = bool(_noted(lock))
        _note(lock, str(os.getpid()))
        try:
            yield cut_off
        finally:
            _note(lock, "")


def _noted(lock: TextIO) -> str:
    lock.seek(0)
    return lock.read(20).strip()


def _note(lock: TextIO, text: str) -> None:
    lock.truncate(0)
    lock.write(text)
    lock.flush()


def keep_secret() -> None:
    """Keep the secret key that the settings made up, so that the next start has the same."""
    path = settings.SECRET_KEY_FILE
    if not os.environ.get("SECRET_KEY") and not path.exists():
        write_secret(path, settings.SECRET_KEY)


def write_secret(path: Path, text: str) -> None:
    """Write a file that nobody else can read, whole or not at all."""
    draft = path.with_name(path.name + ".new")
    draft.unlink(missing_ok=True)
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(text + "\n")
    draft.replace(path)


def check_port(*, patience: float) -> None:
    """Raise CannotStart if the port is not free after so many seconds."""
    end = time.monotonic() + patience
    family = socket.AF_INET6 if ":" in settings.HOST else socket.AF_INET
    while True:
        try:
            with socket.socket(family, socket.SOCK_STREAM) as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind((settings.HOST, settings.PORT))
                return
        except (OSError, OverflowError) as error:
            if time.monotonic() > end:
                reason = getattr(error, "strerror", None) or str(error)
                raise CannotStart(
                    f"port {settings.PORT} of {settings.HOST} cannot be had ({reason}); "
                    f"choose another one: make run PORT={settings.PORT % 65535 + 1}"
                ) from error
        time.sleep(0.1)


def check_database() -> None:
    """Raise CannotStart if the database cannot be reached, within seconds."""
    try:
        if connection.vendor == "postgresql":  # by itself: a pool would go on trying
            parameters = connection.get_connection_params()
            parameters.pop("pool", None)
            psycopg.connect(**parameters).close()
        else:
            connection.ensure_connection()
    except (DatabaseError, psycopg.Error, OSError) as error:
        raise CannotStart(f"the database cannot be used: {first_line(error)}") from error


def first_line(error: BaseException) -> str:
    """The first line of what an exception says."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


def broker_program() -> Path | None:
    """The program of the embedded broker, None when REDIS_URL names one that runs elsewhere.

    Raises CannotStart if that one does not answer, or if no program is there to embed.
    """
    if not settings.REDIS_EMBEDDED:
        if not valkey.answers(settings.REDIS_URL):
            raise CannotStart("REDIS_URL: no Redis or Valkey answers at that address.")
        return None
    program = valkey.find_program()
    if program is None:
        raise CannotStart(
            "no Valkey for this system: install valkey-server or redis-server, "
            "or name a running one in REDIS_URL."
        )
    return program


def broker_child(program: Path) -> Child:
    """The embedded Valkey; one that a killed instance may have left is ended first."""
    folder = valkey.socket_of(settings.REDIS_URL).parent
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if folder.stat().st_uid != os.getuid():
        raise CannotStart(f"{folder} belongs to somebody else; choose a shorter STATE_DIR.")
    if valkey.answers(settings.REDIS_URL):
        valkey.shut_down(settings.REDIS_URL)
    state = settings.STATE_DIR / "valkey"
    state.mkdir(exist_ok=True)
    return _child("broker", valkey.command(program, address=settings.REDIS_URL, folder=state))


def leave_socket_folder() -> None:
    """Remove the folder that was made elsewhere because the state folder's path is long."""
    folder = valkey.socket_of(settings.REDIS_URL).parent
    if settings.REDIS_EMBEDDED and folder != settings.STATE_DIR:
        with suppress(OSError):
            folder.rmdir()


def worker_children() -> list[Child]:
    """The worker, and beside it the clock that sends the sweeps (a clock of its own dies alone)."""
    celery = [sys.executable, "-m", "celery", "--app=deploy.celery", "--skip-checks"]
    return [
        _child(
            "worker",
            [
                *(*celery, "worker", "--pool=threads"),
                f"--concurrency={settings.WORKER_THREADS}",
                *("--without-gossip", "--without-mingle", "--without-heartbeat"),
            ],
        ),
        _child("clock", [*celery, "beat", "--pidfile="]),
    ]


def web_child() -> Child:
    """The web server."""
    return _child(
        "web server",
        [
            *(sys.executable, "-m", "granian", "--interface", "wsgi", "--no-ws"),
            *("--host", settings.HOST, "--port", str(settings.PORT)),
            *("--workers", str(settings.WEB_PROCESSES)),
            *("--blocking-threads", str(settings.WEB_THREADS)),
            *(
                "--workers-kill-timeout",
                "2",
                "--respawn-failed-workers",
                "--respawn-interval",
                "0.5",
            ),
            "deploy.wsgi:application",
        ],
    )


def _child(name: str, command: list[str]) -> Child:
    log = settings.STATE_DIR / "log" / f"{name.replace(' ', '-')}.log"
    environment = {"PYTHONUNBUFFERED": "1", "DJANGO_SETTINGS_MODULE": "deploy.settings"}
    return Child(name, command, log, folder=settings.BASE_DIR, environment=environment)
