"""Health: each broken part is named, and only the database makes the service unavailable."""

import re
import socket
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import OperationalError
from django.test import Client
from django.utils import timezone

from deploy import health
from deploy.state import close_to_others
from deploy.tasks import TICK
from games.core.broker import connect
from ratings.models import Pool
from tests.people import make_person
from tests.processes import Broker
from tournament.webhooks.services import create_webhook


@pytest.fixture
def own_broker(tmp_path: Path, settings: pytest.FixtureRequest) -> Iterator[Broker]:
    """A broker that the test may stop."""
    broker = Broker(tmp_path).start()
    settings.REDIS_URL = broker.address
    yield broker
    broker.kill()


def store_tick(*, seconds_ago: int) -> None:
    connect().set(TICK, (datetime.now(UTC) - timedelta(seconds=seconds_ago)).isoformat())


def test_live_checks_nothing(client: Client, settings) -> None:
    settings.REDIS_URL = "unix:///nowhere.sock"

    response = client.get("/health/live")

    assert (response.status_code, response.json()) == (200, {"status": "ok"})


@pytest.mark.django_db
def test_ready_when_everything_works(client: Client, own_broker: Broker) -> None:
    store_tick(seconds_ago=3)

    response = client.get("/health/ready")

    assert response.status_code == 200
    assert response.json() == {
        "status": "ok",
        "broken": [],
        "parts": {
            "database": "ok",
            "broker": "ok",
            "worker": "ok",
            "clock": "ok",
            "disk": "ok",
            "games": "ok",
            "ratings": "ok",
            "webhooks": "ok",
        },
    }
    assert response["Cache-Control"] == "no-store"


@pytest.mark.django_db
def test_a_worker_without_ticks_is_named(client: Client, own_broker: Broker) -> None:
    assert client.get("/health/ready").json()["broken"] == ["worker"]

    store_tick(seconds_ago=100)

    response = client.get("/health/ready")
    assert (response.status_code, response.json()["status"]) == (200, "degraded")
    assert response.json()["parts"]["worker"] == "the last tick was 100 s ago"


@pytest.mark.django_db
def test_an_unavailable_broker_is_named(client: Client, own_broker: Broker) -> None:
    own_broker.kill()

    response = client.get("/health/ready")

    assert (response.status_code, response.json()["broken"]) == (200, ["broker", "worker"])


@pytest.mark.django_db
def test_a_broker_that_hangs_is_named_in_time(client: Client, tmp_path: Path, settings) -> None:
    with socket.socket(socket.AF_UNIX) as hanging:
        hanging.bind(f"{tmp_path}/hanging.sock")
        hanging.listen()
        settings.REDIS_URL = f"unix://{tmp_path}/hanging.sock"
        started = time.monotonic()

        response = client.get("/health/ready")

    assert (response.status_code, response.json()["broken"]) == (200, ["broker", "worker"])
    assert time.monotonic() - started < 20  # without limits, the answer would never come


def test_an_unavailable_database_is_named(client: Client, own_broker: Broker, monkeypatch) -> None:
    store_tick(seconds_ago=3)
    # pytest-django forbids queries outside a database test; Django's error replaces its own.
    monkeypatch.setattr("deploy.health.connection", Unreachable())

    response = client.get("/health/ready")

    assert (response.status_code, response.json()["broken"]) == (503, ["database"])


class Unreachable:
    vendor = "sqlite"

    def cursor(self) -> None:
        raise OperationalError("connection refused")


@pytest.mark.django_db
def test_a_clock_that_differs_is_named(
    client: Client, own_broker: Broker, monkeypatch, settings
) -> None:
    store_tick(seconds_ago=3)
    hour_ahead = datetime.now(UTC) + timedelta(hours=1)
    monkeypatch.setitem(health.CLOCKS, "database", lambda: hour_ahead)

    response = client.get("/health/ready")

    assert (response.status_code, response.json()["broken"]) == (200, ["clock"])
    assert re.fullmatch(
        r"the database's clock differs by 3\d{3} s", response.json()["parts"]["clock"]
    )


@pytest.mark.django_db
@pytest.mark.parametrize("server", ["database", "broker"])
def test_the_clock_of_each_server_is_read(own_broker: Broker, server: str) -> None:
    assert abs(health.CLOCKS[server]() - datetime.now(UTC)) < timedelta(seconds=5)


@pytest.mark.django_db
def test_doctor_names_the_problems(own_broker: Broker, capsys, tmp_path, settings) -> None:
    settings.STATE_DIR = tmp_path / "var"
    settings.STATE_DIR.mkdir(0o700)
    with pytest.raises(SystemExit, match="1"):
        call_command("doctor")
    assert "worker    no worker has run a tick yet" in capsys.readouterr().out

    store_tick(seconds_ago=3)
    settings.SECRET_KEY = "k3y of many different characters " * 2
    close_to_others()
    call_command("doctor")

    lines = capsys.readouterr().out.splitlines()
    assert [line.split() for line in lines] == [
        [name, "ok"]
        for name in (
            "settings",
            "database",
            "broker",
            "worker",
            "clock",
            "disk",
            "games",
            "ratings",
            "webhooks",
            "files",
        )
    ]


@pytest.mark.django_db
def test_doctor_names_what_others_may_read(own_broker: Broker, capsys, tmp_path, settings) -> None:
    store_tick(seconds_ago=3)
    settings.STATE_DIR = state = tmp_path / "var"
    settings.SECRET_KEY = "k3y of many different characters " * 2
    secret, folder = state / "secret-key", state / "log"
    state.mkdir(0o755)
    close_to_others()
    secret.touch(0o640)
    folder.mkdir(0o700)
    folder.joinpath("worker.log").touch(0o604)

    with pytest.raises(SystemExit, match="1"):
        call_command("doctor")

    advice = f"run 'manage.py up', or 'chmod -R go= {state}'."
    line = f"files     others may use {secret} (mode 640) and 1 more: {advice}"
    assert line in capsys.readouterr().out.splitlines()


@pytest.mark.django_db
def test_ratings_that_differ_from_a_recomputation_are_named(
    client: Client, own_broker: Broker, capsys
) -> None:
    store_tick(seconds_ago=3)
    Pool.objects.filter(code="star").update(differences=["a change is stored as ..."])

    body = client.get("/health/ready").json()

    assert (body["status"], body["broken"]) == ("degraded", ["ratings"])
    assert body["parts"]["ratings"] == "not those of a recomputation: star"
    with pytest.raises(SystemExit, match="1"):
        call_command("doctor")
    assert "ratings   not those of a recomputation: star. Run" in capsys.readouterr().out


@pytest.mark.django_db
def test_an_overdue_webhook_is_named(client: Client, own_broker: Broker) -> None:
    store_tick(seconds_ago=3)
    owner = make_person("Site", is_staff=True).account
    assert owner is not None
    webhook = create_webhook("pool/star", "https://hooks.example.org/", [], by=owner)
    at = timezone.now() - timedelta(minutes=3)
    webhook.deliveries.create(sequence=1, kind="rating.run", next_attempt_at=at)

    body = client.get("/health/ready").json()

    assert (body["status"], body["broken"]) == ("degraded", ["webhooks"])
    assert body["parts"]["webhooks"] == "overdue deliveries: 1"
