"""Throttles count across processes, and without a broker in each process."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.cache import cache
from django.test import Client

from games.broker import connect
from tests.processes import ROOT, Broker

LIMIT = 20
"""Logins per minute from one address (DEFAULT_THROTTLE_RATES)."""

TRY_LOGINS = """
import sys

import django

django.setup()
from rest_framework.test import APIRequestFactory
from games.views.accounts import TokenList

view = TokenList()
view.headers = {}
for _ in range(int(sys.argv[1])):
    request = APIRequestFactory().get("/api/v1/tokens", headers={"Authorization": "Basic eDp5"})
    view.request = view.initialize_request(request)
    throttle = view.get_throttles()[0]
    print("allowed" if throttle.allow_request(view.request, view) else "refused")
"""


@pytest.fixture
def own_broker(tmp_path: Path, settings) -> Iterator[Broker]:
    """A broker that the test may stop."""
    broker = Broker(tmp_path).start()
    settings.REDIS_URL = broker.address
    yield broker
    broker.kill()


def login(client: Client) -> int:
    """Try to log in with an unknown account; the status."""
    return client.get("/api/v1/tokens", headers={"Authorization": "Basic eDp5"}).status_code


def logins_of_another_process(number: int, broker: Broker) -> list[str]:
    """Whether each of so many logins, counted by a new process, is allowed or refused."""
    done = subprocess.run(
        [sys.executable, "-c", TRY_LOGINS, str(number)],
        cwd=ROOT,
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "deploy.settings", "REDIS_URL": broker.address},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_two_processes_share_the_count_of_logins(own_broker: Broker) -> None:
    first = logins_of_another_process(12, own_broker)
    second = logins_of_another_process(12, own_broker)

    assert first == ["allowed"] * 12
    assert second == ["allowed"] * (LIMIT - 12) + ["refused"] * (24 - LIMIT)


@pytest.mark.django_db
def test_without_a_broker_a_login_is_possible_and_still_limited(
    client: Client, own_broker: Broker, caplog: pytest.LogCaptureFixture
) -> None:
    cache.clear()
    own_broker.kill()

    statuses = [login(client) for _ in range(LIMIT + 1)]

    assert statuses == [401] * LIMIT + [429]
    assert "the broker does not respond" in caplog.text


@pytest.mark.django_db
def test_a_broker_that_hangs_delays_a_login_by_seconds_only(
    client: Client, own_broker: Broker, tmp_path: Path, settings
) -> None:
    cache.clear()
    with socket.socket(socket.AF_UNIX) as hanging:
        hanging.bind(f"{tmp_path}/hanging.sock")
        hanging.listen()
        settings.REDIS_URL = f"unix://{tmp_path}/hanging.sock"
        started = time.monotonic()

        assert login(client) == 401

    assert time.monotonic() - started < 4


def test_clearing_the_cache_keeps_the_messages_of_the_broker(own_broker: Broker) -> None:
    connect().lpush("results", "message")
    cache.set("key", "value")

    cache.clear()

    assert (cache.get("key"), connect().llen("results")) == (None, 1)
