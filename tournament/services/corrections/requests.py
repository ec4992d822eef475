"""What a request to correct an event names, before it is compared with the rows."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from games.core.errors import Unprocessable
from games.models.columns import columns_of
from tournament.models import Entry

ANNULLED = "annulled"
"""The result of a game that does not count at all."""
CORRECTED_BYES = ["pairing-bye", "half-bye", "zero-bye", "full-bye"]
"""The kinds of byes that a correction can give."""
CORRECTED_ENTRY_FIELDS = (
    "seed_rating",
    *(name for name in columns_of(Entry).personal if name != "club"),
)
"""The columns of an entry that can be corrected; the club can be edited at any time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestedChange:
    """A change as it is requested: of a game, of the bye of an entry, or of columns of an entry."""

    game: int | None = None
    result: str = ""
    score: str = ""
    record: str | Mapping[str, Any] | None = None
    entry: int | None = None
    round: int | None = None
    bye: str | None = None
    columns: Mapping[str, Any] = field(default_factory=dict)


def refuse_change(code: str, index: int, detail: str, name: str = "") -> Unprocessable:
    """Return the refusal of a change of a request, at one of its members if `name` is given."""
    pointer = f"/changes/{index}" + (f"/{name}" if name else "")
    return Unprocessable(code, detail, at=pointer)
