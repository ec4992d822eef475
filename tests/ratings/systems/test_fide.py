"""FIDE's rating system; the golden values are those of ratings.fide.com/calc.phtml."""

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.elo import DRAW, LOSS, WIN, RatedGame, RatingError
from ratings.systems.fide import (
    Fide,
    FideState,
    InitialEvent,
    KRule,
    expected_score,
    is_junior,
    rate_period,
    read_state,
    repeat_change,
    start_rated,
)

FIDE, WITHOUT_LIMIT = Fide(), Fide(limit_400=0)

# Table 8.1.2 as printed: the last difference of each expected score of the stronger player.
PRINTED = """
3 .50    10 .51   17 .52   25 .53   32 .54   39 .55   46 .56   53 .57   61 .58   68 .59
76 .60   83 .61   91 .62   98 .63   106 .64  113 .65  121 .66  129 .67  137 .68  145 .69
153 .70  162 .71  170 .72  179 .73  188 .74  197 .75  206 .76  215 .77  225 .78  235 .79
245 .80  256 .81  267 .82  278 .83  290 .84  302 .85  315 .86  328 .87  344 .88  357 .89
374 .90  391 .91  411 .92  432 .93  456 .94  484 .95  517 .96  559 .97  619 .98  735 .99
"""


def printed_score(difference: int) -> int:
    cells = PRINTED.split()
    for last, score in zip(cells[::2], cells[1::2], strict=True):
        if difference <= int(last):
            return int(score[1:]) * 10_000
    return 1_000_000


def test_every_difference_has_the_printed_expected_score():
    for difference in range(1000):
        score = printed_score(difference)
        for rating, fide in ((2649_000, WITHOUT_LIMIT), (2650_000, FIDE)):
            assert expected_score(difference, fide, rating=rating) == score
            if difference:
                assert expected_score(-difference, fide, rating=rating) == 1_000_000 - score
        assert expected_score(difference, FIDE, rating=2649_000) == min(score, 920_000)


def state(rating: int, games: int = 100, *, top: bool = False) -> FideState:
    return FideState(rating * 1000, games, top or rating >= 2400)


def play(own: FideState, opponents: str, *, junior: bool = False, fide: Fide = FIDE) -> int:
    """Return the new rating of a player after games such as `1500+ 1600= 1700-`; 0 is unrated."""
    states = {"own": own}
    games = []
    for number, text in enumerate(opponents.split()):
        rating = int(text[:-1])
        states[str(number)] = state(rating) if rating else FideState()
        games.append(RatedGame("own", str(number), {"+": WIN, "=": DRAW, "-": LOSS}[text[-1]]))
    done = rate_period(states, games, fide, juniors={"own"} if junior else ())
    return done.states()["own"].rating // 1000


@pytest.mark.parametrize(
    ("rating", "games", "top", "junior", "opponents", "after"),
    [
        # equal ratings: half of K
        (1400, 100, False, False, "1400+", 1410),
        (1500, 100, False, False, "1500-", 1490),
        # K 40 before 30 games
        (1400, 29, False, False, "1400+", 1420),
        (1400, 30, False, False, "1400+", 1410),
        (2350, 29, False, False, "2350+", 2370),
        # K 40 for a junior below 2300
        (2299, 100, False, True, "2299+", 2319),
        (2300, 100, False, True, "2300+", 2310),
        # K 10 from 2400 on, and for ever
        (2399, 100, False, False, "2399+", 2409),
        (2400, 100, False, False, "2400+", 2405),
        (2300, 100, True, False, "2300+", 2305),
        (2200, 10, True, True, "2200+", 2205),
        # a difference above 400 counts as 400: E = .92, 20 x .08 = 1.6
        (1805, 100, False, False, "1186+", 1807),
        (1405, 100, False, False, "2025-", 1403),
        # 8.3.1: from 2650 on, the actual difference counts, for this player alone
        (2649, 100, True, False, "2200+", 2650),  # 10 x .08
        (2650, 100, True, False, "2200+", 2651),  # E = .94: 10 x .06
        (2650, 100, True, False, "1900-", 2640),  # E = 1: 10 x -1
        (2700, 100, True, False, "1900+", 2700),
        (2200, 100, False, False, "2700+", 2218),  # E = .08
        # 7.2.1: unrated below 1400
        (1400, 100, False, False, "1400-", 0),
        (1410, 100, False, False, "1410-", 1400),
        (1409, 100, False, False, "1409-", 0),
        # 10 x .5 x 3 = 15; a half is rounded away from zero, once
        (2400, 100, False, False, "2400+ 2400+ 2400+", 2415),
        (2500, 100, False, False, "2479=", 2500),  # 10 x -.03
        (2500, 100, False, False, "2465=", 2499),  # 10 x -.05
        (2465, 100, False, False, "2500=", 2466),  # 10 x .05
        (2500, 100, False, False, "2465= 2465= 2465=", 2498),  # -1.5
        # K x n <= 700: 17 games at K 40 are 680, 18 get K 38
        (1400, 0, False, False, "1400+ " * 17, 1740),
        (1400, 0, False, False, "1400+ " * 18, 1742),
        (1400, 100, False, False, "1400+ " * 35, 1750),
        (1400, 100, False, False, "1400+ " * 36, 1742),  # K 19
        (2400, 100, False, False, "2400+ " * 71, 2720),  # K 9: 319.5
        (1400, 100, False, False, "1400+ " * 701, 1400),  # K 0
        # games against unrated opponents do not count
        (1400, 0, False, False, "0+ 0- 1400+", 1420),
    ],
)
def test_the_rating_of_a_rated_player(rating, games, top, junior, opponents, after):
    assert play(state(rating, games, top=top), opponents, junior=junior) == after


