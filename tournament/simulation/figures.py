"""The mean of each measure over many simulations, with its sampling error.

Totals are exact whole numbers, so they are the same however the simulations are divided. An
interval contains the mean of endless simulations with a probability of 95 %: of a share by Wilson
(1927), of the others by the normal distribution.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import add

from ratings.systems.elo import MILLION
from ratings.systems.reliability import QUANTILE
from tournament.simulation.measures import MEASURES, SHARES, Measures


@dataclass(frozen=True, slots=True)
class Figure:
    """A mean and its interval of 95 %."""

    value: float
    low: float
    high: float

    @property
    def error(self) -> float:
        """Return half of the width of the interval."""
        return (self.high - self.low) / 2


@dataclass(frozen=True, slots=True)
class Totals:
    """The sums of measures in millionths, and of their squares, over some simulations."""

    simulations: int = 0
    sums: tuple[int, ...] = (0,) * len(MEASURES)
    squares: tuple[int, ...] = (0,) * len(MEASURES)

    @classmethod
    def of(cls, measured: Iterable[Measures]) -> "Totals":
        """Return the totals of some simulations."""
        totals = cls()
        for measures in measured:
            totals += cls(1, measures, tuple(value * value for value in measures))
        return totals

    def __add__(self, other: "Totals") -> "Totals":
        return Totals(
            self.simulations + other.simulations,
            tuple(map(add, self.sums, other.sums)),
            tuple(map(add, self.squares, other.squares)),
        )

    def figure(self, name: str) -> Figure:
        """Return a measure over one or more simulations."""
        index = MEASURES.index(name)
        return estimate(
            self.simulations, self.sums[index], self.squares[index], is_share=name in SHARES
        )

    def as_json(self) -> list[list[int]]:
        """Return the totals as lists, which `parse` reads."""
        return [[self.simulations], list(self.sums), list(self.squares)]

    @classmethod
    def parse(cls, value: Sequence[Sequence[int]]) -> "Totals":
        """Return the totals that `as_json` has written."""
        (simulations,), sums, squares = value
        return cls(simulations, tuple(sums), tuple(squares))


def estimate(count: int, total: int, squares: int, *, is_share: bool) -> Figure:
    """Return the mean of `count` values, given their sum and that of their squares in millionths.

    A share is between 0 and 1. A single value of another measure has no known error; its interval
    is the value.
    """
    mean = total / count / MILLION
    if is_share:
        return _wilson(mean, count)
    if count < 2:
        return Figure(mean, mean, mean)
    variance = max(0, count * squares - total * total) / (count * (count - 1)) / MILLION**2
    radius = QUANTILE * math.sqrt(variance / count)
    return Figure(mean, mean - radius, mean + radius)


def _wilson(share: float, count: int) -> Figure:
    """Return the interval of Wilson (1927), within 0 and 1."""
    spread = QUANTILE**2 / count
    middle = (share + spread / 2) / (1 + spread)
    radius = math.sqrt(spread * (share * (1 - share) + spread / 4)) / (1 + spread)
    return Figure(share, max(middle - radius, 0.0), min(middle + radius, 1.0))
