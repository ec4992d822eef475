"""Fixtures for tests of the running service."""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from django.db import connection

from games.broker import BROKER_PAUSE
from tests.deploy.service import Service, running
from tests.events import event
from tests.forked import run_forked
from tests.people import organiser, stranger

__all__ = ["event", "organiser", "stranger"]

FIRST_START = """
import django

django.setup()
from django.conf import settings

from deploy.management.commands.up import Command, single_instance
from deploy.samples.first_start import create_organiser, write_secret
from games import broker

broker._timed_out_at = float("inf")  # there is none yet
with single_instance():
    write_secret(settings.SECRET_KEY_FILE, settings.SECRET_KEY)
    Command().prepare()
    create_organiser()
"""
"""What `manage.py up` does in an empty folder before it starts the worker."""


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test in which the broker hangs does not stop later tests from using it."""
    monkeypatch.setattr("games.broker._timed_out_at", -BROKER_PAUSE)


@pytest.fixture(scope="session")
def bootstrapped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A state folder after a first start; a copy of it starts faster than an empty folder.

    It is created once for all workers of pytest-xdist.
    """
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    state, draft = folder / "bootstrapped", folder / "draft"
    with (folder / "bootstrapped.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not state.exists():
            done = run_forked(
                "-c", FIRST_START, environment=os.environ | Service(draft).environment
            )
            assert done.returncode == 0, done.stderr
            draft.rename(state)
    return state


@pytest.fixture(scope="module")
def database(
    django_db_setup: None, django_db_blocker: Any, request: pytest.FixtureRequest
) -> Iterator[str]:
    """The URL of an empty database on the PostgreSQL server; empty for SQLite."""
    if connection.vendor == "sqlite":
        yield ""
        return
    server, name = connection.settings_dict, request.path.stem
    with django_db_blocker.unblock():
        with connection.cursor() as cursor:
            cursor.execute(f"CREATE DATABASE {name}")
        yield f"postgresql://{server['USER']}@/{name}?host={quote(server['HOST'])}"
        with connection.cursor() as cursor:
            cursor.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(scope="module")
def service(database: str, request: pytest.FixtureRequest) -> Iterator[Service]:
    """The running service, after its first start, on a database of its own."""
    with tempfile.TemporaryDirectory(prefix="perihelion-", dir="/tmp") as folder:
        state = Path(folder, "var")
        if not database:
            shutil.copytree(request.getfixturevalue("bootstrapped"), state)
        with running(Service(state, DATABASE_URL=database)) as service:
            yield service
