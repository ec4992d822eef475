"""The two sides of a game."""

from __future__ import annotations

from enum import StrEnum


class Seat(StrEnum):
    """A side of the game."""

    FIRST = "first"
    SECOND = "second"

    @property
    def other(self) -> Seat:
        """The seat across the board."""
        return Seat.SECOND if self is Seat.FIRST else Seat.FIRST
