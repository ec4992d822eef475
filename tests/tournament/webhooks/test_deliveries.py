"""What webhooks get: every entry of the feed at least once, in order, with the same id."""

import socket
from datetime import datetime, timedelta
from threading import Event as Signal
from typing import Any

import hypothesis
import pytest
from django.core import mail
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from pytest_django import DjangoAssertNumQueries

from games.core.journal.lines import append_line
from games.core.permissions import DIRECTORS
from games.models import Role
from games.play.services import rule_game
from tests.events import Event, settle
from tests.people import make_person
from tests.tournament.webhooks.messages import check_message
from tests.tournament.webhooks.receiver import Receiver, close_early, receiving, status
from tournament import tasks
from tournament.core.references import tournament_reference
from tournament.messages.feed import last_number, load_feed
from tournament.models import Webhook, WebhookDelivery
from tournament.rounds.services import unpair_round
from tournament.webhooks import deliveries, requests, sending
from tournament.webhooks.deliveries import (
    ATTEMPT_LEASE,
    MOST_FAILED_ATTEMPTS,
    RETRIES,
    claim_attempt,
    delete_old_deliveries,
    queue_entries,
    write_outcome,
)
from tournament.webhooks.queries import due_deliveries
from tournament.webhooks.requests import DeliveryOutcome
from tournament.webhooks.sending import send_due
from tournament.webhooks.services import (
    create_webhook,
    edit_webhook,
    request_ping,
    request_replay,
    rotate_secret,
)
from tournament.webhooks.signatures import message_id

pytestmark = pytest.mark.django_db
State = WebhookDelivery.State


def hook(event: Event, url: str, *kinds: str) -> Webhook:
    by: Any = event.owner.account
    return create_webhook(event.stream, url, kinds, by=by)


def play(event: Event) -> None:
    """Publish a round and rule its two games: three entries."""
    for game in event.publish(1):
        by: Any = event.owner.account
        rule_game(game, by=by, reason="a private reason", result="11-10")
    settle()


def sequences(event: Event, after: int = 0) -> list[int]:
    return [entry.sequence for entry in load_feed(event.stream, after=after, limit=100)]


def log_of(webhook: Webhook) -> list[tuple[str, str, int, int | None]]:
    rows = webhook.deliveries.order_by("pk")
    return list(rows.values_list("kind", "state", "attempts", "status"))


def make_due(webhook: Webhook) -> None:
    """Let the pauses pass."""
    webhook.deliveries.filter(state=State.PENDING).update(next_attempt_at=timezone.now())


def test_entries_arrive_in_order_and_signed(event: Event, receiver: Receiver) -> None:
    webhook = hook(event, receiver.url)
    start = webhook.queued
    play(event)

    assert send_due() == 3
    contents = receiver.contents(webhook.secret)
    assert contents == [
        {
            "type": entry.kind,
            "timestamp": content["timestamp"],
            "tournament": tournament_reference(event.tournament),
            "pool": None,
            "sequence": entry.sequence,
            "data": entry.data,
        }
        for entry, content in zip(
            load_feed(event.stream, after=start, limit=9), contents, strict=True
        )
    ]
    assert receiver.ids == [f"tournament/spring/{number}" for number in sequences(event, start)]
    assert log_of(webhook) == [
        ("round.published", "delivered", 1, 200),
        ("game.confirmed", "delivered", 1, 200),
        ("game.confirmed", "delivered", 1, 200),
    ]
    assert "private" not in str(contents)
    assert (send_due(), len(receiver.received)) == (0, 3)


