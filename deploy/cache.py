"""The cache: Django's client of Redis at the broker's server, so that all processes share it.

Rate limits count in it. While the broker is unavailable, each process counts in its own memory: a
login stays possible, and guessing passwords stays limited. After a failure the broker is not asked
for `RECONNECT_PAUSE` seconds, so that a broker that hangs delays one request and not all of them.
"""

import logging
import time
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

import redis
from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCacheClient
from redis import RedisError

from games.broker import connect, is_hanging, note_failure

log = logging.getLogger("perihelion.cache")
Reply = TypeVar("Reply")

CACHE_TIMEOUT: Final = 0.2
"""Seconds that a command waits for the broker."""

RECONNECT_PAUSE: Final = 5.0
"""Seconds without a command to the broker after one that failed."""


class BrokerClient(RedisCacheClient):
    """Django's client with the broker's connections."""

    def get_client(self, key: object = None, *, write: bool = False) -> redis.Redis:
        """Return a client that waits at most `CACHE_TIMEOUT` seconds."""
        return connect(timeout=CACHE_TIMEOUT)


class BrokerCache(BaseCache):
    """A cache at the broker, and in the process's memory while the broker fails."""

    paused_until = 0.0
    """The monotonic time until which the process uses its memory; all threads share it."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(params)
        self._broker = BrokerClient([server])
        options = {**params.get("OPTIONS", {}), "MAX_ENTRIES": 10_000}
        self._memory = LocMemCache("broker-unavailable", {**params, "OPTIONS": options})

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        """Return a value."""
        name = self.make_and_validate_key(key, version)
        return self._ask(
            lambda: self._broker.get(name, default),
            lambda: self._memory.get(key, default, version),
        )

    def set(
        self,
        key: str,
        value: Any,
        timeout: float | None = DEFAULT_TIMEOUT,
        version: int | None = None,
    ) -> None:
        """Store a value."""
        name = self.make_and_validate_key(key, version)
        given = self.default_timeout if timeout is DEFAULT_TIMEOUT else timeout
        seconds = None if given is None else round(given)
        self._ask(
            lambda: self._broker.set(name, value, seconds),
            lambda: self._memory.set(key, value, timeout, version),
        )

    def count(self, keys: Sequence[str], units: int, seconds: int) -> list[tuple[int, int]]:
        """Add units to counters; return each one's count and the seconds until it ends.

        A counter ends `seconds` after its first unit. There is one round trip to the broker.
        """
        return self._ask(
            lambda: self._count_at_broker(keys, units, seconds),
            lambda: [self._count_in_memory(key, units, seconds) for key in keys],
        )

    def _count_at_broker(
        self, keys: Sequence[str], units: int, seconds: int
    ) -> list[tuple[int, int]]:
        pipeline = connect(timeout=CACHE_TIMEOUT).pipeline()
        for key in map(self.make_and_validate_key, keys):
            pipeline.set(key, 0, ex=seconds, nx=True)
            pipeline.incrby(key, units)
            pipeline.ttl(key)
        replies = pipeline.execute()
        return list(zip(replies[1::3], replies[2::3], strict=True))

    def _count_in_memory(self, key: str, units: int, seconds: int) -> tuple[int, int]:
        now = time.monotonic()
        count, ends_at = self._memory.get(key) or (0, now + seconds)
        left = ends_at - now
        self._memory.set(key, (count + units, ends_at), left)
        return count + units, max(1, round(left))

    def _ask(self, broker: Callable[[], Reply], memory: Callable[[], Reply]) -> Reply:
        """Return the broker's reply, or that of the memory while the broker is unavailable."""
        if time.monotonic() < BrokerCache.paused_until or is_hanging():
            return memory()
        try:
            return broker()
        except (RedisError, OSError) as error:
            BrokerCache.paused_until = time.monotonic() + RECONNECT_PAUSE
            note_failure(error)
            log.warning("the broker does not respond, so only this process counts: %s", error)
            return memory()

    def clear(self) -> None:
        """Delete the keys of the cache; Django's method would also delete the broker's messages."""
        client = connect()
        for key in client.scan_iter(f"{self.key_prefix}:*"):
            client.delete(key)
        self._memory.clear()
        BrokerCache.paused_until = 0.0
