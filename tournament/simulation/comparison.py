"""The formats of a plan compared: how long each takes, and which one is recommended.

The aim of a plan is that the strongest player wins (`winner`), or that the final order follows the
true one (`order`, by Kendall's tau). The recommendation is the shortest of the formats that do not
differ significantly from the best one by that figure: their difference is within the sampling error
of both together, corrected for the number of pairs of formats (Bonferroni), since any of them could
have been the best. All formats meet the same strengths and the same random numbers, so the true
error is smaller than that. Of formats that are as long, the one that the caller names first is
recommended, whatever the figures are: these differ from seed to seed, the order does not.

The other formats are compared with the one that is recommended. One is clearly less only if its
difference exceeds that error by so much that other simulations would hardly recommend it; else so
many simulations cannot tell the two apart with certainty, and with another seed the other one may
be recommended.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import NormalDist
from typing import Final

from ratings.systems.reliability import QUANTILE
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.simulation.figures import Figure, Totals
from tournament.simulation.measures import FLOAT_MEASURES
from tournament.simulation.plans import Format

AIMS: Final = {"winner": "winner", "order": "tau"}
"""The figure that is compared, by aim."""
CONFIDENCE: Final = 0.95
CLEARLY: Final = 1.3
"""Errors of 95 % beyond those of all comparisons; other simulations hardly differ by as much."""


class Reason(StrEnum):
    """Why a format is recommended, or is not."""

    RECOMMENDED = "recommended"
    EQUAL = "equal"
    """So many simulations cannot tell it apart from the recommended one with certainty."""

    WORSE = "worse"
    """Its figure is clearly less than that of the recommended one."""


@dataclass(frozen=True, slots=True)
class Day:
    """The minutes of a round, and those between two rounds."""

    round_minutes: int
    pause_minutes: int

    def minutes(self, rounds: int) -> int:
        """Return the minutes from the start of the first round to the end of the last one."""
        return rounds * self.round_minutes + (rounds - 1) * self.pause_minutes


@dataclass(frozen=True, slots=True)
class ComparedFormat:
    """A format with its totals, the minutes of its day, and the boards that its rounds need."""

    format: Format
    totals: Totals
    minutes: int
    boards: int

    @property
    def name(self) -> str:
        """Return the name of its pairing system."""
        return PAIRING_SYSTEMS[self.format.system].name

    def figure(self, measure: str) -> Figure | None:
        """Return a measure; None without simulations, and for the floats of a schedule."""
        if not self.totals.simulations:
            return None
        if measure in FLOAT_MEASURES and PAIRING_SYSTEMS[self.format.system].has_schedule:
            return None
        return self.totals.figure(measure)


@dataclass(frozen=True, slots=True)
class FormatVerdict:
    """What the recommendation says about a format.

    `figure` is that of the aim, `longer` the minutes that its day is longer than the recommended
    one, negative if it is shorter.
    """

    index: int
    reason: Reason
    figure: Figure
    longer: int


def compare_formats(
    formats: Sequence[Format], totals: Sequence[Totals], players: int, day: Day
) -> tuple[ComparedFormat, ...]:
    """Return the formats with their totals, in the same order."""
    return tuple(
        ComparedFormat(one, total, day.minutes(one.rounds), players // 2)
        for one, total in zip(formats, totals, strict=True)
    )


def recommend(compared: Sequence[ComparedFormat], aim: str) -> tuple[FormatVerdict, ...]:
    """Return a verdict about every format: the recommended one first, then the best ones.

    Raises KeyError for an unknown aim.
    """
    figures = [row.totals.figure(AIMS[aim]) for row in compared]
    best = max(range(len(compared)), key=lambda index: figures[index].value)
    errors = _errors_of_all(len(compared))
    equal = [i for i in range(len(compared)) if not _is_less(figures[i], figures[best], errors)]
    chosen = min(equal, key=lambda i: (compared[i].minutes, i))
    order = sorted(range(len(compared)), key=lambda i: (i != chosen, -figures[i].value, i))
    return tuple(
        FormatVerdict(
            index=i,
            reason=Reason.RECOMMENDED
            if i == chosen
            else Reason.WORSE
            if _is_less(figures[i], figures[chosen], errors + CLEARLY)
            else Reason.EQUAL,
            figure=figures[i],
            longer=compared[i].minutes - compared[chosen].minutes,
        )
        for i in order
    )


def _errors_of_all(formats: int) -> float:
    """Return how many errors of 95 % the largest of as many differences may be by chance."""
    compared = max(formats * (formats - 1) // 2, 1)
    return NormalDist().inv_cdf(1 - (1 - CONFIDENCE) / 2 / compared) / QUANTILE


def _is_less(figure: Figure, other: Figure, errors: float) -> bool:
    """Return True if a figure is less than another by more than so many sampling errors."""
    return other.value - figure.value > errors * math.hypot(other.error, figure.error)