@pytest.mark.parametrize(
    ("before", "opponents", "after"),
    [
        ("", "1800+ 1800+ 1800+ 1800+", 0),
        ("", "1800+ 1800+ 1800+ 1800+ 0+", 0),
        ("", "1800+ 1800+ 1800+ 1800+ 1800+", 2109),  # 6/7 = .86: 1800 + 309
        ("", "2500+ 2500+ 2500+ 2500+ 2500+", 2200),
        ("", "1000+ 1000+ 1000+ 1000+ 1000+", 1538),  # 1228.57 + 309
        ("", "1800= 1800= 1800= 1800= 1800=", 1800),
        ("", "1500- 1500- 1500- 1500- 1500-", 0),  # 1/7 = .14: 1585.71 - 309 = 1276.71; 7.1.4
        ("", "1673- 1673- 1673- 1673- 1673-", 0),  # a first event without a point (8.2.1)
        ("1500=", "1645- 1645- 1645- 1645-", 1439),  # 11680/7 = 1668.57, 1.5/7 = .21: -230
        ("1500=", "1577- 1577- 1577- 1577-", 1400),  # 11408/7 = 1629.71
        ("1500=", "1576- 1576- 1576- 1576-", 0),  # 11404/7 = 1629.14: 1399.14 (7.1.4)
        ("1500- 1500- 1500- 1500- 1500=", "1800-", 0),  # 12900/8 = 1612.5, 1.5/8 = .19: -251
        ("1500- 1500- 1500- 1500- 1500=", "1800+", 1472),  # 2.5/8 = .31: -141, 1471.5
        ("1500- 1500- 1500- 1500- 1500-", "1800+ 1800+ 1800+ 1800+", 0),
        ("1500- 1500- 1500- 1500- 1500-", "1800+ 1800+ 1800+ 1800+ 1800+", 2109),
        ("1800+ 1800+ 1800+", "1800+", 0),
        ("1800+ 1800+ 1800+", "1800+ 1800+", 2109),
        ("1000+ 2000- 1700=", "1600+ 1600+ 1900-", 1718),  # 13400/8 = 1675, 4.5/8 = .56: 43
    ],
)
def test_the_rating_of_an_unrated_player(before, opponents, after):
    """`before` are the games of an earlier period."""
    earlier = FideState()
    if before:
        games = before.split()
        scores = {"+": WIN, "=": DRAW, "-": LOSS}
        rated = [int(game[:-1]) * 1000 for game in games]
        points = sum(scores[game[-1]] for game in games)
        earlier = FideState(initial=(InitialEvent(-1, 1, len(games), sum(rated), points),))
    assert play(earlier, opponents) == after


def test_an_unrated_player_is_rated_on_the_opponents_before_the_period():
    states = {name: state(1800) for name in "abcde"}
    games = [RatedGame("new", name, WIN) for name in "abcde"]
    done = rate_period(states, games, FIDE)
    event = InitialEvent(0, 0, 5, 9000_000, 5 * WIN)
    assert done.states() == {
        "new": FideState(2109_000, 5, initial=(event,)),
        **{name: FideState(1800_000, 100) for name in "abcde"},
    }
    player = done.players["new"]
    assert (player.rule, player.k) == (KRule.UNRATED, 0)


