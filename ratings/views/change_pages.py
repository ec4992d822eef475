"""Pages of changes: those of a run by batch and game, those of a player by time."""

from typing import Any, Final

from games.core.pagination import CursorPages, microseconds_of, time_of
from games.rules.seat import Seat
from ratings.runs.changes import NEWEST_FIRST

SEAT_NAMES: Final = tuple(map(str, Seat))


class RunPages(CursorPages):
    """Pages of the changes of a run, in the order of its key; a cursor has the number of a seat."""

    ordering = ("batch_id", "game_id", "seat")
    orders = ("oldest", "newest")

    def as_number(self, name: str, value: Any) -> int:
        return SEAT_NAMES.index(value) if name == "seat" else int(value)

    def from_number(self, name: str, number: int) -> Any:
        if name != "seat":
            return number
        if not 0 <= number < len(SEAT_NAMES):
            raise ValueError(number)
        return SEAT_NAMES[number]


class NewestRunPages(RunPages):
    ordering = ("-batch_id", "-game_id", "-seat")
    orders = ("newest", "oldest")


class HistoryPages(CursorPages):
    """Pages of a player's changes, newest first; a cursor has the microsecond of a batch."""

    ordering = NEWEST_FIRST
    orders = ("newest", "oldest")

    def as_number(self, name: str, value: Any) -> int:
        return microseconds_of(value) if name == "batch__effective_at" else int(value)

    def from_number(self, name: str, number: int) -> Any:
        return time_of(number) if name == "batch__effective_at" else number
