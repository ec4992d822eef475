"""Counters and marks that all processes share at the broker, for rate limits.

While the broker is unavailable, each process counts in its own memory: a login stays possible, and
guessing passwords stays limited. After a failure the broker is not asked for `PAUSE` seconds, so
that a broker that hangs delays one request and not all of them.
"""

import logging
import time
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from django.core.cache import cache
from redis import Redis, RedisError

from games.core.broker import connect, is_hanging, note_failure

log = logging.getLogger(__name__)
Reply = TypeVar("Reply")

PREFIX: Final = "perihelion:count:"
TIMEOUT: Final = 0.2
"""Seconds that a command waits for the broker."""

PAUSE: Final = 5.0
"""Seconds without a command to the broker after one that failed."""

_paused_until = 0.0


def count(names: Sequence[str], units: int, seconds: int) -> list[tuple[int, int]]:
    """Add units to counters; return each one's count and the seconds until it ends.

    A counter ends `seconds` after its first unit. There is one round trip to the broker.
    """

    def at_broker(broker: Redis) -> list[tuple[int, int]]:
        pipeline = broker.pipeline()
        for name in names:
            pipeline.set(PREFIX + name, 0, ex=seconds, nx=True)
            pipeline.incrby(PREFIX + name, units)
            pipeline.ttl(PREFIX + name)
        replies = pipeline.execute()
        return list(zip(replies[1::3], replies[2::3], strict=True))

    return _ask(at_broker, lambda: [_count_in_memory(name, units, seconds) for name in names])


def mark(name: str, seconds: int) -> None:
    """Set a mark that ends after so many seconds."""
    _ask(
        lambda broker: broker.set(PREFIX + name, 1, ex=seconds),
        lambda: cache.set(name, 1, seconds),
    )


def is_marked(name: str) -> bool:
    """Return True if the mark is set."""
    return bool(_ask(lambda broker: broker.exists(PREFIX + name), lambda: cache.get(name)))


def _count_in_memory(name: str, units: int, seconds: int) -> tuple[int, int]:
    now = time.monotonic()
    number, ends_at = cache.get(name) or (0, now + seconds)
    left = ends_at - now
    cache.set(name, (number + units, ends_at), left)
    return number + units, max(1, round(left))


def _ask(at_broker: Callable[[Redis], Reply], in_memory: Callable[[], Reply]) -> Reply:
    """Return the broker's reply, or that of the memory while the broker is unavailable."""
    global _paused_until
    if time.monotonic() < _paused_until or is_hanging():
        return in_memory()
    try:
        return at_broker(connect(TIMEOUT))
    except (RedisError, OSError) as error:
        _paused_until = time.monotonic() + PAUSE
        note_failure(error)
        log.warning("the broker does not respond, so only this process counts: %s", error)
        return in_memory()


def clear() -> None:
    """Delete all counters and marks, and ask the broker again."""
    global _paused_until
    _paused_until = 0.0
    cache.clear()
    broker = connect()
    for key in broker.scan_iter(f"{PREFIX}*"):
        broker.delete(key)
