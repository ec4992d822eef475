"""What the simulations of an event say about each player, with the error of the sampling.

A chance is the share of the simulations. Its error is half the width of the interval of Wilson
(1927) of 95 %; with 2,000 simulations it is 2.2 % at most. The interval of a rank contains the
places of 90 % of the simulations: 5 % are better, 5 % are worse.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ratings.systems.intervals import QUANTILE
from tournament.simulation.bounds import certain_in_top, score_bounds
from tournament.simulation.event import SimulatedEvent
from tournament.simulation.tally import PlayerTally, Tally
from tournament.standings.crosstable import PlayerId

TAIL = Fraction(5, 100)
"""The share of the simulations on either side of the interval of a rank."""


@dataclass(frozen=True, slots=True)
class Chance:
    """How likely something is, the sampling error, and what is certain: None if it is open."""

    share: Fraction
    error: float
    certain: bool | None


@dataclass(frozen=True, slots=True)
class RatingOutlook:
    """The mean change of a rating in the simulations, and its standard deviation, in milli."""

    mean: int
    deviation: int


@dataclass(frozen=True, slots=True)
class PlayerForecast:
    """What the simulations say about a player; `units` are the points after the complete rounds."""

    number: PlayerId
    units: int
    rating: int
    win: Chance
    top: Chance
    mean_rank: Fraction
    best_rank: int
    worst_rank: int
    change: RatingOutlook | None


def summarise(event: SimulatedEvent, tally: Tally, *, top: int) -> tuple[PlayerForecast, ...]:
    """Return the forecast of each ranked player, the most likely winner first.

    `top` is a number of players, at least 1.
    """
    bounds = score_bounds(event)
    winners: tuple[frozenset[PlayerId], frozenset[PlayerId]] = frozenset(), frozenset()
    in_top = winners
    if bounds is not None:
        winners, in_top = certain_in_top(bounds, 1), certain_in_top(bounds, top)
    rows = [
        PlayerForecast(
            number=number,
            units=event.crosstable.points_of(number),
            rating=event.strengths.ratings[number],
            win=_chance(own, 1, tally.simulations, _certainty(number, winners)),
            top=_chance(own, top, tally.simulations, _certainty(number, in_top)),
            mean_rank=mean_rank(own.places),
            best_rank=rank_at(own.places, TAIL),
            worst_rank=rank_at(own.places, 1 - TAIL),
            change=_outlook(own, tally.simulations) if own.squares else None,
        )
        for number, own in tally.players.items()
        if any(own.places)
    ]
    return tuple(sorted(rows, key=lambda row: (-row.win.share, row.mean_rank, row.number)))


def sampling_error(count: int, simulations: int) -> float:
    """Return half the width of the interval of Wilson of 95 % for `count` of the simulations."""
    share, spread = count / simulations, QUANTILE**2 / simulations
    return math.sqrt(spread * (share * (1 - share) + spread / 4)) / (1 + spread)


def mean_rank(places: Sequence[int]) -> Fraction:
    """Return the mean place; `places[p]` is how often a player was in place p + 1."""
    total = sum(place * count for place, count in enumerate(places, start=1))
    return Fraction(total, sum(places))


def rank_at(places: Sequence[int], share: Fraction) -> int:
    """Return the first place at or above which a share of the simulations has the player."""
    needed = share * sum(places)
    count = 0
    for place, times in enumerate(places, start=1):
        count += times
        if times and count >= needed:
            return place
    raise ValueError("the player has no place")


def _chance(own: PlayerTally, top: int, simulations: int, certain: bool | None) -> Chance:
    count = sum(own.places[:top])
    return Chance(Fraction(count, simulations), sampling_error(count, simulations), certain)


def _certainty(
    number: PlayerId, sets: tuple[frozenset[PlayerId], frozenset[PlayerId]]
) -> bool | None:
    inside, outside = sets
    return True if number in inside else False if number in outside else None


def _outlook(own: PlayerTally, simulations: int) -> RatingOutlook:
    mean = Fraction(own.change, simulations)
    variance = Fraction(own.squares, simulations) - mean * mean  # exact, so never negative
    return RatingOutlook(round(mean), round(math.sqrt(variance)))
