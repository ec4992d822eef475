"""Health: each part that breaks is named, and only the database takes the service out."""

import socket
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import OperationalError
from django.test import Client

from deploy.broker import TICK
from games.broker import connect
from tests.processes import Broker


@pytest.fixture
def own_broker(tmp_path: Path, settings: pytest.FixtureRequest) -> Iterator[Broker]:
    """A broker that the test may break."""
    broker = Broker(tmp_path).start()
    settings.REDIS_URL = broker.address
    yield broker
    broker.kill()


def note_tick(*, seconds_ago: int) -> None:
    connect().set(TICK, (datetime.now(UTC) - timedelta(seconds=seconds_ago)).isoformat())


def test_live_asks_nothing(client: Client, settings) -> None:
    settings.REDIS_URL = "unix:///nowhere.sock"

    answer = client.get("/health/live")

    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


@pytest.mark.django_db
def test_ready_when_all_works(client: Client, own_broker: Broker) -> None:
    note_tick(seconds_ago=3)

    answer = client.get("/health/ready")

    assert answer.status_code == 200
    assert answer.json() == {
        "status": "ok",
        "broken": [],
        "parts": {"database": "ok", "broker": "ok", "worker": "ok"},
    }
    assert answer["Cache-Control"] == "no-store"


@pytest.mark.django_db
def test_a_worker_without_ticks_is_named(client: Client, own_broker: Broker) -> None:
    assert client.get("/health/ready").json()["broken"] == ["worker"]

    note_tick(seconds_ago=100)

    answer = client.get("/health/ready")
    assert (answer.status_code, answer.json()["status"]) == (200, "degraded")
    assert answer.json()["parts"]["worker"] == "the last tick is 100 s old"


@pytest.mark.django_db
def test_a_broker_that_is_away_is_named(client: Client, own_broker: Broker) -> None:
    own_broker.kill()

    answer = client.get("/health/ready")

    assert (answer.status_code, answer.json()["broken"]) == (200, ["broker", "worker"])


@pytest.mark.django_db
def test_a_broker_that_hangs_is_named_in_time(client: Client, tmp_path: Path, settings) -> None:
    with socket.socket(socket.AF_UNIX) as hanging:
        hanging.bind(f"{tmp_path}/hanging.sock")
        hanging.listen()
        settings.REDIS_URL = f"unix://{tmp_path}/hanging.sock"
        began = time.monotonic()

        answer = client.get("/health/ready")

    assert (answer.status_code, answer.json()["broken"]) == (200, ["broker", "worker"])
    assert time.monotonic() - began < 4


def test_a_database_that_is_away_is_named(client: Client, own_broker: Broker, monkeypatch) -> None:
    note_tick(seconds_ago=3)
    # Outside of a database test pytest-django refuses any query; what Django raises for an
    # unreachable server is put in the place of that refusal.
    monkeypatch.setattr("deploy.health.connection", Unreachable())

    answer = client.get("/health/ready")

    assert (answer.status_code, answer.json()["broken"]) == (503, ["database"])


class Unreachable:
    def cursor(self) -> None:
        raise OperationalError("connection refused")


@pytest.mark.django_db
def test_the_doctor_names_what_needs_care(own_broker: Broker, capsys, tmp_path, settings) -> None:
    settings.STATE_DIR = tmp_path
    with pytest.raises(SystemExit, match="1"):
        call_command("doctor")
    assert "worker    no worker has carried out a tick yet" in capsys.readouterr().out

    note_tick(seconds_ago=3)
    settings.SECRET_KEY = "k" * 50
    call_command("doctor")

    lines = capsys.readouterr().out.splitlines()
    assert [line.split() for line in lines] == [
        [name, "ok"] for name in ("settings", "disk", "database", "broker", "worker", "clock")
    ]
