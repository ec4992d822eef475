"""The two seats of a game."""

from __future__ import annotations

from games.rules.labels import LabelledEnum
from games.rules.messages import gettext_noop


class Seat(LabelledEnum):
    """A seat: `first` moves first. Seats never change; a swap exchanges the colours."""

    FIRST = "first", gettext_noop("first")
    SECOND = "second", gettext_noop("second")

    @property
    def other(self) -> Seat:
        """The opponent's seat."""
        return Seat.SECOND if self is Seat.FIRST else Seat.FIRST
