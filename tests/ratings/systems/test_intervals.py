"""The interval of 95 % next to a rating."""

import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.elo import LOSS, MILLI, WIN, Elo, PlayerState, RatedGame, rate_batch
from ratings.systems.intervals import MOST_INTERVAL_GAMES, Interval, interval_of
from ratings.systems.presets import PRESETS


@pytest.mark.parametrize(
    ("rating", "games", "interval"),
    [
        (1500_000, 0, Interval(814, 2186)),  # 1.96 x 350 = 685.99
        (1500_500, 0, Interval(814, 2187)),
        (0, 0, Interval(-686, 686)),
    ],
)
def test_an_interval_has_whole_points_and_is_rounded_outwards(
    rating: int, games: int, interval: Interval
) -> None:
    assert interval_of(PRESETS["decay"], rating, games) == interval


def test_with_a_constant_k_the_deviation_approaches_a_limit() -> None:
    """It is sqrt(K x 200 / ln 10), or somewhat more, because opponents differ by 200 points."""
    low, high = interval_of(Elo(k0=24, kmin=24), 1500_000, MOST_INTERVAL_GAMES)
    limit = math.sqrt(24 * 200 / math.log(10))
    assert limit < (high - low) / 2 / 1.96 < 1.2 * limit


@given(
    system=st.sampled_from(sorted(PRESETS)),
    rating=st.integers(0, 4000 * MILLI),
    games=st.integers(0, 2 * MOST_INTERVAL_GAMES),
)
def test_the_interval_contains_the_rating_and_narrows(system: str, rating: int, games: int) -> None:
    preset = PRESETS[system]
    (low, high), (later_low, later_high) = (
        interval_of(preset, rating, number) for number in (games, games + 1)
    )
    assert low * MILLI < rating < high * MILLI
    assert low <= later_low
    assert later_high <= high


@pytest.mark.parametrize("system", ["decay", "fixed"])
def test_nineteen_in_twenty_simulated_players_are_in_their_interval(system: str) -> None:
    """The strengths have a standard deviation of 350 points, those of opponents one of 200."""
    elo = PRESETS[system]
    assert isinstance(elo, Elo)
    random, players = Random(1), 400
    inside = dict.fromkeys((5, 10, 20, 40, 100), 0)
    for _ in range(players):
        strength = random.gauss(1500, 350)
        state = PlayerState(1500 * MILLI, 0)
        while state.games < max(inside):
            opponent = random.gauss(strength, 200)
            wins = random.random() < 1 / (1 + 10 ** ((opponent - strength) / 400))
            game = RatedGame("player", "opponent", WIN if wins else LOSS)
            states = {"player": state, "opponent": PlayerState(round(opponent * MILLI), 100)}
            state = rate_batch(states, [game], elo).states()["player"]
            if state.games in inside:
                low, high = interval_of(elo, state.rating, state.games)
                inside[state.games] += low <= strength <= high
    error = 3 * math.sqrt(0.95 * 0.05 / players)
    shares = {games: count / players for games, count in inside.items()}
    assert all(abs(share - 0.95) <= error for share in shares.values()), shares