HISTORIES = {
    "lost first event": ([(0, 1, "--"), (0, 2, "+"), (1, 3, "++="), (2, 4, "=")], (5, 4.0)),
    "lost first events": ([(0, 1, "--"), (0, 2, "--"), (1, 3, "+++")], (5, 3.0)),
    "a later event": ([(0, 1, "+"), (0, 2, "--"), (1, 3, "++")], (5, 3.0)),
    "both in a month": ([(0, 1, "--"), (0, 2, "++++")], None),
    "the 26th month": ([(0, 1, "++"), (25, 2, "+++")], (5, 5.0)),
    "the 27th month": ([(0, 1, "++"), (26, 2, "+++")], None),
    "a month of an event": ([(0, 1, "="), (10, 2, "++"), (26, 3, "++"), (27, 4, "+")], (5, 5.0)),
    "old and lost": ([(0, 1, "-"), (30, 2, "--"), (31, 3, "+++")], (5, 3.0)),
    "an event of one month": ([(0, 1, "+-"), (0, 1, "+-"), (0, 1, "+")], (5, 3.0)),
}


@pytest.mark.parametrize(("events", "counted"), HISTORIES.values(), ids=HISTORIES)
def test_which_games_give_the_first_rating(events, counted):
    """`counted` are the games against opponents rated 1800, and their points; None: unrated."""
    opponent, own = state(1800), FideState()
    for month in sorted({month for month, _, _ in events}):
        games = [
            (RatedGame("own", f"{event}.{number}", {"+": WIN, "=": DRAW, "-": LOSS}[result]), event)
            for when, event, results in events
            if when == month
            for number, result in enumerate(results)
        ]
        states = {game.second: opponent for game, _ in games} | {"own": own}
        rated, of_events = zip(*games, strict=True)
        own = rate_period(states, rated, FIDE, period=month, events=of_events).states()["own"]
    if counted is None:
        assert (own.rating, own.games) == (0, 0)
    else:
        games, points = counted
        percent = Fraction(points + 1) / (games + 2)
        expected = play(FideState(), " ".join(["1800="] * games))
        assert own.games == games
        assert (own.rating > expected * 1000) is (percent > Fraction(1, 2))


def test_two_unrated_players_stay_as_they_are():
    done = rate_period({}, [RatedGame("a", "b", WIN)] * 6, FIDE)
    assert done.states() == {"a": FideState(), "b": FideState()}


@pytest.mark.parametrize(
    ("own", "junior", "games", "rule", "k", "is_capped"),
    [
        (state(1500, 29), False, 1, KRule.NEW, 40, False),
        (state(1500, 30), True, 1, KRule.JUNIOR, 40, False),
        (state(1500, 30), False, 36, KRule.STANDARD, 19, True),
        (state(2390, 30, top=True), True, 1, KRule.TOP, 10, False),
        (FideState(), True, 1, KRule.UNRATED, 0, False),
    ],
)
def test_the_rule_for_k_is_named(own, junior, games, rule, k, is_capped):
    done = rate_period(
        {"own": own, "other": state(1500)}, [RatedGame("own", "other", DRAW)] * games, FIDE,
        juniors={"own"} if junior else (),
    )  # fmt: skip
    player = done.players["own"]
    assert (player.rule, player.k, player.is_capped) == (rule, k * 1000, is_capped)


def test_k_changes_in_the_period_after_2400_was_reached():
    states = {"a": state(2395, 50), "b": state(2395, 50)}
    states |= rate_period(states, [RatedGame("a", "b", WIN)], FIDE).states()
    assert states == {"a": FideState(2405_000, 51, True), "b": FideState(2385_000, 51)}
    states |= rate_period(states, [RatedGame("a", "b", LOSS)], FIDE).states()
    # D = 20: E = .53; -5.3 with K 10 and +10.6 with K 20
    assert states == {"a": FideState(2400_000, 52, True), "b": FideState(2396_000, 52)}


def test_a_change_contains_all_values_of_its_computation():
    states = {"a": state(1600), "b": state(1500, 10)}
    done = rate_period(states, [RatedGame("a", "b", DRAW, 40_000), RatedGame("c", "b", WIN)], FIDE)
    # D = 140: E = .69
    assert list(done.changes()) == [
        (0, "a", "b", "first", 1600_000, 1500_000, 40_000, 690_000, 20_000, DRAW,
         -190_000 * 20_000, 1596_000),
        (0, "b", "a", "second", 1500_000, 1600_000, -40_000, 310_000, 40_000, DRAW,
         190_000 * 40_000, 1508_000),
        (1, "c", "b", "first", 0, 1500_000, 0, 0, 0, WIN, 0, 0),
        (1, "b", "c", "second", 1500_000, 0, 0, 0, 0, LOSS, 0, 1508_000),
    ]  # fmt: skip


