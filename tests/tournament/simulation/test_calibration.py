"""Forecasts are calibrated: what is given a chance of 70 % occurs in 65 to 75 of 100 cases.

The events are random tournaments (`random_tournament`, which does not use the simulation), so the
strengths are known. Each is forecast after some of its rounds, and the forecast is compared with
its end. The outcomes are that a player is among the first k. Those of one event depend on each
other, so there are many events.
"""

from collections.abc import Iterator, Sequence
from random import Random

import pytest

from tournament.pairing.random_tournament import RandomConditions, random_rounds
from tournament.simulation.event import SimulatedEvent
from tournament.simulation.strengths import Strengths
from tournament.simulation.tally import simulate
from tournament.standings.table import rank

TIEBREAKS = ("PTS", "BH/C1", "SB", "TPN")
TOPS = (1, 2, 3, 4)


def outcomes(
    events: int, simulations: int, *, draws: float = 0.0, error: int = 0, deviation: int = 0
) -> Iterator[tuple[float, bool]]:
    """Yield the chance of each outcome, and whether it occurred.

    The ratings have errors with this standard deviation; `deviation` is what the forecast assumes.
    """
    for seed in range(events):
        random = Random(seed)
        ratings = tuple(sorted((round(random.gauss(1800, 200)) for _ in range(8)), reverse=True))
        conditions = RandomConditions(players=8, rounds=4, seed=seed, draws=draws, ratings=ratings)
        *states, (end, _) = random_rounds(conditions)
        now, _ = random.choice(states)
        known = {
            number: 1000 * (rating + (round(random.gauss(0, error)) if error else 0))
            for number, rating in enumerate(ratings, start=1)
        }
        event = SimulatedEvent(
            system="dutch",
            crosstable=now.crosstable,
            strengths=Strengths(
                ratings=known,
                deviations=dict.fromkeys(known, 1000 * deviation) if deviation else {},
                draws=draws,
            ),
            tiebreaks=TIEBREAKS,
        )
        tally = simulate(event, None, seed=f"forecast {seed}", start=0, stop=simulations)
        ranks = {row.number: row.rank for row in rank(end.crosstable, TIEBREAKS)}
        for number, own in tally.players.items():
            for top in TOPS:
                yield sum(own.places[:top]) / simulations, ranks[number] <= top


def share_of(found: Sequence[tuple[float, bool]], low: float, high: float) -> tuple[float, int]:
    """Return how often the outcomes with such a chance occurred, and their number."""
    chosen = [occurred for chance, occurred in found if low <= chance <= high]
    return sum(chosen) / len(chosen), len(chosen)


def test_a_few_forecasts_are_calibrated() -> None:
    found = list(outcomes(12, 20))
    for low, high in ((0.15, 0.45), (0.55, 0.85)):
        share, count = share_of(found, low, high)
        assert count > 40
        assert low <= share <= high


@pytest.mark.long
def test_what_is_likely_by_ratings_with_errors_occurs_as_often() -> None:
    """With errors of 150 points, forecasts that take ratings as exact promise too much."""
    (exact, _), (uncertain, count) = (
        share_of(list(outcomes(150, 60, error=150, deviation=deviation)), 0.8, 0.98)
        for deviation in (0, 150)
    )
    assert count > 400
    assert exact < 0.8 < 0.83 < uncertain


@pytest.mark.long
@pytest.mark.parametrize("draws", [0.0, 0.3])
def test_outcomes_given_70_percent_occur_in_65_to_75_of_100(draws: float) -> None:
    found = list(outcomes(400, 100, draws=draws))
    share, count = share_of(found, 0.65, 0.75)
    assert count > 400
    assert 0.65 <= share <= 0.75
    for low in (0.1, 0.3, 0.5, 0.8):
        share, count = share_of(found, low, low + 0.1)
        assert count > 300
        assert low - 0.05 <= share <= low + 0.15
