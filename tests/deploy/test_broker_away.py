"""A broker that is away, or hangs, holds up nobody and loses nothing that the rows do not hold."""

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from celery import Celery
from django.db import transaction

from deploy.celery import app
from deploy.environment import celery_address
from games.services.sending import send_on_commit
from tests.processes import Broker


@contextmanager
def broker_at(address: str) -> Iterator[Celery]:
    """A Celery application like the service's, with its broker elsewhere, for a while."""
    elsewhere = Celery("elsewhere", set_as_current=False)
    elsewhere.config_from_object("django.conf:settings", namespace="CELERY")
    elsewhere.conf.broker_url = celery_address(address)
    elsewhere.set_current()
    try:
        yield elsewhere
    finally:
        app.set_current()
        elsewhere.close()


def seconds_to_send() -> float:
    began = time.monotonic()
    with transaction.atomic():
        send_on_commit("games.tasks.settle_game", 17)
    return time.monotonic() - began


@pytest.mark.django_db(transaction=True)
def test_a_send_to_a_broker_that_is_away_is_quick_and_fails_nobody(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with broker_at(f"unix://{tmp_path}/nobody.sock"):
        assert seconds_to_send() < 1

    assert "was not sent" in caplog.text


@pytest.mark.django_db(transaction=True)
def test_a_send_to_a_broker_that_hangs_ends(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with socket.socket(socket.AF_UNIX) as hanging:
        hanging.bind(f"{tmp_path}/hanging.sock")
        hanging.listen()
        with broker_at(f"unix://{tmp_path}/hanging.sock"):
            assert 1 < seconds_to_send() < 5

    assert "was not sent" in caplog.text


@pytest.mark.django_db(transaction=True)
def test_after_a_restart_of_the_broker_the_next_send_arrives(tmp_path: Path) -> None:
    broker = Broker(tmp_path).start()
    try:
        with broker_at(broker.address) as elsewhere:
            seconds_to_send()
            broker.kill()
            broker.start()

            for _ in range(2):  # the first may find out that its connection is gone
                seconds_to_send()

            with elsewhere.connection_for_read() as connection:
                waiting = connection.default_channel.client.llen("results")
            assert waiting >= 2
    finally:
        broker.kill()
