"""Points as whole numbers of units: no floating-point number decides a rank.

A unit is the smallest step between the points of an event. With `unit=2` a point is two units and
a draw is worth 1 unit; an event that awards quarter points has `unit=4`.
"""

from dataclasses import dataclass, fields
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import Self

from games.rules.text import Text, Word
from tournament.standings.errors import PointSystemError
from tournament.standings.results import Kind

Number = int | Fraction
"""An exact number."""
MOST_UNITS = 1000
MOST_POINTS = 1000
FIELD_NAMES = {kind: kind.name.lower() for kind in Kind}
"""The field of a point system for each kind of result."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PointSystem:
    """The units that each kind of result is worth; the defaults are the classic 1, ½, 0.

    Raises PointSystemError if a worse result is worth more, if two draws are worth more than a win
    and a loss, or if an unplayed round is worth more than a win.
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
            raise PointSystemError(
                Text(
                    "a point has 1 to %(most)s units, not %(count)s",
                    most=MOST_UNITS,
                    count=self.unit,
                )
            )
        for field in fields(self):
            units = getattr(self, field.name)
            if not 0 <= units <= MOST_POINTS * self.unit:
                raise PointSystemError(
                    Text(
                        "%(kind)s is worth %(points)s points; 0 to %(most)s are allowed",
                        kind=_name_result(field.name),
                        points=self.format_units(units),
                        most=MOST_POINTS,
                    )
                )
        if not self.loss <= self.draw <= self.win or self.loss == self.win:
            raise PointSystemError(
                Text("a win must be worth more than a loss, with a draw in between")
            )
        if 2 * self.draw > self.win + self.loss:
            raise PointSystemError(Text("two draws are worth more than a win and a loss"))
        if self.forfeit_loss > self.loss:
            raise PointSystemError(Text("a forfeit loss is worth more than a lost game"))
        if max(self.forfeit_win, self.pairing_bye, self.full_bye) > self.win:
            raise PointSystemError(Text("an unplayed round is worth more than a won game"))
        if not self.zero_bye <= self.half_bye <= self.full_bye:
            raise PointSystemError(
                Text("a half-point bye must be worth between a zero-point and a full-point bye")
            )
        if self.zero_bye > self.draw:
            raise PointSystemError(Text("a zero-point bye is worth more than a drawn game"))

    @classmethod
    def from_points(cls, **points: Number) -> Self:
        """Return the system with these points, as in `from_points(win=3, draw=1)`.

        The points of other results are those of `complete_points`.
        """
        exact = {name: Fraction(value) for name, value in complete_points(**points).items()}
        unit = lcm(2, *(value.denominator for value in exact.values()))
        if unit > MOST_UNITS:
            raise PointSystemError(Text("a point has at most %(most)s units", most=MOST_UNITS))
        return cls(unit=unit, **{name: int(value * unit) for name, value in exact.items()})

    def units_of(self, kind: Kind) -> int:
        """Return the units that a kind of result is worth."""
        units: int = getattr(self, FIELD_NAMES[kind])
        return units

    def format_units(self, units: int) -> str:
        """Write units as points, for example `format_units(5) == "2.5"`."""
        return format_decimal(to_points(units, self.unit))


CLASSIC = PointSystem()


def complete_points(**points: Number) -> dict[str, Number]:
    """Return the points of all results; those not given follow from the games.

    Forfeits and full-point byes are worth a win or a loss, a half-point bye a draw, a zero-point
    bye a loss. Raises PointSystemError for an unknown result.
    """
    win, loss = points.get("win", 1), points.get("loss", 0)
    draw = points.get("draw", Fraction(1, 2))
    values = {
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
    unknown = points.keys() - values.keys()
    if unknown:
        detail = Text("unknown result: %(word)s", word=", ".join(sorted(unknown)))
        raise PointSystemError(detail, [*values])
    return values | points


@lru_cache(maxsize=2**14)
def to_points(units: Number, scale: int) -> Number:
    """Divide units by `scale`, the units of a point; a whole result is an `int`.

    Cached because few values occur in many rows.
    """
    if isinstance(units, int) and units % scale == 0:
        return units // scale
    exact = Fraction(units) / scale
    return exact.numerator if exact.denominator == 1 else exact


@lru_cache(maxsize=2**14)
def format_decimal(value: Number, places: int = 6) -> str:
    """Write a number as a decimal of at most `places` places, without trailing zeros.

    Numbers with more places are rounded half away from zero. Cached because few numbers occur in
    many rows.

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


def _name_result(field: str) -> str:
    """Return what the value of a field is for, such as `pairing bye`."""
    return Word(field.replace("_", " "), Kind(field).label)
