"""Send everything that is due to webhooks, so that a dead receiver delays no other one.

One call sends to many receivers at once.
"""

import logging
import threading
import time
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Final

from django.db import DatabaseError
from django.utils import timezone

from games.rules.text import Text
from tournament.models import WebhookDelivery
from tournament.webhooks.addresses import Resolve, resolve
from tournament.webhooks.deliveries import (
    claim_attempt,
    queue_entries,
    withdraw_delivery,
    write_outcome,
)
from tournament.webhooks.queries import due_deliveries, webhooks_behind
from tournament.webhooks.requests import DeliveryOutcome, send_request
from tournament.webhooks.signatures import build_message

log = logging.getLogger(__name__)

SENDING_THREADS: Final = 16
TIME_LIMIT: Final = 30.0
"""Seconds after which no attempt begins: a task must be shorter than the broker's patience."""
SENDING_PAUSE: Final = 1.0
"""Seconds after which new entries are looked for while attempts last."""
_is_sending = threading.Lock()
_is_requested = threading.Event()
"""Set by each call of `send_due`, and cleared before the thread that sends looks what is due."""

Attempts = dict[Future[DeliveryOutcome], WebhookDelivery]


def send_due(*, resolve: Resolve = resolve) -> int:
    """Queue and send what is due; return the number of attempts.

    Returns at once if another thread of this process is sending: that one looks once more, because
    its last look may have been before the entry that this call is for.
    """
    number = 0
    _is_requested.set()
    while _is_requested.is_set() and _is_sending.acquire(blocking=False):
        try:
            _is_requested.clear()
            with ThreadPoolExecutor(SENDING_THREADS) as pool:
                number += _send_with(pool, resolve)
        finally:
            _is_sending.release()
    return number


def _send_with(pool: ThreadPoolExecutor, resolve: Resolve) -> int:
    until = time.monotonic() + TIME_LIMIT
    running: Attempts = {}
    number = 0
    has_more = True
    while has_more or running:
        has_more = False
        if time.monotonic() < until:
            has_more = _queue_all()
            claimed = _begin_attempts(pool, running, resolve)
            has_more |= claimed > 0
            number += claimed
        done, _ = wait(running, timeout=SENDING_PAUSE, return_when=FIRST_COMPLETED)
        for future in done:
            _finish_attempt(running.pop(future), future)
            has_more = True
    return number


def _queue_all() -> bool:
    """Queue a page of entries for each webhook that is behind; return whether one had entries."""
    queued = 0
    for webhook_id in list(webhooks_behind().values_list("pk", flat=True)):
        try:
            queued += queue_entries(webhook_id)
        except Exception:  # whatever it is, the other webhooks get their entries
            log.exception("the feed of webhook %s could not be queued", webhook_id)
    return queued > 0


def _begin_attempts(pool: ThreadPoolExecutor, running: Attempts, resolve: Resolve) -> int:
    """Begin the attempts that are due, as far as there are threads; return how many were due."""
    now = timezone.now()
    busy = {delivery.webhook_id for delivery in running.values()}
    failing = sum(delivery.webhook.failing_since is not None for delivery in running.values())
    claimed = 0
    for delivery in due_deliveries(now, besides=busy)[: SENDING_THREADS * 2]:
        is_failing = delivery.webhook.failing_since is not None
        # At most half of the threads for receivers whose last attempt failed.
        if len(running) == SENDING_THREADS or (is_failing and failing >= SENDING_THREADS // 2):
            break
        if delivery.webhook_id in busy or not claim_attempt(delivery, at=now):
            continue
        claimed += 1
        try:
            message = build_message(delivery, at=now)
        except Exception:  # an attempt without an outcome would be repeated forever
            log.exception("the message of %s could not be built", delivery)
            write_outcome(
                delivery.pk, DeliveryOutcome(problem=Text("the message is not available")), at=now
            )
            continue
        if message is None:
            withdraw_delivery(delivery)
            continue
        busy.add(delivery.webhook_id)
        failing += is_failing
        # The threads only send: this one alone reads and writes rows.
        attempt = pool.submit(
            send_request, message.url, message.body, message.headers, resolve=resolve
        )
        running[attempt] = delivery
    return claimed


def _finish_attempt(delivery: WebhookDelivery, future: Future[DeliveryOutcome]) -> None:
    """Write the outcome; if that fails, the attempt counts as lost and is repeated."""
    error = future.exception()
    if error is not None:
        log.error("the attempt of %s failed", delivery, exc_info=error)
        outcome = DeliveryOutcome(problem=Text("the attempt failed"))
    else:
        outcome = future.result()
    try:
        write_outcome(delivery.pk, outcome, at=timezone.now())
    except (DatabaseError, WebhookDelivery.DoesNotExist):
        log.exception("the outcome of %s could not be written", delivery)
