"""The task that follows journals: it is sent once for new lines, until it begins."""

from collections.abc import Iterator

import pytest
import redis
from django.db import transaction

from games.core.broker import TASK_PATIENCE, TASK_SENT, accept_hints, connect
from games.core.journal.lines import append_line
from games.models import Account
from tests.processes import Broker
from tournament.models import Webhook
from tournament.tasks import send_webhooks

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.processes]


@pytest.fixture
def queue(broker: Broker) -> Iterator[redis.Redis]:
    """The broker without messages of earlier tests."""
    with transaction.atomic():
        write("tournament/first")  # it sends what transactions of earlier tests have left behind
    queue = connect()
    queue.delete(TASK_SENT, "webhooks")
    return queue


def write(*streams: str) -> None:
    for stream in streams:
        append_line(stream, "round.scheduled", {"round": 1}, by=None)


def test_many_lines_of_a_transaction_send_one_task_after_it(queue: redis.Redis) -> None:
    with transaction.atomic():
        write("tournament/spring", "game/17", "tournament/spring")
        assert queue.llen("webhooks") == 0

    assert queue.llen("webhooks") == 1


def test_a_journal_that_nobody_follows_sends_none(queue: redis.Redis) -> None:
    with transaction.atomic():
        write("site")

    assert queue.llen("webhooks") == 0


def test_after_a_rollback_the_next_line_sends_the_task(queue: redis.Redis) -> None:
    with transaction.atomic():
        write("tournament/spring")
        transaction.set_rollback(True)
    assert queue.llen("webhooks") == 0

    with transaction.atomic():
        write("tournament/spring")
    assert queue.llen("webhooks") == 1


def test_without_a_broker_the_line_is_written(queue: redis.Redis, settings) -> None:
    settings.REDIS_URL = "unix:///nowhere.sock"
    with transaction.atomic():
        write("tournament/spring")


def test_new_lines_send_the_task_once_until_it_begins(queue: redis.Redis) -> None:
    for stream in ("tournament/spring", "tournament/spring", "pool/star"):
        with transaction.atomic():
            write(stream)
    assert queue.llen("webhooks") == 1

    accept_hints()
    with transaction.atomic():
        write("pool/star")

    assert queue.llen("webhooks") == 2
    assert 0 < queue.ttl(TASK_SENT) <= TASK_PATIENCE


def test_while_there_is_no_webhook_the_task_is_sent_every_few_seconds(queue: redis.Redis) -> None:
    queue.set(TASK_SENT, 1)
    send_webhooks()
    assert queue.exists(TASK_SENT)

    Webhook.objects.create(
        owner=Account.objects.create_user("olga@example.org"), stream="pool/star", url="https://x/"
    )
    send_webhooks()

    assert not queue.exists(TASK_SENT)
