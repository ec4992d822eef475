"""The broker as a plain Redis or Valkey server."""

from functools import lru_cache

import redis
from django.conf import settings
from redis.backoff import NoBackoff
from redis.retry import Retry


def connect(patience: float = 2.0) -> redis.Redis:
    """A client that waits so many seconds for an answer; nothing is sent before a command."""
    return _client(settings.REDIS_URL, patience)


@lru_cache(maxsize=8)
def _client(address: str, patience: float) -> redis.Redis:
    timeouts = {"socket_timeout": patience}
    if not address.startswith("unix:"):
        timeouts["socket_connect_timeout"] = patience
    return redis.Redis.from_url(address, retry=Retry(NoBackoff(), 0), **timeouts)