@pytest.mark.parametrize(("year", "expected"), [(2025, True), (2026, True), (2027, False)])
def test_a_junior_is_one_until_the_end_of_the_year_of_the_18th_birthday(year, expected):
    assert is_junior(2008, year) is expected


def test_a_seed_rating_is_rounded_to_points():
    assert start_rated(2399_500) == FideState(2400_000, 0, True)
    assert start_rated(1399_500, 7) == FideState(1400_000, 7)
    assert start_rated(1399_499, 7) == FideState()


def test_a_player_below_1400_starts_again_like_any_other_unrated_player():
    states = {"a": state(1405, 40, top=True), "b": state(1405)}
    states |= rate_period(states, [RatedGame("a", "b", LOSS)], FIDE).states()
    assert states["a"] == FideState(1400_000, 41, True)
    states |= rate_period(states, [RatedGame("a", "b", LOSS)], FIDE).states()
    assert states["a"] == FideState()
    states |= rate_period(states, [RatedGame("a", "b", WIN)] * 5, FIDE).states()
    assert (states["a"].games, states["a"].has_reached_2400) == (5, False)


def test_a_player_cannot_have_both_seats():
    with pytest.raises(RatingError, match="both seats"):
        rate_period({}, [RatedGame("a", "a", WIN)], FIDE)


# Properties ----------------------------------------------------------------------------------

players = st.sampled_from("abcdef")
games_of_periods = st.lists(
    st.builds(RatedGame, players, players, st.sampled_from([WIN, DRAW, LOSS]),
              st.integers(-500_000, 500_000)).filter(lambda game: game.first != game.second),
    max_size=40,
)  # fmt: skip
many_states = st.dictionaries(
    players,
    st.builds(state, st.integers(1400, 2900), st.integers(0, 60), top=st.booleans())
    | st.builds(lambda games, opponents, points: FideState(
                    initial=(InitialEvent(-1, 9, games, opponents, points),)),
                st.integers(1, 4), st.integers(0, 8_000_000), st.integers(0, 4_000_000)),
)  # fmt: skip


@given(many_states, games_of_periods, st.frozensets(players))
def test_the_changes_of_a_period_explain_its_states(states, games, juniors):
    done = rate_period(states, games, FIDE, juniors=juniors)
    changes = list(done.changes())
    for player, after in done.states().items():
        before = states.get(player, FideState())
        own = [change for change in changes if change.player == player]
        counted = [change for change in own if change.k]
        if before.rating:
            assert {change.k * len(counted) <= 700_000 for change in counted} <= {True}
            points = Fraction(sum(change.share for change in own), 10**9)
            rounded = int(abs(points) + Fraction(1, 2)) * (1 if points >= 0 else -1)
            rating = before.rating + 1000 * rounded
            assert after.rating == (rating if rating >= 1400_000 else 0)
        else:
            assert not counted
            assert after.rating <= 2200_000
        assert after.rating % 1000 == 0


@given(many_states, games_of_periods, st.frozensets(players), st.randoms(use_true_random=False))
def test_the_order_inside_a_period_does_not_matter(states, games, juniors, chance):
    shuffled = chance.sample(games, len(games))
    assert (
        rate_period(states, games, FIDE, juniors=juniors).states()
        == rate_period(states, shuffled, FIDE, juniors=juniors).states()
    )


@given(
    many_states,
    st.lists(st.tuples(st.integers(1, 14), st.integers(0, 2), games_of_periods), max_size=6),
)
def test_the_states_follow_from_the_stored_changes(states, rounds):
    """After every month, the changes so far give the states, as a later run restores them."""
    restored, month = dict(states), 0
    for later, count, games in rounds:
        month += later
        events = sorted(month * 10 + number % (count + 1) for number in range(len(games)))
        done = rate_period(states, games, FIDE, period=month, events=events)
        states = states | done.states()
        for change in done.changes():
            before = restored.get(change.player, FideState())
            restored[change.player] = repeat_change(
                before,
                change.before,
                change.opponent_before,
                change.handicap_part,
                change.score,
                change.after,
                period=month,
                event=events[change.game],
            )
        assert restored == states
        assert {name: read_state(json.loads(json.dumps(own))) for name, own in states.items()} == (
            states
        )


@given(games_of_periods)
def test_with_equal_k_the_shares_add_up_to_zero(games):
    states = {name: state(1500 + 100 * number, 30) for number, name in enumerate("abcdef")}
    changes = rate_period(states, games[:10], FIDE).changes()
    assert sum(change.share for change in changes) == 0
