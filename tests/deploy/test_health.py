"""Health: each broken part is named, and only the database makes the service unavailable."""

import asyncio
import json
import os
import re
import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import OperationalError
from django.test import Client, override_settings
from django.utils import timezone

from deploy import __version__, health
from deploy.health import Part
from deploy.readiness import Readiness
from deploy.state import close_to_others
from deploy.tasks import BEAT, BEAT_CLOCK, TICK
from games.core.broker import connect
from games.models import EmailLink, Message
from ratings.models import Pool
from tests.events import make_event
from tests.people import make_person
from tests.processes import Broker, run_python
from tournament.models import Subscription
from tournament.webhooks.services import create_webhook

WITHOUT_BROKER = ["broker", "beat", "worker", "clock"]
WITHOUT_DATABASE = ["database", "schema", "clock", "games", "ratings", "mail", "webhooks"]
"""The parts that are broken, and those that cannot be asked then."""
FAILING = "messages that could not be sent: 3"


def subscribe() -> Subscription:
    owner = make_person("Olga")
    event = make_event(owner)
    return Subscription.objects.create(account=owner.account, tournament=event.tournament)


@pytest.fixture
def own_broker(tmp_path: Path, settings: pytest.FixtureRequest) -> Iterator[Broker]:
    """A broker that the test may stop."""
    broker = Broker(tmp_path).start()
    settings.REDIS_URL = broker.address
    yield broker
    broker.kill()


def store_tick(*queues: str, seconds_ago: int = 3, sent: int = 3) -> None:
    """Store that the scheduler has sent a tick, and that workers have run it; of all queues."""
    ticked, beat = (
        (datetime.now(UTC) - timedelta(seconds=seconds)).isoformat()
        for seconds in (seconds_ago, sent)
    )
    connect().set(BEAT, beat)
    connect().hset(TICK, mapping=dict.fromkeys(queues or settings.CELERY_TASK_QUEUES, ticked))


