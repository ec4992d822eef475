"""The broker, a Redis or Valkey server: tasks that are sent to it, and what processes share.

A message is only a hint, because a sweep finds the work in the rows. After a failure the broker is
not asked for `PAUSE` seconds, so that a broker that hangs delays one request and not all of them.
"""

import logging
import math
import threading
import time
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any, Final

import redis
from celery import current_app
from celery.exceptions import CeleryError
from django.conf import settings
from django.core.cache import caches
from django.db import transaction
from kombu.exceptions import KombuError
from redis import Redis, RedisError
from redis.backoff import NoBackoff
from redis.retry import Retry

log = logging.getLogger(__name__)

BROKER_PAUSE = 2.0
"""Seconds in which nothing is sent to a broker that did not answer in time."""

TASK_SENT = "perihelion-journal-task"
"""The key that exists while the task that follows journals was sent and has not begun."""

TASK_PATIENCE = 5
"""Seconds after which the task is sent again; the sweep of this task is as often."""

_hinted = threading.local()

SHARED: Final = "perihelion:shared:"
"""The beginning of the keys of the cache of all processes (games/core/cache.py)."""
TIMEOUT: Final = 0.2
"""Seconds that a command waits for the broker."""
PAUSE: Final = 5.0
"""Seconds without a command to the broker after one that failed."""
_paused_until: dict[str, float] = {}
"""The end of the pause, by the address of the broker."""
_timed_out_at: dict[str, float] = {}
"""When a broker did not answer in time, by its address."""


def hint_on_commit() -> None:
    """Send the task `settings.JOURNAL_TASK` after the current transaction: it has new lines.

    A lost hint is harmless, because a sweep runs the task. Of many lines in a transaction, only the
    first one sends it; a task that was sent and has not begun is not sent again.
    """
    _hinted.is_due = True
    transaction.on_commit(_send_hint)


def _send_hint() -> None:
    if not _hinted.__dict__.pop("is_due", False):
        return
    if ask(lambda broker: broker.set(TASK_SENT, 1, nx=True, ex=TASK_PATIENCE), lambda: None):
        _send(settings.JOURNAL_TASK, ())


def accept_hints() -> None:
    """Let the next new line send the task that follows journals; it is this task that begins."""
    ask(lambda broker: broker.delete(TASK_SENT), lambda: None)


def send_on_commit(task: str, *args: int) -> None:
    """Send the task of this name after the current transaction commits.

    The message is only a hint: if the broker is unreachable or does not answer in time, that is
    logged, and a sweep finds the work in the rows.
    """
    transaction.on_commit(partial(_send, task, args))


def _send(task: str, args: tuple[int, ...]) -> None:
    if is_hanging():
        log.info("%s%s was not sent; the sweep will find it", task, args)
        return
    try:
        current_app.send_task(task, args=args, retry=False)
    except (KombuError, CeleryError, OSError) as error:
        note_failure(error)
        log.warning("%s%s was not sent (%s); the sweep will find it", task, args, error)


def is_hanging() -> bool:
    """Return True shortly after the broker did not answer in time: do not wait for it again."""
    return time.monotonic() - _timed_out_at.get(settings.REDIS_URL, -math.inf) < BROKER_PAUSE


def note_failure(error: BaseException) -> None:
    """Begin a pause if the broker did not answer in time."""
    if isinstance(error, redis.TimeoutError) or isinstance(error.__cause__, redis.TimeoutError):
        _timed_out_at[settings.REDIS_URL] = time.monotonic()


def connect(timeout: float = 2.0) -> redis.Redis:
    """Return a client that waits at most `timeout` seconds; it connects at the first command."""
    return _client(settings.REDIS_URL, timeout)


@lru_cache(maxsize=8)
def _client(address: str, timeout: float) -> redis.Redis:
    timeouts = {"socket_timeout": timeout}
    if not address.startswith("unix:"):
        timeouts["socket_connect_timeout"] = timeout
    return redis.Redis.from_url(address, retry=Retry(NoBackoff(), 0), **timeouts)


def is_available() -> bool:
    """Return True if the broker responds."""
    return bool(ask(lambda broker: broker.ping(), lambda: False))


def ask(command: Callable[[Redis], Any], otherwise: Callable[[], Any]) -> Any:
    """Return the broker's reply to a command, or another value while it is unavailable."""
    if time.monotonic() < _paused_until.get(settings.REDIS_URL, 0.0) or is_hanging():
        return otherwise()
    try:
        return command(connect(TIMEOUT))
    except (RedisError, OSError) as error:
        _paused_until[settings.REDIS_URL] = time.monotonic() + PAUSE
        note_failure(error)
        log.warning("the broker does not respond: %s", error)
        return otherwise()


def clear() -> None:
    """Delete the cache of all processes, and ask the broker again."""
    _paused_until.clear()
    _timed_out_at.clear()
    caches["memory"].clear()
    broker = connect()
    for key in broker.scan_iter(f"{SHARED}*"):
        broker.delete(key)
