"""The cache: Django's Redis cache on the broker's server, so that all processes share it.

Throttles count in it. While the broker is unavailable, each process counts in its own memory: a
login stays possible, and guessing passwords stays limited.
"""

import logging
from typing import Any

import redis
from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis import RedisError

from games.broker import connect

log = logging.getLogger("perihelion.cache")


class BrokerClient(RedisCacheClient):
    """Django's client with the broker's connections."""

    def get_client(self, key: object = None, *, write: bool = False) -> redis.Redis:
        """Return a client that waits at most one second."""
        return connect(timeout=1.0)


class BrokerCache(RedisCache):
    """A Redis cache whose `get` and `set` use the process's memory if the broker fails."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = BrokerClient
        self._memory = LocMemCache("broker-unavailable", params)

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        """Return a value."""
        try:
            return super().get(key, default, version)
        except (RedisError, OSError) as error:
            log.warning("the broker does not respond, so only this process counts: %s", error)
            return self._memory.get(key, default, version)

    def set(
        self,
        key: str,
        value: Any,
        timeout: float | None = DEFAULT_TIMEOUT,
        version: int | None = None,
    ) -> None:
        """Store a value."""
        try:
            super().set(key, value, timeout, version)
        except (RedisError, OSError):
            self._memory.set(key, value, timeout, version)

    def clear(self) -> None:
        """Delete the keys of the cache; Django's method would also delete the broker's messages."""
        client = connect()
        for key in client.scan_iter(f"{self.key_prefix}:*"):
            client.delete(key)
        self._memory.clear()
