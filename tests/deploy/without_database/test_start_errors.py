"""What prevents a start of `manage.py up` is reported in one line."""

import re
import runpy
import socket
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.db.utils import ConnectionHandler
from pytest_django import DjangoDbBlocker

from deploy import __version__
from deploy import checks as database
from deploy.checks import port_problem
from deploy.management.commands.up import check_broker
from deploy.valkey import CannotStart
from tests.deploy.service import Service, start_error
from tests.processes import ROOT

pytestmark = pytest.mark.processes


@pytest.fixture
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="perihelion-", dir="/tmp") as outer:
        yield Path(outer, "var")


def test_a_taken_port_is_refused(folder: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        service = Service(folder, PORT=port)
        line = start_error(service)
        service.command[2:] = ["run", "web"]
        assert start_error(service) == line

    assert f"port {port} of 127.0.0.1 cannot be used (Address already in use): choose" in line
    assert {path.name for path in folder.iterdir()} == {"log", "up.lock"}, "no database is made"


def test_an_address_of_another_machine_is_refused(settings: Any) -> None:
    settings.HOST, settings.PORT = "192.0.2.1", 8000

    assert re.match(r"port 8000 of 192\.0\.2\.1 .+: set HOST to an address", port_problem())


def test_an_invalid_setting_is_reported_in_one_line(folder: Path) -> None:
    line = start_error(Service(folder, STATE_DIR="/dev/null/var"))

    assert "the state folder /dev/null/var cannot be written" in line


def test_an_unusable_database_is_reported_in_one_line(folder: Path) -> None:
    line = start_error(Service(folder, DATABASE_URL="sqlite:////nowhere/db"))

    assert "the database cannot be used: unable to open database file: check DATABASE_URL" in line


def test_a_failed_migration_is_reported_in_one_line(folder: Path) -> None:
    database = folder.with_name("db")
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("CREATE TABLE games_account (id INTEGER)")

    service = Service(folder, DATABASE_URL=f"sqlite:///{database}")
    line = start_error(service, said=rf"perihelion: version {__version__} starts: [^\n]+\n")

    assert "the database cannot be prepared: table " in line


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("postgresql:///db?host=/nowhere", "connection is bad: "),
        ("sqlite:////nowhere/db", "unable to open"),
        (f"sqlite:///{ROOT}/LICENSE", "file is not a database"),
    ],
)
def test_an_unusable_database(
    monkeypatch: pytest.MonkeyPatch, django_db_blocker: DjangoDbBlocker, address: str, message: str
) -> None:
    monkeypatch.setenv("DATABASE_URL", address)
    unusable = runpy.run_path(str(ROOT / "deploy/settings.py"))["DATABASES"]["default"]
    with closing(ConnectionHandler({"default": unusable})["default"]) as connection:
        monkeypatch.setattr(database, "connection", connection)
        with django_db_blocker.unblock():
            assert message in database.connection_failure()


def test_an_unusable_broker(settings: Any) -> None:
    settings.REDIS_URL, settings.REDIS_EMBEDDED = "unix:///nowhere.sock", False

    with pytest.raises(
        CannotStart, match=r"no Redis or Valkey responds at .+ \(Error 2 .+: start it"
    ):
        check_broker()