@pytest.fixture(scope="module", autouse=True)
def collected(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The static files, collected."""
    folder, before = tmp_path_factory.mktemp("static"), settings.STATIC_ROOT
    with override_settings(STATIC_ROOT=folder):
        call_command("collectstatic", interactive=False, verbosity=0)
    # What fixtures of the session set while settings are overridden would end with that.
    settings.STATIC_ROOT = folder
    yield folder
    settings.STATIC_ROOT = before


def test_live_checks_nothing(client: Client, settings) -> None:
    settings.REDIS_URL = "unix:///nowhere.sock"

    response = client.get("/health/live")

    assert (response.status_code, response.json()) == (
        200,
        {"status": "ok", "version": __version__},
    )


@pytest.mark.django_db
def test_ready_when_everything_works(client: Client, own_broker: Broker) -> None:
    store_tick(seconds_ago=3)

    response = client.get("/health/ready")

    assert response.status_code == 200
    assert response.json() == {
        "status": "ok",
        "version": __version__,
        "broken": [],
        "parts": {
            "database": "ok",
            "schema": "ok",
            "broker": "ok",
            "beat": "ok",
            "worker": "ok",
            "clock": "ok",
            "disk": "ok",
            "static": "ok",
            "games": "ok",
            "ratings": "ok",
            "mail": "ok",
            "webhooks": "ok",
        },
    }
    assert response["Cache-Control"] == "no-store"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("ticks", "problems"),
    [
        (
            {},
            {
                "beat": "the scheduler (beat) has not sent a task yet",
                "worker": "unknown while the scheduler (beat) has not sent a task",
            },
        ),
        (
            {"seconds_ago": 100, "sent": 100},
            {"beat": "the scheduler (beat) has sent its last task 100 s ago"},
        ),
        ({"seconds_ago": 40}, {}),
        (
            {"seconds_ago": 100},
            {"worker": "no worker runs the tasks of: results, ratings, mail, webhooks"},
        ),
        (
            {"seconds_ago": 4000},
            {
                "worker": "no worker runs the tasks of:"
                " results, ratings, mail, webhooks, imports, analyses"
            },
        ),
        (
            {"seconds_ago": 200, "sent": 100},
            {
                "beat": "the scheduler (beat) has sent its last task 100 s ago",
                "worker": "no worker runs the tasks of: results, ratings, mail, webhooks",
            },
        ),
    ],
)
def test_a_scheduler_and_workers_without_ticks_are_named(
    client: Client, own_broker: Broker, ticks: dict[str, int], problems: dict[str, str]
) -> None:
    if ticks:
        store_tick(**ticks)

    body = client.get("/health/ready").json()

    found = {name: text for name, text in body["parts"].items() if text != "ok"}
    assert {name: re.sub(r"\b1\d\d s", "100 s", text) for name, text in found.items()} == problems
    assert body["broken"] == list(problems)
    assert body["status"] == ("degraded" if problems else "ok")


@pytest.mark.django_db
def test_a_queue_that_no_worker_serves_is_named(client: Client, own_broker: Broker) -> None:
    store_tick("results")

    part = client.get("/health/ready").json()["parts"]["worker"]

    assert part == "no worker runs the tasks of: ratings, mail, webhooks, imports, analyses"


@pytest.mark.django_db
@pytest.mark.parametrize("change", [Path.unlink, lambda path: path.write_text("old")])
def test_static_files_that_are_not_those_of_this_version_are_named(
    client: Client, own_broker: Broker, settings, tmp_path: Path, change: Callable[[Path], object]
) -> None:
    store_tick()
    settings.STATIC_ROOT = Path(shutil.copytree(settings.STATIC_ROOT, tmp_path / "static"))
    change(settings.STATIC_ROOT / "deploy" / "page.css")

    body = client.get("/health/ready").json()

    assert body["broken"] == ["static"]
    named = f"files of the pages are missing or old in {settings.STATIC_ROOT}"
    assert body["parts"]["static"] == named


@pytest.mark.django_db
def test_an_unavailable_broker_is_named(client: Client, own_broker: Broker) -> None:
    own_broker.kill()

    response = client.get("/health/ready")

    assert (response.status_code, response.json()["broken"]) == (200, WITHOUT_BROKER)


@pytest.mark.django_db
def test_a_broker_that_hangs_is_named_in_time(client: Client, tmp_path: Path, settings) -> None:
    with socket.socket(socket.AF_UNIX) as hanging:
        hanging.bind(f"{tmp_path}/hanging.sock")
        hanging.listen()
        settings.REDIS_URL = f"unix://{tmp_path}/hanging.sock"
        started = time.monotonic()

        response = client.get("/health/ready")

    assert (response.status_code, response.json()["broken"]) == (200, WITHOUT_BROKER)
    assert time.monotonic() - started < 20  # without limits, the answer would never come


def test_an_unavailable_database_is_named(client: Client, own_broker: Broker, monkeypatch) -> None:
    store_tick(seconds_ago=3)
    # pytest-django forbids queries outside a database test; Django's error replaces its own.
    monkeypatch.setattr("deploy.health.connection", Unreachable())

    response = client.get("/health/ready")

    assert (response.status_code, response.json()["broken"]) == (503, WITHOUT_DATABASE)


@pytest.mark.parametrize(
    ("slow", "status", "broken"),
    [
        ("database", 503, ["database", "schema", "broker"]),
        ("broker", 200, ["broker"]),
    ],
)
def test_the_web_server_does_not_wait_for_a_part(
    monkeypatch: pytest.MonkeyPatch, slow: str, status: int, broken: list[str]
) -> None:
    released = threading.Event()

    def wait() -> str:
        released.wait(60)
        return ""

    names = ("database", "schema", "broker")
    parts = {name: Part(wait if name == slow else str, "") for name in names}
    monkeypatch.setattr(health, "PARTS", parts)

    async def ask() -> list[tuple[int, float, list[str]]]:
        readiness, found = Readiness(), []
        for number in range(3):
            if number == 2:
                released.set()
                await asyncio.sleep(1)
            started = time.monotonic()
            state, body = await readiness()
            found.append((state, time.monotonic() - started, json.loads(body)["broken"]))
        return found

    first, second, last = asyncio.run(ask())

    assert (first[0], first[2]) == (second[0], second[2]) == (status, broken)
    assert first[1] < 1
    assert second[1] < 0.1
    assert (last[0], last[2]) == (200, [])


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
def test_the_clock_of_the_scheduler_is_named(client: Client, own_broker: Broker) -> None:
    store_tick(seconds_ago=3)
    connect().set(BEAT_CLOCK, -40.2)

    parts = client.get("/health/ready").json()["parts"]

    assert parts["clock"] == "the scheduler's clock differs by -40 s"


@pytest.mark.django_db
def test_doctor_names_the_problems(own_broker: Broker, capsys, tmp_path, settings) -> None:
    settings.STATE_DIR = tmp_path / "var"
    settings.STATE_DIR.mkdir(0o700)
    with pytest.raises(SystemExit, match="1"):
        call_command("doctor")
    named = "beat      the scheduler (beat) has not sent a task yet: run 'manage.py up', or"
    assert f"{named} 'manage.py run beat'. Until then" in capsys.readouterr().out

    store_tick(seconds_ago=3)
    settings.SECRET_KEY = "k3y of many different characters " * 2
    close_to_others()
    call_command("doctor")

    lines = capsys.readouterr().out.splitlines()
    assert lines.pop(0) == f"version   {__version__}"
    assert [line.split() for line in lines] == [
        [name, "ok"]
        for name in (
            "settings",
            "database",
            "schema",
            "broker",
            "beat",
            "worker",
            "clock",
            "disk",
            "static",
            "games",
            "ratings",
            "mail",
            "webhooks",
            "files",
        )
    ]


def test_doctor_is_quick_without_the_database(tmp_path: Path, own_broker: Broker) -> None:
    variables = {
        "STATE_DIR": str(tmp_path / "var"),
        "REDIS_URL": own_broker.address,
        "DATABASE_URL": "postgresql://a@127.0.0.1:1/a",
        "DATABASE_WAIT": "120",
    }
    store_tick()

    started = time.monotonic()
    done = run_python("manage.py", "doctor", environment=os.environ | variables)

    assert (done.returncode, done.stderr) == (1, "")
    database = next(line for line in done.stdout.splitlines() if line.startswith("database"))
    assert "Connection refused" in database
    assert database.endswith(": check DATABASE_URL.")
    unknown = [line.split()[0] for line in done.stdout.splitlines() if " unknown " in line]
    assert ["database", *unknown] == WITHOUT_DATABASE
    assert time.monotonic() - started < 100  # seconds; the pool alone would try for 120


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
@pytest.mark.parametrize(("attempts", "part"), [(1, "ok"), (2, FAILING), (7, FAILING), (8, "ok")])
def test_a_mail_server_that_takes_no_messages_is_named(
    client: Client, own_broker: Broker, attempts: int, part: str
) -> None:
    """After the second attempt, and until the message is given up."""
    store_tick(seconds_ago=3)
    until = timezone.now() + timedelta(days=1)
    EmailLink.objects.create(
        kind="invitation", email="a@b.org", expires_at=until, attempts=attempts
    )
    Message.objects.create(email="a@b.org", subject="a", text="b", attempts=attempts)
    subscribe().notices.create(next_attempt_at=until, attempts=attempts)

    assert client.get("/health/ready").json()["parts"]["mail"] == part


@pytest.mark.django_db
def test_an_overdue_webhook_or_push_is_named(client: Client, own_broker: Broker) -> None:
    store_tick(seconds_ago=3)
    owner = make_person("Site", is_staff=True).account
    assert owner is not None
    webhook = create_webhook("pool/star", "https://hooks.example.org/", [], by=owner)
    at = timezone.now() - timedelta(minutes=3)
    webhook.deliveries.create(sequence=1, kind="pool.rated", next_attempt_at=at)
    subscription = subscribe()
    device = subscription.devices.create(url="https://push.example.org/")
    subscription.notices.create(device=device, next_attempt_at=at)

    body = client.get("/health/ready").json()

    assert (body["status"], body["broken"]) == ("degraded", ["webhooks"])
    assert body["parts"]["webhooks"] == "overdue deliveries: 2"