def test_an_entry_written_after_the_last_look_is_sent_by_the_same_thread(
    event: Event, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    hook(event, receiver.url)
    meanwhile: list[int] = []

    def look_and_write(*arguments: Any, **options: Any) -> list[WebhookDelivery]:
        due = list(due_deliveries(*arguments, **options))
        if not meanwhile:
            play(event)
            meanwhile.append(send_due())  # as the task that the entry sends
        return due

    monkeypatch.setattr(sending, "due_deliveries", look_and_write)

    assert send_due() == 3
    assert (meanwhile, len(receiver.received)) == ([0], 3)


def test_what_was_withdrawn_in_the_meantime_is_not_sent(event: Event, receiver: Receiver) -> None:
    webhook = hook(event, receiver.url)
    play(event)
    queue_entries(webhook.pk)
    by: Any = event.owner.account
    unpair_round(event.tournament, 1, reason="wrong", by=by)
    send_due()

    kinds = [content["type"] for content in receiver.contents(webhook.secret)]
    assert kinds == ["round.unpaired"]
    assert [state for _, state, _, _ in log_of(webhook)] == ["withdrawn"] * 3 + ["delivered"]


def test_later_entries_wait_for_an_earlier_one(event: Event, receiver: Receiver) -> None:
    receiver.answers = [status(500), close_early, status(200)]
    webhook = hook(event, receiver.url)
    play(event)
    first, second, third = sequences(event, webhook.queued)
    attempts = []
    for _ in range(3):
        attempts.append(send_due())
        make_due(webhook)

    assert attempts == [1, 1, 3]
    ids = [int(number.rpartition("/")[2]) for number in receiver.ids]
    assert ids == [first, first, first, second, third]
    assert [row[1:3] for row in log_of(webhook)] == [
        ("delivered", 3),
        ("delivered", 1),
        ("delivered", 1),
    ]


def attempt(delivery: WebhookDelivery, outcome: DeliveryOutcome, at: datetime) -> WebhookDelivery:
    """Make the next attempt of a delivery without a request."""
    WebhookDelivery.objects.filter(pk=delivery.pk).update(next_attempt_at=at)
    assert claim_attempt(delivery, at=at)
    write_outcome(delivery.pk, outcome, at=at)
    delivery.refresh_from_db()
    return delivery


def test_the_pauses_take_a_day_until_it_is_given_up(event: Event, receiver: Receiver) -> None:
    webhook = hook(event, receiver.url)
    play(event)
    queue_entries(webhook.pk)
    delivery, second, _ = webhook.deliveries.order_by("pk")
    at = start = timezone.now()
    pauses = []
    while attempt(delivery, DeliveryOutcome(500), at).next_attempt_at:
        pauses.append(delivery.next_attempt_at - at)
        at = delivery.next_attempt_at

    assert tuple(pauses) == RETRIES
    assert timedelta(hours=23) < at - start < timedelta(hours=25)
    assert (delivery.state, delivery.attempts) == (State.GIVEN_UP, len(RETRIES) + 1)
    assert [row.pk for row in due_deliveries(at)] == [second.pk]


def test_a_receiver_can_ask_to_wait(event: Event, receiver: Receiver) -> None:
    webhook = hook(event, receiver.url)
    play(event)
    queue_entries(webhook.pk)
    delivery, *_ = webhook.deliveries.order_by("pk")
    at = timezone.now()

    for seconds, pause in ((100.0, 100), (1.0, 30), (1e9, 28_800)):
        attempt(delivery, DeliveryOutcome(503, retry_after=seconds), at)
        assert delivery.next_attempt_at == at + timedelta(seconds=pause)


def test_an_attempt_whose_worker_died_is_repeated(event: Event, receiver: Receiver) -> None:
    webhook = hook(event, receiver.url)
    play(event)
    queue_entries(webhook.pk)
    delivery, *_ = webhook.deliveries.order_by("pk")
    at = timezone.now()
    assert claim_attempt(delivery, at=at)

    assert not claim_attempt(delivery, at=at)
    assert list(due_deliveries(at + ATTEMPT_LEASE - timedelta(seconds=1))) == []
    assert [row.pk for row in due_deliveries(at + ATTEMPT_LEASE)] == [delivery.pk]
    assert message_id(delivery) == f"{event.stream}/{delivery.sequence}"


def test_a_webhook_is_stopped_after_many_failures(
    event: Event, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After more than those of one delivery: the second one goes on counting."""
    assert 2 * (len(RETRIES) + 1) < MOST_FAILED_ATTEMPTS
    most = len(RETRIES) + 3
    monkeypatch.setattr(deliveries, "MOST_FAILED_ATTEMPTS", most)
    receiver.answers = [status(500)]
    webhook = hook(event, receiver.url)
    play(event)
    number = 0
    while not Webhook.objects.get(pk=webhook.pk).stopped:
        number += send_due()
        make_due(webhook)
        assert number <= most
    webhook.refresh_from_db()

    assert (number, webhook.stopped, send_due()) == (most, "failures", 0)
    assert (tasks.send_webhook_notices.run(), tasks.send_webhook_notices.run()) == (1, 0)
    (message,) = mail.outbox
    assert message.to == ["olga@example.org"]
    assert receiver.url in message.body
    assert webhook.secret not in message.body


def test_a_receiver_that_is_gone_stops_its_webhook_at_once(
    event: Event, receiver: Receiver
) -> None:
    receiver.answers = [status(410)]
    webhook = hook(event, receiver.url)
    play(event)
    send_due()
    webhook.refresh_from_db()

    assert (webhook.stopped, len(receiver.received)) == ("gone", 1)
    assert log_of(webhook)[0] == ("round.published", "pending", 1, 410)
    assert tasks.send_webhook_notices.run() == 1

    by: Any = event.owner.account
    receiver.answers = [status(200)]
    edit_webhook(webhook, {"active": True}, by=by)
    assert send_due() == 3
    assert receiver.ids == [receiver.ids[0], *dict.fromkeys(receiver.ids)]


def test_a_webhook_that_is_started_again_gets_what_it_missed(
    event: Event, receiver: Receiver
) -> None:
    by: Any = event.owner.account
    webhook = hook(event, receiver.url)
    start = webhook.queued
    edit_webhook(webhook, {"active": False}, by=by)
    play(event)
    assert send_due() == 0
    edit_webhook(webhook, {"active": True}, by=by)
    send_due()

    assert receiver.ids == [f"{event.stream}/{number}" for number in sequences(event, start)]


@pytest.mark.parametrize("loss", ["role", "account"])
def test_an_owner_who_lost_the_right_gets_nothing(
    event: Event, receiver: Receiver, loss: str
) -> None:
    by: Any = event.owner.account
    hook(event, receiver.url)
    if loss == "role":
        Role.objects.filter(account=by, role__in=DIRECTORS).delete()
    else:
        by.is_active = False
        by.save()
    rival = make_person("Rita")
    Role.objects.create(stream=event.stream, account=rival.account, role="director")
    play(event)

    assert (send_due(), receiver.received) == (0, [])


def test_a_replay_has_one_attempt_and_the_same_id(event: Event, receiver: Receiver) -> None:
    webhook = hook(event, receiver.url)
    play(event)
    send_due()
    delivery = webhook.deliveries.order_by("pk")[1]
    receiver.answers = [status(500)]
    request_replay(webhook, delivery)
    assert send_due() == 1
    delivery.refresh_from_db()

    assert receiver.ids[3] == receiver.ids[1]
    assert (delivery.state, delivery.status) == (State.GIVEN_UP, 500)


def test_a_ping_is_also_sent_by_a_stopped_webhook(event: Event, receiver: Receiver) -> None:
    by: Any = event.owner.account
    webhook = hook(event, receiver.url)
    edit_webhook(webhook, {"active": False}, by=by)
    ping = request_ping(webhook)
    send_due()

    (content,) = receiver.contents(webhook.secret)
    assert content == {
        "type": "webhook.ping",
        "timestamp": content["timestamp"],
        "tournament": tournament_reference(event.tournament),
        "pool": None,
        "sequence": None,
        "data": {"webhook_id": webhook.pk},
    }
    check_message(content)
    assert receiver.ids == [f"ping/{ping.pk}"]


def test_the_previous_secret_signs_for_a_day(event: Event, receiver: Receiver) -> None:
    by: Any = event.owner.account
    webhook = hook(event, receiver.url)
    secrets = [webhook.secret, rotate_secret(webhook, by=by).secret]
    play(event)
    send_due()
    Webhook.objects.update(previous_until=timezone.now())
    request_ping(webhook)
    send_due()

    for secret in secrets:
        assert len([request.verified(secret) for request in receiver.received[:3]]) == 3
    signatures = [request.headers["webhook-signature"].split() for request in receiver.received]
    assert [len(signature) for signature in signatures] == [2, 2, 2, 1]
    assert receiver.received[3].verified(secrets[1])["type"] == "webhook.ping"


def test_dead_receivers_do_not_delay_the_others(
    event: Event, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The live one, which is asked last, gets everything before a dead one is left."""
    monkeypatch.setattr(requests, "TOTAL_TIMEOUT", 60.0)
    monkeypatch.setattr(sending, "SENDING_PAUSE", 0.05)
    has_everything = Signal()

    def hang_until_then(_: socket.socket) -> None:
        has_everything.wait(60)

    def answer_the_last(connection: socket.socket) -> None:
        status(200)(connection)
        has_everything.set()

    receiver.answers = [status(200), status(200), answer_the_last]
    with receiving(hang_until_then) as dead:
        for _ in range(5):
            hook(event, dead.url)
        webhook = hook(event, receiver.url)
        play(event)
        send_due()

    live = [row.attempted_at for row in webhook.deliveries.all()]
    failed = WebhookDelivery.objects.exclude(webhook=webhook).exclude(attempted_at=None)
    ends = [row.next_attempt_at - RETRIES[0] for row in failed if row.next_attempt_at]
    assert (len(live), len(ends)) == (3, 5)
    assert max(live) < min(ends)


def test_receivers_without_failures_come_first(event: Event, settings: Any) -> None:
    settings.QUOTAS = settings.QUOTAS | {"webhooks": 99}
    for number in range(4):
        hook(event, f"https://hooks.example.org/{number}")
    webhooks = Webhook.objects.order_by("pk")
    Webhook.objects.filter(pk__in=list(webhooks.values_list("pk", flat=True)[:3])).update(
        failing_since=timezone.now()
    )
    play(event)
    for webhook in webhooks:
        queue_entries(webhook.pk)

    due = [row.webhook.failing_since is None for row in due_deliveries(timezone.now())]
    assert due == [True] + [False] * 3


def test_two_workers_make_one_delivery_of_a_line(event: Event, receiver: Receiver) -> None:
    webhook = hook(event, receiver.url)
    play(event)
    assert [queue_entries(webhook.pk), queue_entries(webhook.pk)] == [3, 0]
    Webhook.objects.update(queued=F("queued"))
    assert webhook.deliveries.count() == 3


def test_a_line_that_is_written_while_others_are_queued_gets_one_delivery(
    event: Event, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    webhook = hook(event, receiver.url)

    def find_end_before_a_line(stream: str) -> int:
        end = last_number(stream)
        append_line(stream, "tournament.edited", {}, by=None)
        return end

    monkeypatch.setattr(deliveries, "last_number", find_end_before_a_line)
    queue_entries(webhook.pk)
    queue_entries(webhook.pk)

    assert [*webhook.deliveries.order_by("pk").values_list("sequence", flat=True)] == sequences(
        event, webhook.queued
    )


def test_a_delivery_that_was_queued_while_the_clock_was_ahead_is_sent(
    event: Event, receiver: Receiver
) -> None:
    webhook = hook(event, receiver.url)
    play(event)
    queue_entries(webhook.pk)
    webhook.deliveries.update(next_attempt_at=timezone.now() + timedelta(hours=1))

    send_due()

    assert [state for _, state, *_ in log_of(webhook)] == ["delivered"] * 3


def test_a_burst_of_lines_is_queued_in_pages(
    event: Event, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deliveries, "MOST_DELIVERIES_AT_ONCE", 5)
    webhook = hook(event, receiver.url, "tournament.cancelled")
    for _ in range(12):
        append_line(event.stream, "tournament.edited", {}, by=None)
    append_line(event.stream, "tournament.cancelled", {"state": "cancelled"}, by=None)
    send_due()

    (content,) = receiver.contents(webhook.secret)
    assert content["data"]["state"] == "cancelled"


STEPS = {
    "line": 0.0, "queue": 0.0, "success": 0.1, "failure": 0.3, "lost": 0.3, "restart": 0.0,
    "unpublished line": 0.0,
}  # fmt: skip
"""What happens next, and how long it takes, in seconds."""


@given(steps=st.lists(st.sampled_from(sorted(STEPS)), max_size=15))
@hypothesis.settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_entry_is_attempted_in_order(event: Event, steps: list[str]) -> None:
    """Whatever fails, and wherever a worker dies; a repetition comes before the next entry."""
    with transaction.atomic():
        webhook = hook(event, "https://hooks.example.org/")
        start, now, attempted = webhook.queued, timezone.now(), list[int]()
        for step in steps:
            now += timedelta(seconds=STEPS[step])
            if "line" in step:
                kind = "round.paired" if "unpublished" in step else "tournament.edited"
                append_line(event.stream, kind, {}, by=None)
            elif step == "queue":
                queue_entries(webhook.pk)
            elif step == "restart":  # after the pauses of all attempts that failed or were lost
                now += ATTEMPT_LEASE + RETRIES[-1]
            else:
                attempted += attempt_first(now, step)
        now += ATTEMPT_LEASE + RETRIES[-1]
        queue_entries(webhook.pk)
        while found := attempt_first(now, "success"):
            attempted += found
        expected = sequences(event, start)
        states = set(webhook.deliveries.values_list("state", flat=True))
        transaction.set_rollback(True)

    assert list(dict.fromkeys(attempted)) == expected
    assert attempted == sorted(attempted)
    assert states <= {State.DELIVERED, State.GIVEN_UP}


def attempt_first(now: datetime, end: str) -> list[int]:
    """Attempt what is due first, and write the outcome unless the worker dies; return its line."""
    for delivery in due_deliveries(now)[:1]:
        assert claim_attempt(delivery, at=now)
        if end != "lost":
            outcome = (
                DeliveryOutcome(200) if end == "success" else DeliveryOutcome(problem="no response")
            )
            write_outcome(delivery.pk, outcome, at=now)
        assert delivery.sequence is not None
        return [delivery.sequence]
    return []


def test_the_log_has_a_month(event: Event, receiver: Receiver) -> None:
    webhook = hook(event, receiver.url)
    play(event)
    send_due()
    request_ping(webhook)
    now = timezone.now()

    assert delete_old_deliveries(at=now + timedelta(days=29)) == 0
    assert delete_old_deliveries(at=now + timedelta(days=31)) == 3
    assert webhook.deliveries.count() == 1


def test_an_idle_sweep_takes_two_queries(
    event: Event, receiver: Receiver, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(3):
        hook(event, receiver.url, "tournament.finalised")
    play(event)
    send_due()

    with django_assert_num_queries(2):
        assert send_due() == 0
