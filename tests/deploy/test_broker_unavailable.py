"""Sending a task while the broker is unavailable or hangs: requests succeed without it."""

import socket
import time
from contextlib import suppress
from pathlib import Path

import pytest
from django.db import transaction

from games.core.broker import send_on_commit
from tests.processes import Broker, celery_with_broker_at


def seconds_to_send() -> float:
    """Return how long it takes; the least of several is not that of a busy machine."""
    started = time.monotonic()
    with transaction.atomic():
        send_on_commit("games.tasks.settle_game", 17)
    return time.monotonic() - started


def count_clients(listener: socket.socket) -> int:
    """Accept those that have connected and wait, and close their connections."""
    count = 0
    with suppress(BlockingIOError):
        while True:
            listener.accept()[0].close()
            count += 1
    return count


@pytest.mark.django_db(transaction=True)
def test_sending_to_an_unavailable_broker_is_quick_and_raises_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with celery_with_broker_at(f"unix://{tmp_path}/none.sock"):
        assert min(seconds_to_send() for _ in range(3)) < 1

    assert "was not sent" in caplog.text


@pytest.mark.django_db(transaction=True)
def test_sending_to_a_broker_that_hangs_ends(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.core.broker.BROKER_PAUSE", 0.0)
    with socket.socket(socket.AF_UNIX) as hanging:
        hanging.bind(f"{tmp_path}/hanging.sock")
        hanging.listen()
        with celery_with_broker_at(f"unix://{tmp_path}/hanging.sock"):
            assert 1 < min(seconds_to_send() for _ in range(2)) < 5

    assert "was not sent" in caplog.text


@pytest.mark.django_db(transaction=True)
def test_after_a_timeout_nothing_waits_for_the_broker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "games.core.broker.BROKER_PAUSE", 60.0
    )  # seconds, longer than all that follows
    with socket.socket(socket.AF_UNIX) as hanging:
        hanging.bind(f"{tmp_path}/hanging.sock")
        hanging.listen()
        hanging.setblocking(False)
        with celery_with_broker_at(f"unix://{tmp_path}/hanging.sock"):
            seconds_to_send()
            assert count_clients(hanging) > 0

            for _ in range(20):
                seconds_to_send()

            assert count_clients(hanging) == 0


@pytest.mark.django_db(transaction=True)
def test_after_a_restart_of_the_broker_the_next_message_arrives(tmp_path: Path) -> None:
    broker = Broker(tmp_path).start()
    try:
        with celery_with_broker_at(broker.address) as other:
            seconds_to_send()
            broker.kill()
            broker.start()

            for _ in range(2):  # the first may use the lost connection
                seconds_to_send()

            with other.connection_for_read() as connection:
                waiting = connection.default_channel.client.llen("results")
            assert waiting >= 2
    finally:
        broker.kill()
