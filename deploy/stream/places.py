"""How many listeners each client may have: those of an address, of IPv6 the network /64."""

from collections import Counter
from threading import Lock

from games.http.errors import ApiError


class TooManyListeners(ApiError):
    """The address of the caller has as many listeners as it may have (429)."""

    status = 429

    def __init__(self, limit: int) -> None:
        detail = f"an address may have {limit} listeners; close one first"
        super().__init__("too_many_listeners", detail)


class Places:
    """The number of listeners by caller; threads take places, and the event loop frees them."""

    def __init__(self, per_address: int) -> None:
        self._per_address = per_address
        self._taken: Counter[str] = Counter()
        self._lock = Lock()

    def take(self, caller: str) -> None:
        """Count another listener; raises TooManyListeners."""
        with self._lock:
            if self._taken[caller] >= self._per_address:
                raise TooManyListeners(self._per_address)
            self._taken[caller] += 1

    def free(self, caller: str) -> None:
        """Forget a listener."""
        with self._lock:
            self._taken[caller] -= 1
            if not self._taken[caller]:
                del self._taken[caller]
