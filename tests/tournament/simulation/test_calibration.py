"""Forecasts are calibrated: what is given a chance of 70 % occurs in 65 to 75 of 100 cases.

An event is played for some rounds and then forecast; the end that is compared with the forecast is
one more simulation, with random numbers of its own, so the strengths are known. The outcomes are
that a player is among the first k. Those of one event depend on each other, so the events count.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

import pytest

from tests.tournament.simulation.events import invented_event
from tournament.simulation.play import play_on
from tournament.simulation.strengths import Strengths
from tournament.simulation.tally import simulate

TOPS = (1, 2, 3, 4, 6)


def outcomes(
    events: int, simulations: int, *, players: int, system: str, draws: float
) -> Iterator[tuple[float, bool]]:
    """Yield the chance of each outcome, and whether it occurred."""
    for seed in range(events):
        random = Random(seed)
        event = invented_event(system, players, rounds=5)
        ratings = {number: random.gauss(1800, 200) for number in range(1, players + 1)}
        strengths = Strengths(
            ratings={number: round(1000 * rating) for number, rating in ratings.items()},
            draws=draws,
            first_seat=40_000,
        )
        event = replace(event, strengths=strengths)
        played = random.randrange(0, event.crosstable.rounds)
        through = play_on(event, random).crosstable.after(played)
        event = replace(event, crosstable=through)
        tally = simulate(event, None, seed=f"forecast {seed}", start=0, stop=simulations)
        order = play_on(event, Random(f"end {seed}")).order
        for number, own in tally.players.items():
            place = order.index(number)
            for top in TOPS:
                yield sum(own.places[:top]) / simulations, place < top


def share_of(found: Sequence[tuple[float, bool]], low: float, high: float) -> tuple[float, int]:
    """Return how often the outcomes with such a chance occurred, and their number."""
    chosen = [occurred for chance, occurred in found if low <= chance <= high]
    return sum(chosen) / len(chosen), len(chosen)


def test_a_few_forecasts_are_calibrated() -> None:
    found = list(outcomes(20, 40, players=8, system="dutch", draws=0.0))
    share, count = share_of(found, 0.6, 0.8)
    assert count > 60
    assert 0.62 < share < 0.78


@pytest.mark.long
@pytest.mark.parametrize(
    ("system", "draws"), [("dutch", 0.0), ("dutch", 0.3), ("monrad", 0.0), ("knockout", 0.0)]
)
def test_outcomes_given_70_percent_occur_in_65_to_75_of_100(system: str, draws: float) -> None:
    found = list(outcomes(300, 300, players=12, system=system, draws=draws))
    share, count = share_of(found, 0.65, 0.75)
    assert count > 500
    assert 0.65 <= share <= 0.75
    for low in (0.1, 0.3, 0.5, 0.8):
        share, count = share_of(found, low, low + 0.1)
        assert count > 100
        assert low - 0.05 <= share <= low + 0.15
