"""What other systems make of the games of one player."""

import pytest

from ratings.systems.intervals import Interval
from ratings.systems.research.second_opinions import (
    OPINIONS,
    rate_by_glicko2,
    rate_by_whole_history,
)


def test_glicko2_of_a_player_against_known_opponents() -> None:
    """A new player draws with one who is equal, which leaves the volatility nearly as it was."""
    after = rate_by_glicko2(1500, {10: [(1500, 0.5)]}, 10)
    # v = 4 and phi = 2.0148 before, so phi = 1 / sqrt(1 / (2.0148^2 + 0.06^2) + 1 / 4) = 1.4198
    assert after == (1500, Interval(1016, 1984))


def test_whole_history_of_a_player_against_known_opponents() -> None:
    """A prior of a won and a lost game and one draw give the information 3/4."""
    margin = 1.959964 * (4 / 3) ** 0.5 * 173.7178
    after = rate_by_whole_history(1500, {10: [(1500, 0.5)]}, 10)
    assert after == (1500, Interval(int(1500 - margin), int(1500 + margin) + 1))


@pytest.mark.parametrize("system", OPINIONS)
def test_a_better_score_gives_a_higher_rating_and_time_a_wider_interval(system: str) -> None:
    rate = OPINIONS[system]
    games = {1: [(1400.0, 1.0), (1700.0, 0.0)], 30: [(1600.0, 0.5)]}
    opinion = rate(1500, games, 30)
    assert opinion.interval.low < opinion.rating < opinion.interval.high
    assert rate(1500, games | {30: [(1600.0, 1.0)]}, 30).rating > opinion.rating
    later = rate(1500, games, 1000)
    assert later.rating == opinion.rating
    assert later.interval.low < opinion.interval.low
    assert later.interval.high > opinion.interval.high
