"""The cache of all processes, in the broker; that of the process while the broker is unavailable.

It holds what limits logins and other requests. Without the broker both stay possible, and each
process counts.
"""

from functools import lru_cache
from typing import Any

from django.conf import settings
from django.core.cache import caches
from django.core.cache.backends.base import BaseCache
from django.core.cache.backends.redis import RedisCache

from games.core.broker import SHARED, TIMEOUT, ask


class SharedCache(BaseCache):
    def __init__(self, location: str, params: dict[str, Any]) -> None:
        super().__init__(params)

    def add(self, *args: Any, **options: Any) -> bool:
        return bool(_ask("add", *args, **options))

    def get(self, *args: Any, **options: Any) -> Any:
        return _ask("get", *args, **options)

    def set(self, *args: Any, **options: Any) -> None:
        _ask("set", *args, **options)

    def incr(self, key: str, delta: int = 1, version: int | None = None) -> int:
        """Add to a count; one that only the broker knew begins anew while it is unavailable."""
        memory = caches["memory"]

        def in_memory() -> int:
            memory.add(key, 0, version=version)
            return memory.incr(key, delta, version)

        shared = _cache_at(settings.REDIS_URL)
        return int(ask(lambda _: shared.incr(key, delta, version), in_memory))

    def delete(self, *args: Any, **options: Any) -> bool:
        return bool(_ask("delete", *args, **options))


def _ask(name: str, *args: Any, **options: Any) -> Any:
    """Return the reply of the broker, else of the memory of this process, to a command."""
    shared, memory = _cache_at(settings.REDIS_URL), caches["memory"]
    return ask(
        lambda _: getattr(shared, name)(*args, **options),
        lambda: getattr(memory, name)(*args, **options),
    )


@lru_cache(maxsize=8)
def _cache_at(address: str) -> RedisCache:
    """Return Django's cache at a broker, which connects at the first command."""
    timeouts = {"socket_timeout": TIMEOUT}
    if not address.startswith("unix:"):
        timeouts["socket_connect_timeout"] = TIMEOUT
    return RedisCache(address, {"KEY_PREFIX": SHARED, "OPTIONS": timeouts})
