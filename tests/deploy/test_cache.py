"""Rate limits count across processes, and without a broker in each process."""

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.cache import cache
from django.test import Client

from games.core.broker import clear, connect
from tests.processes import Broker, run_python

LIMIT = 20
"""Failed logins and requests in a minute."""

REQUESTS = """
import os
import sys

import django

django.setup()
from django.conf import settings
from rest_framework.exceptions import Throttled
from allauth.account.adapter import get_adapter
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from games.core import broker, cache
from games.core.limits import TokenThrottle
from games.core.accounts.views import Me

settings.RATE_LIMITS["token"] = 20
settings.ACCOUNT_RATE_LIMITS = {"login_failed": "20/m/key"}
broker.TIMEOUT = cache.TIMEOUT = 60.0
view = Me()
if child := os.fork():
    os.waitpid(child, 0)
for kind, number in (("login", int(sys.argv[1])), ("token", int(sys.argv[2]))):
    for _ in range(number):
        view.headers = {}
        try:
            if kind == "login":
                login = HttpRequest()
                login.method, login.META["HTTP_HOST"] = "POST", "localhost"
                get_adapter().pre_authenticate(login, email="kim@example.org")
            else:
                TokenThrottle().charge("17", view)
            print(kind, "allowed", flush=True)
        except (Throttled, ValidationError):
            print(kind, "rejected", flush=True)
"""
"""The requests of two processes, one after the other."""


@pytest.fixture
def own_broker(tmp_path: Path, settings) -> Iterator[Broker]:
    """A broker that the test may stop."""
    broker = Broker(tmp_path).start()
    settings.REDIS_URL = broker.address
    clear()
    yield broker
    broker.kill()


def login(client: Client) -> int:
    """Try to log in with an unknown account; the status."""
    return client.get("/api/v1/tokens", headers={"Authorization": "Basic eDp5"}).status_code


def requests_of_two_processes(logins: int, requests: int, broker: Broker) -> list[str]:
    """Whether each of so many requests, counted by either of two, is allowed or rejected."""
    variables = {"DJANGO_SETTINGS_MODULE": "deploy.settings", "REDIS_URL": broker.address}
    done = run_python(
        "-c", REQUESTS, str(logins), str(requests), environment=os.environ | variables
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_two_processes_share_the_counts(own_broker: Broker) -> None:
    assert requests_of_two_processes(12, 15, own_broker) == [
        *["login allowed"] * 12,
        *["token allowed"] * 15,
        *["login allowed"] * (LIMIT - 12),
        *["login rejected"] * (24 - LIMIT),
        *["token allowed"] * (LIMIT - 15),
        *["token rejected"] * (30 - LIMIT),
    ]


@pytest.mark.django_db
def test_without_a_broker_a_login_is_possible_and_still_limited(
    client: Client,
    own_broker: Broker,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("games.core.broker.PAUSE", 60.0)  # seconds, longer than all that follows
    clear()
    own_broker.kill()

    statuses = [login(client) for _ in range(LIMIT + 1)]

    assert statuses == [401] * LIMIT + [429]
    assert caplog.text.count("the broker does not respond") == 1


def test_a_count_goes_on_when_the_broker_goes(
    own_broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.core.broker.PAUSE", 60.0)  # seconds, longer than all that follows
    cache.add("number", 0, 60)
    assert cache.incr("number", 2) == 2

    own_broker.kill()

    assert [cache.incr("number"), cache.incr("number", 2)] == [1, 3]


@pytest.mark.django_db
def test_a_broker_that_hangs_is_asked_once(
    client: Client, own_broker: Broker, tmp_path: Path, settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("broker", "cache"):
        monkeypatch.setattr(f"games.core.{module}.TIMEOUT", 0.2)
    monkeypatch.setattr("games.core.broker.PAUSE", 60.0)  # seconds, longer than all that follows
    clear()
    with socket.socket(socket.AF_UNIX) as hanging:
        hanging.bind(f"{tmp_path}/hanging.sock")
        hanging.listen()
        hanging.setblocking(False)
        settings.REDIS_URL = f"unix://{tmp_path}/hanging.sock"

        statuses = [login(client), *(client.get("/api/v1/players/0").status_code for _ in "ab")]

        assert statuses == [401, 404, 404]
        hanging.accept()[0].close()
        with pytest.raises(BlockingIOError):
            hanging.accept()


def test_clearing_the_cache_keeps_the_messages_of_the_broker(own_broker: Broker) -> None:
    connect().lpush("results", "message")
    cache.set("name", 1, 60)

    clear()

    assert (cache.get("name"), connect().llen("results")) == (None, 1)
