"""The embedded service: its preconditions and its child processes."""

import fcntl
import os
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TextIO

import psycopg
from django.conf import settings
from django.db import DatabaseError, connection

from deploy import valkey
from deploy.environment import socket_path
from deploy.processes import Child
from deploy.programs import run_celery, scheduler_arguments, web_server, worker_arguments


class CannotStart(Exception):
    """Why the service cannot start and what to do, in one sentence."""


@contextmanager
def single_instance() -> Iterator[bool]:
    """Lock the state folder for one instance; yield True if the last instance was killed.

    Raises CannotStart if the folder cannot be written or another instance has locked it.
    """
    folder = settings.STATE_DIR
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        (folder / "log").mkdir(exist_ok=True)
        lock = (folder / "up.lock").open("a+")
    except OSError as error:
        raise CannotStart(
            f"the state folder {folder} cannot be written ({error.strerror}); "
            "set STATE_DIR to another one."
        ) from error
    with lock:
        try:
            fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  # which forks do not inherit
        except OSError as error:
            raise CannotStart(
                f"another instance (process {_read(lock) or 'unknown'}) uses {folder}; "
                "stop it first, or give this one its own STATE_DIR and PORT."
            ) from error
        was_killed = bool(_read(lock))
        _write(lock, str(os.getpid()))
        try:
            yield was_killed
        finally:
            _write(lock, "")


def _read(lock: TextIO) -> str:
    lock.seek(0)
    return lock.read(20).strip()


def _write(lock: TextIO, text: str) -> None:
    os.truncate(lock.fileno(), 0)
    with suppress(OSError):  # on a full disk, another instance does not learn the number
        os.write(lock.fileno(), text.encode())


def store_secret_key() -> None:
    """Store the secret key that the settings generated, so that the next start uses it again."""
    path = settings.SECRET_KEY_FILE
    if not os.environ.get("SECRET_KEY") and not path.exists():
        write_secret(path, settings.SECRET_KEY)


def write_secret(path: Path, text: str) -> None:
    """Write a file that only its owner can read, completely or not at all."""
    write_draft(path, text).replace(path)


def draft_of(path: Path) -> Path:
    """Return the file that becomes `path` by renaming it."""
    return path.with_name(path.name + ".new")


def write_draft(path: Path, text: str) -> Path:
    """Write the draft of a file that only its owner can read, and return it."""
    draft = draft_of(path)
    draft.unlink(missing_ok=True)
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(text + "\n")
    return draft


def check_port(*, seconds: float) -> None:
    """Raise CannotStart if the port is still in use after this time."""
    end = time.monotonic() + seconds
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
                    f"port {settings.PORT} of {settings.HOST} cannot be used ({reason}); "
                    f"choose another one: make run PORT={settings.PORT % 65535 + 1}"
                ) from error
        time.sleep(0.1)


def check_database() -> None:
    """Raise CannotStart if the database cannot be reached within seconds."""
    try:
        if connection.vendor == "postgresql":  # without the pool, which would retry for long
            parameters = connection.get_connection_params()
            parameters.pop("pool", None)
            psycopg.connect(**parameters).close()
        else:
            connection.ensure_connection()
    except (DatabaseError, psycopg.Error, OSError) as error:
        raise CannotStart(f"the database cannot be used: {first_line(error)}") from error


def first_line(error: BaseException) -> str:
    """Return the first line of an exception's message."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


def broker_program() -> Path | None:
    """Return the program of the embedded broker, None if REDIS_URL names a running one.

    Raises CannotStart if that one does not respond, or if there is no program to run.
    """
    if not settings.REDIS_EMBEDDED:
        if not valkey.answers(settings.REDIS_URL):
            raise CannotStart("REDIS_URL: no Redis or Valkey responds at this address.")
        return None
    program = valkey.find_program()
    if program is None:
        raise CannotStart(
            "no Valkey for this system: install valkey-server or redis-server, "
            "or set REDIS_URL to a running one."
        )
    return program


def broker_child(program: Path) -> Child:
    """Return the embedded Valkey, after stopping one that a killed instance may have left."""
    _create_socket_folder(valkey.socket_of(settings.REDIS_URL).parent)
    if valkey.answers(settings.REDIS_URL):
        valkey.shut_down(settings.REDIS_URL)
    state = settings.STATE_DIR / "valkey"
    state.mkdir(exist_ok=True)
    return _child("broker", valkey.command(program, address=settings.REDIS_URL, folder=state))


def _create_socket_folder(folder: Path) -> None:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if folder.stat().st_uid != os.getuid():
        raise CannotStart(f"{folder} belongs to another user; choose a shorter STATE_DIR.")


def remove_socket_folder() -> None:
    """Remove the sockets' temporary folder, used if the path of the state folder is too long."""
    folder = socket_path(settings.STATE_DIR, "valkey.sock").parent
    with suppress(OSError):
        if folder != settings.STATE_DIR:
            folder.rmdir()


def worker_children() -> list[Child]:
    """Return the worker and the scheduler (Celery beat), which sends the periodic tasks.

    A scheduler inside the worker (`worker -B`) would survive a killed worker.
    """
    worker, scheduler = worker_arguments(), scheduler_arguments()
    return [
        _program("worker", worker, partial(run_celery, worker)),
        _program("scheduler", scheduler, partial(run_celery, scheduler)),
    ]


def web_child() -> Child:
    """Return the web server."""
    child = _child("web server", web_server())
    # A request waits for a shorter time for the database than a task.
    return replace(child, environment={"DATABASE_WAIT": "5", **child.environment})


def log_of(child: str) -> Path:
    """Return the log of a child."""
    folder: Path = settings.STATE_DIR / "log"
    return folder / f"{child.replace(' ', '-')}.log"


def _program(name: str, arguments: list[str], main: Callable[[], object]) -> Child:
    child = _child(name, [sys.executable, *arguments])
    return replace(child, main=main)


def _child(name: str, command: list[str]) -> Child:
    environment = {"PYTHONUNBUFFERED": "1", "DJANGO_SETTINGS_MODULE": "deploy.settings"}
    return Child(name, command, log_of(name), folder=settings.BASE_DIR, environment=environment)
