"""The time that each player has for a game, and the class that follows from it.

The limits are those within which FIDE rates games (Rating Regulations, B.02, 1.1, and Rapid and
Blitz Rating Regulations, 1.1.1 and 1.1.2, both effective 1 March 2024). They count the time of a
player who makes 60 moves: the main time and 60 increments. A second of increment counts as a
minute, therefore.

    bullet     at most 3 minutes; FIDE does not rate these games and has no name for them
    blitz      more than 3, at most 10 minutes
    rapid      more than 10, less than 60 minutes
    standard   60 minutes or more; the higher limits for players from 1800 on are not applied,
               because they depend on ratings of FIDE

A game without a stated time has no class. A delay counts as an increment, and the main time is the
sum of its periods.
"""

from dataclasses import dataclass
from typing import Final

from games.rules.labels import LabelledEnum
from games.rules.messages import gettext_noop
from games.rules.text import Text

MOST_MAIN_MINUTES: Final = 24 * 60
MOST_INCREMENT_SECONDS: Final = 600
MAIN, INCREMENT = "main_minutes", "increment_seconds"
LONGEST_BULLET, LONGEST_BLITZ, SHORTEST_STANDARD = 3, 10, 60
"""Minutes of a player who makes 60 moves."""


class SenselessTime(ValueError):
    """A time that no game can have; `members` are those that may be wrong, the likely one first."""

    def __init__(self, detail: str, *members: str) -> None:
        super().__init__(detail)
        self.members = members


class TimeClass(LabelledEnum):
    """The classes, the fastest first."""

    BULLET = "bullet", gettext_noop("bullet")
    BLITZ = "blitz", gettext_noop("blitz")
    RAPID = "rapid", gettext_noop("rapid")
    STANDARD = "standard", gettext_noop("standard")


@dataclass(frozen=True, slots=True)
class TimeControl:
    """The main time of each player, None if it is not stated, and the increment of each move.

    Raises SenselessTime for times that no game can have.
    """

    main_minutes: int | None = None
    increment_seconds: int = 0

    def __post_init__(self) -> None:
        main, increment = self.main_minutes, self.increment_seconds
        if not 0 <= increment <= MOST_INCREMENT_SECONDS:
            detail = Text(
                "the increment is %(value)s, not 0 to %(most)s s",
                value=increment,
                most=MOST_INCREMENT_SECONDS,
            )
            raise SenselessTime(detail, INCREMENT)
        if main is None:
            if increment:
                detail = Text("an increment needs a main time; 0 if there is none")
                raise SenselessTime(detail, INCREMENT, MAIN)
        elif not 0 <= main <= MOST_MAIN_MINUTES:
            detail = Text(
                "the main time is %(value)s, not 0 to %(most)s minutes",
                value=main,
                most=MOST_MAIN_MINUTES,
            )
            raise SenselessTime(detail, MAIN)
        elif not main and not increment:
            raise SenselessTime(Text("a game needs a main time or an increment"), MAIN, INCREMENT)

    @property
    def time_class(self) -> TimeClass | None:
        """Return the class; None if no time is stated."""
        if self.main_minutes is None:
            return None
        minutes = self.main_minutes + self.increment_seconds
        if minutes <= LONGEST_BULLET:
            return TimeClass.BULLET
        if minutes <= LONGEST_BLITZ:
            return TimeClass.BLITZ
        return TimeClass.RAPID if minutes < SHORTEST_STANDARD else TimeClass.STANDARD
