"""A worker killed while it sends: nothing is lost, the order holds, and the ids stay the same."""

import signal
import socket
from collections.abc import Iterator
from contextlib import suppress
from threading import Event as Signal
from typing import Any

import pytest
from django.utils import timezone

from games.core.broker import TASK_SENT, connect
from games.play.services import rule_game
from tests.events import Event, make_event, make_players, settle
from tests.people import Person
from tests.processes import Worker, eventually, eventually_swept
from tests.tournament.webhooks.receiver import LOOPBACK, Receiver, receiving, status
from tournament import tasks
from tournament.messages.feed import load_feed
from tournament.models import Webhook, WebhookDelivery
from tournament.webhooks.services import create_webhook

pytestmark = [pytest.mark.processes, pytest.mark.long]
PENDING = WebhookDelivery.State.PENDING


@pytest.fixture
def receiver(worker: Worker, settings: Any) -> Iterator[Receiver]:
    settings.WEBHOOK_NETWORKS = LOOPBACK
    with receiving() as receiver:
        yield receiver


@pytest.fixture
def event(worker: Worker, organiser: Person) -> Event:
    event = make_event(organiser)
    event.enter(*make_players(4))
    return event.step("open", "start")


@pytest.fixture
def webhook(event: Event, receiver: Receiver, worker: Worker) -> Iterator[Webhook]:
    """A webhook of which no delivery is sent yet: the published round and its two results.

    The worker starts without messages, and new lines send none: the first is that of the test.
    """
    worker.kill()
    by: Any = event.owner.account
    webhook = create_webhook(event.stream, receiver.url, [], by=by)
    for game in event.publish(1):
        rule_game(game, by=by, reason="seen", result="11-10")
    settle()
    connect().flushall()
    connect().set(TASK_SENT, 1)
    worker.start()
    yield webhook
    connect().delete("unacked", "unacked_index")  # what a killed worker was doing


def expected_ids(webhook: Webhook) -> list[str]:
    entries = load_feed(webhook.stream, after=webhook.queued, limit=100)
    return [f"{entry.stream}/{entry.sequence}" for entry in entries]


def kill_and_restart(worker: Worker) -> None:
    """Kill the worker, and let the time pass after which its attempt counts as lost."""
    worker.kill()
    WebhookDelivery.objects.filter(state=PENDING).update(next_attempt_at=timezone.now())
    worker.start()


def all_delivered(number: int) -> bool:
    states = list(WebhookDelivery.objects.values_list("state", flat=True))
    return states == ["delivered"] * number


def test_a_new_line_is_delivered_before_a_sweep_looks(
    event: Event, receiver: Receiver, worker: Worker
) -> None:
    create_webhook(event.stream, receiver.url, [], by=event.owner.account)
    worker.wait_until_idle()

    event.publish(1)

    eventually(lambda: all_delivered(1))


@pytest.mark.parametrize("messages", ["delivered", "lost"])
def test_a_worker_killed_during_a_delivery(
    webhook: Webhook, receiver: Receiver, worker: Worker, messages: str
) -> None:
    is_over = Signal()

    def answer_too_late(connection: socket.socket) -> None:
        is_over.wait(30)
        with suppress(OSError):
            status(200)(connection)

    ids = expected_ids(webhook)
    receiver.answers = [answer_too_late, status(200)]
    tasks.send_webhooks.delay()
    eventually(lambda: receiver.received)
    worker.send(signal.SIGSTOP)
    if messages == "lost":
        connect().flushall()
    kill_and_restart(worker)
    is_over.set()
    for _ in range(3):  # doubled messages
        tasks.send_webhooks.delay()

    eventually_swept(tasks.send_webhooks, lambda: all_delivered(3))
    assert receiver.ids == [ids[0], *ids]
    attempts = WebhookDelivery.objects.order_by("pk").values_list("attempts", flat=True)
    assert list(attempts) == [2, 1, 1]
    assert len(receiver.contents(webhook.secret)) == 4


def test_a_worker_killed_again_and_again(
    event: Event, webhook: Webhook, receiver: Receiver, worker: Worker
) -> None:
    by: Any = event.owner.account
    for number in range(60):
        game = event.games(1)[number % 2]
        rule_game(game, by=by, reason=f"again {number}", result=("10-11", "11-10")[number // 2 % 2])
        settle()
    ids = expected_ids(webhook)
    assert len(ids) > 50
    for number in range(1, 11):
        tasks.send_webhooks.delay()
        eventually(lambda number=number: len(receiver.received) >= 5 * number)  # type: ignore[misc]  # reason: bound early
        kill_and_restart(worker)

    eventually_swept(tasks.send_webhooks, lambda: all_delivered(len(ids)))
    assert list(dict.fromkeys(receiver.ids)) == ids
    assert receiver.ids == sorted(receiver.ids, key=ids.index)
