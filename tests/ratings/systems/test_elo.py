from decimal import Decimal, localcontext
from fractions import Fraction
from math import floor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.elo import (
    DRAW,
    LOSS,
    WIN,
    Elo,
    PlayerState,
    RatedGame,
    RatingError,
    rate_batch,
)
from ratings.systems.presets import PRESETS, BadParameter, find_preset

DECAY, FIXED = PRESETS["decay"], PRESETS["fixed"]

# The same rules again, with fractions and decimals only -----------------------------------


def nearest(value: Fraction) -> int:
    """The nearest whole number, a half away from zero."""
    return floor(value + Fraction(1, 2)) if value >= 0 else -floor(-value + Fraction(1, 2))


def oracle_expected(own: int, opponent: int, part: int) -> Fraction:
    points = max(-2000, min(2000, nearest(Fraction(own - opponent + part, 1000))))
    with localcontext() as context:
        context.prec = 70
        exact = 1 / (1 + Decimal(10) ** (Decimal(-abs(points)) / 400))
    upper = Fraction(nearest(Fraction(exact) * 10**6), 10**6)
    return upper if points >= 0 else 1 - upper


def oracle_k(elo: Elo, games: int) -> Fraction:
    added = Fraction((elo.k0 - elo.kmin) * 1000 * elo.n0, elo.n0 + games)
    return Fraction(1000 * elo.kmin + floor(added + Fraction(1, 2)), 1000)


def oracle_batch(states, games, elo):
    """Ratings in milli after the batch, of everyone in it."""
    start = PlayerState(elo.start * 1000, 0)
    change: dict[str, Fraction] = {}
    for first, second, score, part in games:
        for own, other, points, help_ in (
            (first, second, Fraction(score, 10**6), part),
            (second, first, 1 - Fraction(score, 10**6), -part),
        ):
            mine, theirs = states.get(own, start), states.get(other, start)
            expected = oracle_expected(mine.rating, theirs.rating, help_)
            change[own] = change.get(own, Fraction(0)) + (points - expected) * oracle_k(
                elo, mine.games
            )
    return {
        player: states.get(player, start).rating + nearest(moved * 1000)
        for player, moved in change.items()
    }


def expected_score(difference: int) -> int:
    """The expected score of a player this many milli above the opponent."""
    states = {"a": PlayerState(difference, 0), "b": PlayerState(0, 0)}
    ((_, expected),) = rate_batch(states, [RatedGame("a", "b", DRAW)], FIXED).games
    return expected


# Golden values, computed by hand --------------------------------------------------------------


@pytest.mark.parametrize(
    ("difference", "expected"),
    [
        (499, 500_000),
        (500, 501_439),  # half a point is rounded away from zero
        (-499, 500_000),
        (-500, 498_561),
        (9_999_999, 999_990),
        (-9_999_999, 10),
    ],
)
def test_expected_score(difference, expected):
    assert expected_score(difference) == expected


def test_every_entry_of_the_table_is_the_nearest_millionth():
    """E < x exactly if 10^-D > (1/x - 1)^400, which whole numbers can decide."""
    for gap in range(2001):
        expected = expected_score(gap * 1000)
        for bound, above in ((2 * expected + 1, True), (2 * expected - 1, False)):
            part = 2_000_000 - bound
            is_below = bound**400 > part**400 * 10**gap
            assert is_below is above, gap


@pytest.mark.parametrize(
    ("elo", "states", "games", "after"),
    [
        # the sum is rounded once: 3 x 24 x .498561 = 35.896392; one by one it would be 35.895
        (
            FIXED,
            {"a": (1501_000, 0), "b": (1500_000, 0)},
            [("a", "b", WIN)] * 3,
            {"a": (1536_896, 3), "b": (1464_104, 3)},
        ),
        # each K depends on the player's own games: 100 and 56
        (
            DECAY,
            {"b": (1500_000, 10)},
            [("a", "b", LOSS)],
            {"a": (1450_000, 1), "b": (1528_000, 11)},
        ),
        # 400 points of handicap for the second seat: 24 x (1 - .090909)
        (FIXED, {}, [("a", "b", WIN, -400_000)], {"a": (1521_818, 1), "b": (1478_182, 1)}),
    ],
)
def test_a_batch_computed_by_hand(elo, states, games, after):
    before = {player: PlayerState(*state) for player, state in states.items()}
    done = rate_batch(before, [RatedGame(*game) for game in games], elo)
    assert done.states() == {player: PlayerState(*state) for player, state in after.items()}


def test_a_change_contains_all_values_of_its_computation():
    states = {"a": PlayerState(1600_000, 10), "b": PlayerState(1500_400, 70)}
    first, second = rate_batch(states, [RatedGame("a", "b", DRAW, 40_000)], DECAY).changes()
    # 1600 - 1500.4 + 40 = 139.6, so 140 points: E = .691236
    assert first == (
        0, "a", "b", "first", 1600_000, 1500_400, 40_000,
        691_236, 56_000, 500_000, -191_236 * 56_000, 1589_291,
    )  # fmt: skip
    assert second == (
        0, "b", "a", "second", 1500_400, 1600_000, -40_000,
        308_764, 23_000, 500_000, 191_236 * 23_000, 1504_798,
    )  # fmt: skip


# Properties ----------------------------------------------------------------------------------

players = st.sampled_from("abcdef")
rated_games = st.builds(
    RatedGame, players, players, st.sampled_from([WIN, DRAW, LOSS]), st.integers(-900, 900)
).filter(lambda game: game.first != game.second)
batches = st.lists(rated_games, max_size=12)
histories = st.lists(batches, max_size=5)
many_states = st.dictionaries(
    players, st.builds(PlayerState, st.integers(-3_000_000, 6_000_000), st.integers(0, 300))
)
systems = st.sampled_from([DECAY, FIXED, Elo(k0=333, kmin=7, n0=3, start=0)])


@given(many_states, histories, systems)
def test_whole_histories_match_the_oracle(states, history, elo):
    for games in history:
        after = rate_batch(states, games, elo).states()
        ratings = {player: state.rating for player, state in after.items()}
        assert ratings == oracle_batch(states, games, elo)
        states = {**states, **after}


@given(many_states, batches, systems)
def test_the_changes_of_a_batch_explain_its_states(states, games, elo):
    done = rate_batch(states, games, elo)
    changes = list(done.changes())
    for player, state in done.states().items():
        own = [change for change in changes if change.player == player]
        before = states.get(player, PlayerState(elo.start * 1000, 0))
        assert state.games == before.games + len(own)
        assert {(change.before, change.after) for change in own} == {(before.rating, state.rating)}
        change = Fraction(sum(change.share for change in own), 10**6)
        assert state.rating == before.rating + nearest(change)


# Errors --------------------------------------------------------------------------------------


def test_a_player_cannot_have_both_seats():
    with pytest.raises(RatingError, match="both seats"):
        rate_batch({}, [RatedGame("a", "a", WIN)], FIXED)


def test_parameters_change_a_preset():
    assert find_preset("fixed", {"k0": 40, "kmin": 40}) == Elo(k0=40, kmin=40)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"q": 1}, "valid are: k0, kmin, n0, start"),
        ({"k0": 0}, "k0 must be a whole number from 1 to 1000"),
        ({"n0": 1.5}, "n0 must be a whole number"),
        ({"n0": True}, "n0 must be a whole number"),
        ({"kmin": 200}, "kmin 200 must not exceed k0 100"),
    ],
)
def test_bad_parameters_are_rejected(parameters, message):
    with pytest.raises(BadParameter, match=message):
        find_preset("decay", parameters)
