"""Sending a task while the broker is unavailable or hangs: requests succeed without it."""

import socket
import time
from pathlib import Path

import pytest
from django.db import transaction

from games.broker import send_on_commit
from tests.processes import Broker, celery_with_broker_at


def seconds_to_send() -> float:
    started = time.monotonic()
    with transaction.atomic():
        send_on_commit("games.tasks.settle_game", 17)
    return time.monotonic() - started


@pytest.mark.django_db(transaction=True)
def test_sending_to_an_unavailable_broker_is_quick_and_raises_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with celery_with_broker_at(f"unix://{tmp_path}/none.sock"):
        assert seconds_to_send() < 1

    assert "was not sent" in caplog.text


@pytest.mark.django_db(transaction=True)
def test_sending_to_a_broker_that_hangs_ends(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with socket.socket(socket.AF_UNIX) as hanging:
        hanging.bind(f"{tmp_path}/hanging.sock")
        hanging.listen()
        with celery_with_broker_at(f"unix://{tmp_path}/hanging.sock"):
            assert 1 < seconds_to_send() < 5

    assert "was not sent" in caplog.text


@pytest.mark.django_db(transaction=True)
def test_after_a_timeout_nothing_waits_for_the_broker(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as hanging:
        hanging.bind(f"{tmp_path}/hanging.sock")
        hanging.listen()
        with celery_with_broker_at(f"unix://{tmp_path}/hanging.sock"):
            first = seconds_to_send()

            assert sum(seconds_to_send() for _ in range(20)) < first


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
