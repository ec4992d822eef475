"""When a request is sent again: after 429 and 503, and after an interrupted connection."""

from collections.abc import Mapping
from dataclasses import dataclass

BUSY = (429, 503)


@dataclass(frozen=True, slots=True)
class Retries:
    """How often a request is sent, and how long to wait, in seconds.

    `attempts` is for a busy service, `connections` for broken connections; 1 sends it once.
    """

    attempts: int = 5
    connections: int = 5
    first_wait: float = 0.5
    longest_wait: float = 60.0

    def wait_after_status(
        self, attempt: int, status: int, headers: Mapping[str, str], *, is_repeatable: bool
    ) -> float | None:
        """Return the seconds to wait after a response, None if it is final.

        After 429 nothing was changed. After 503 a write may have been made, so only a request that
        can be repeated is. `Retry-After` says how long; a longer wait than `longest_wait` is final.
        """
        if status not in BUSY or attempt >= self.attempts or not (status == 429 or is_repeatable):
            return None
        stated = headers.get("retry-after", "")
        wait = float(stated) if stated.isdecimal() else self._growing_wait(attempt)
        return wait if wait <= self.longest_wait else None

    def wait_after_failure(self, attempt: int, *, is_repeatable: bool) -> float | None:
        """Return the seconds to wait after an interrupted connection, None to give up."""
        if attempt >= self.connections or not is_repeatable:
            return None
        return self._growing_wait(attempt)

    def _growing_wait(self, attempt: int) -> float:
        wait: float = self.first_wait * 2 ** (attempt - 1)
        return min(wait, self.longest_wait)
