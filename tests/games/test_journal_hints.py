"""Hints for the event stream: after a commit, once for each journal that has new lines."""

from collections.abc import Iterator

import pytest
from django.db import transaction

from games.broker import JOURNAL_HINTS, TASK_PATIENCE, TASK_SENT, accept_hints, connect
from games.journal import append_line
from games.models import Account
from tests.processes import Broker
from tournament.models import Webhook
from tournament.tasks import send_webhooks

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.processes]


class Listener:
    """Reads what the broker passes on."""

    def __init__(self) -> None:
        self.hints = connect().pubsub(ignore_subscribe_messages=True)
        self.hints.subscribe(JOURNAL_HINTS)
        self.hints.get_message(timeout=5)

    def received(self) -> list[str]:
        """Return the hints up to one that is sent now."""
        connect().publish(JOURNAL_HINTS, "end")
        found: list[str] = []
        while found[-1:] != ["end"]:
            message = self.hints.get_message(timeout=5)
            found += [message["data"].decode()] if message else []
        return found[:-1]


@pytest.fixture
def listener(broker: Broker) -> Iterator[Listener]:
    with transaction.atomic():
        write("tournament/first")  # it sends what transactions of earlier tests have left behind
    listener = Listener()
    yield listener
    listener.hints.close()


def write(*streams: str) -> None:
    for stream in streams:
        append_line(stream, "round.scheduled", {"round": 1}, by=None)


def test_many_lines_of_a_transaction_send_one_hint_for_each_journal(listener: Listener) -> None:
    with transaction.atomic():
        write("tournament/spring", "tournament/autumn", "tournament/spring")
        assert listener.received() == []

    assert sorted(listener.received()) == ["tournament/autumn", "tournament/spring"]


def test_a_journal_that_nobody_follows_sends_none(listener: Listener) -> None:
    with transaction.atomic():
        write("game/17", "site")

    assert listener.received() == []


def test_after_a_rollback_the_next_line_sends_its_hint(listener: Listener) -> None:
    with transaction.atomic():
        write("tournament/spring")
        transaction.set_rollback(True)
    assert listener.received() == []

    with transaction.atomic():
        write("tournament/spring")
    assert listener.received() == ["tournament/spring"]


def test_without_a_broker_the_line_is_written(listener: Listener, settings) -> None:
    settings.REDIS_URL = "unix:///nowhere.sock"
    with transaction.atomic():
        write("tournament/spring")


def test_new_lines_send_the_task_that_follows_them_once_until_it_begins(
    listener: Listener,
) -> None:
    queue = connect()
    queue.delete(TASK_SENT, "webhooks")
    for stream in ("tournament/spring", "tournament/spring", "pool/star"):
        with transaction.atomic():
            write(stream)
    assert queue.llen("webhooks") == 1

    accept_hints()
    with transaction.atomic():
        write("pool/star")

    assert queue.llen("webhooks") == 2
    assert 0 < queue.ttl(TASK_SENT) <= TASK_PATIENCE


def test_while_there_is_no_webhook_the_task_is_sent_every_few_seconds(listener: Listener) -> None:
    connect().set(TASK_SENT, 1)
    send_webhooks()
    assert connect().exists(TASK_SENT)

    Webhook.objects.create(
        owner=Account.objects.create_user("olga@example.org"), stream="pool/star", url="https://x/"
    )
    send_webhooks()

    assert not connect().exists(TASK_SENT)
