"""The broker as a plain Redis or Valkey server: for its health and for the tick."""

from datetime import UTC, datetime
from functools import lru_cache
from typing import Final

import redis
from django.conf import settings
from redis.backoff import NoBackoff
from redis.retry import Retry

TICK: Final = "perihelion:tick"
"""The key under which the worker notes the time of its last tick."""


def connect() -> redis.Redis:
    """A client of the broker; nothing is sent before the first command."""
    return _client(settings.REDIS_URL)


@lru_cache(maxsize=4)
def _client(address: str) -> redis.Redis:
    timeouts = {"socket_timeout": 2.0}
    if not address.startswith("unix:"):
        timeouts["socket_connect_timeout"] = 2.0
    return redis.Redis.from_url(address, retry=Retry(NoBackoff(), 0), **timeouts)


def last_tick() -> datetime | None:
    """When a worker last carried out a tick; None if never. Raises redis.RedisError."""
    written = connect().get(TICK)
    return datetime.fromisoformat(written.decode()) if isinstance(written, bytes) else None


def tick_age() -> float | None:
    """Seconds since the last tick; None if there was none. Raises redis.RedisError."""
    at = last_tick()
    return None if at is None else (datetime.now(UTC) - at).total_seconds()
