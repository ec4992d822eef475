"""What each result is worth, in whole units: no float ever decides a rank.

A unit is the finest step the event awards. With `unit=2` a point is two units and a draw worth
half a point is the integer 1; an event that gives quarter points takes `unit=4`.
"""

from dataclasses import dataclass, fields
from fractions import Fraction
from math import lcm
from typing import Self

from tournament.standings.errors import PointSystemError
from tournament.standings.results import Kind

MOST_UNITS = 1000
MOST_POINTS = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class PointSystem:
    """Units awarded for each kind of round; the defaults are the classic 1, ½, 0.

    Raises PointSystemError when a worse result would be worth more, when two draws would be
    worth more than a win and a loss, or when not playing would be worth more than winning.
    """

    unit: int = 2
    win: int = 2
    draw: int = 1
    loss: int = 0
    forfeit_win: int = 2
    forfeit_loss: int = 0
    pairing_bye: int = 2
    full_bye: int = 2
    half_bye: int = 1
    zero_bye: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.unit <= MOST_UNITS:
            raise PointSystemError(f"a point has 1 to {MOST_UNITS} units, not {self.unit}")
        for field in fields(self):
            worth = getattr(self, field.name)
            if not 0 <= worth <= MOST_POINTS * self.unit:
                raise PointSystemError(
                    f"{field.name.replace('_', ' ')} is worth {self.format_units(worth)} points; "
                    f"0 to {MOST_POINTS} can be awarded"
                )
        if not self.loss <= self.draw <= self.win or self.loss == self.win:
            raise PointSystemError("a win is worth more than a loss, and a draw lies between them")
        if 2 * self.draw > self.win + self.loss:
            raise PointSystemError("two draws would be worth more than a win and a loss")
        if self.forfeit_loss > self.loss:
            raise PointSystemError("a lost forfeit would be worth more than a lost game")
        if max(self.forfeit_win, self.pairing_bye, self.full_bye) > self.win:
            raise PointSystemError("a round not played would be worth more than a won game")
        if not self.zero_bye <= self.half_bye <= self.full_bye:
            raise PointSystemError("a half-point bye lies between a zero and a full-point bye")
        if self.zero_bye > self.draw:
            raise PointSystemError("absence would be worth more than a drawn game")

    @classmethod
    def from_points(cls, **points: Fraction | int) -> Self:
        """Build from whole or fractional points, `from_points(win=3, draw=1)`.

        What is not named follows from win, draw and loss as in the classic system: forfeits and
        full byes as games, the half bye as a draw, absence as a loss.
        """
        win, draw, loss = (
            points.get("win", 1),
            points.get("draw", Fraction(1, 2)),
            points.get("loss", 0),
        )
        worth = {
            "win": win,
            "draw": draw,
            "loss": loss,
            "forfeit_win": win,
            "forfeit_loss": loss,
            "pairing_bye": win,
            "full_bye": win,
            "half_bye": draw,
            "zero_bye": loss,
        }
        unknown = points.keys() - worth.keys()
        if unknown:
            raise PointSystemError(f"no such result: {', '.join(sorted(unknown))}")
        exact = {name: Fraction(value) for name, value in (worth | points).items()}
        unit = lcm(2, *(value.denominator for value in exact.values()))
        if unit > MOST_UNITS:
            raise PointSystemError(f"a point has at most {MOST_UNITS} units")
        return cls(unit=unit, **{name: int(value * unit) for name, value in exact.items()})

    def units_of(self, kind: Kind) -> int:
        """Return the units that a kind of round is worth."""
        units: int = getattr(self, kind.name.lower())
        return units

    def format_units(self, units: int) -> str:
        """Write units as points, exactly where a decimal can: `format_units(5) == "2.5"`."""
        return format_decimal(Fraction(units, self.unit))


def format_decimal(value: Fraction | int, places: int = 6) -> str:
    """Write a number as a decimal of at most `places` places, without trailing zeros.

    Rounds half away from zero, which only shows in numbers that no short decimal can hold.

    >>> format_decimal(Fraction(5, 2)), format_decimal(Fraction(2, 3)), format_decimal(4)
    ('2.5', '0.666667', '4')
    """
    if isinstance(value, int) or value.denominator == 1:
        return str(int(value))
    scale = 10**places
    magnitude = (2 * abs(value.numerator) * scale + value.denominator) // (2 * value.denominator)
    whole, part = divmod(magnitude, scale)
    digits = f"{part:0{places}d}".rstrip("0")
    sign = "-" if value.numerator < 0 and magnitude else ""
    return f"{sign}{whole}.{digits}" if digits else f"{sign}{whole}"


CLASSIC = PointSystem()
