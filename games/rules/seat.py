"""The two seats of a game."""

from __future__ import annotations

from enum import StrEnum


class Seat(StrEnum):
    """A seat: `first` moves first. Seats never change; a swap exchanges the colours."""

    FIRST = "first"
    SECOND = "second"

    @property
    def other(self) -> Seat:
        """The opponent's seat."""
        return Seat.SECOND if self is Seat.FIRST else Seat.FIRST
