"""McMahon in small tournaments, and properties of any tournament."""

from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from games.rules.seat import Seat
from tests.tournament.pairing.events import play, table_of
from tournament.pairing.by_hand import check_by_hand
from tournament.pairing.errors import NoLegalPairing, OptionError
from tournament.pairing.request import PairingRequest
from tournament.pairing.systems.mcmahon import (
    check_options,
    handicap_ratings,
    pair_mcmahon,
    starting_scores,
)
from tournament.standings.crosstable import Kind, RoundResult
from tournament.standings.table import rank


@pytest.mark.parametrize(
    ("options", "points"),
    [
        ({}, [9, 8, 5, 1, 0, 0]),
        ({"bar": 1800}, [6, 6, 5, 1, 0, 0]),
        ({"floor": 1500}, [6, 5, 2, 0, 0, 0]),
        ({"bar": 1800, "floor": 1500}, [3, 3, 2, 0, 0, 0]),
        ({"band": 200, "bar": 1999}, [3, 3, 2, 0, 0, 0]),
        ({"band": 4000}, [0, 0, 0, 0, 0, 0]),
        ({"floor": 2500}, [0, 0, 0, 0, 0, 0]),
    ],
)
def test_starting_scores(options: dict[str, int], points: list[int]) -> None:
    ratings = [2150, 2000, 1799, 1300, 1250, 0]
    table = table_of([[]] * 6, 5, ratings)
    scores = starting_scores(table, options)
    assert [scores[n] // table.points.win for n in range(1, 7)] == points


def test_a_bar_below_the_floor_is_rejected() -> None:
    with pytest.raises(OptionError, match="the bar, 1500, is below the floor, 1800"):
        check_options({"bar": 1500, "floor": 1800})


@pytest.mark.parametrize(
    ("pairing_method", "pairs"),
    [
        ("folded", [{1, 6}, {2, 5}, {3, 4}]),
        ("adjacent", [{1, 2}, {3, 4}, {5, 6}]),
        ("slide", [{1, 4}, {2, 5}, {3, 6}]),
    ],
)
def test_pairing_methods_within_a_group(pairing_method: str, pairs: list[set[int]]) -> None:
    request = PairingRequest(
        crosstable=table_of([[]] * 6, 5), round=1, options={"pairing_method": pairing_method}
    )
    assert [set(pair) for pair in pair_mcmahon(request).pairs] == pairs


def test_rating_groups_are_paired_within_themselves_in_round_1() -> None:
    table = table_of([[]] * 8, 5, [2100, 2090, 2080, 2070, 1540, 1530, 1520, 1510])
    found = pair_mcmahon(PairingRequest(crosstable=table, round=1, options={"band": 500}))
    assert [set(pair) for pair in found.pairs] == [{1, 4}, {2, 3}, {5, 8}, {6, 7}]
    assert found.findings == ()


class TestFloats:
    """Groups of three, three and two: the lowest player floats to the next group."""

    RATINGS = (2150, 2140, 2130, 1850, 1840, 1830, 1450, 1440)

    def test_the_lowest_player_of_an_odd_group_floats(self) -> None:
        table = table_of([[]] * 8, 5, self.RATINGS)
        found = pair_mcmahon(PairingRequest(crosstable=table, round=1))
        assert [set(pair) for pair in found.pairs] == [{1, 2}, {3, 4}, {5, 6}, {7, 8}]

    def test_handicaps_are_recommended_from_scores_between_floor_and_bar(self) -> None:
        table = table_of([[]] * 8, 5, self.RATINGS)
        for options, values in [
            ({}, [700, 700, 700, 400, 400, 400, 0, 0]),
            ({"bar": 1899, "floor": 1500}, [300, 300, 300, 300, 300, 300, 0, 0]),
            ({"band": 200}, [600, 600, 600, 400, 400, 400, 0, 0]),
        ]:
            request = PairingRequest(crosstable=table, round=1, options=options)
            assert list(handicap_ratings(request).values()) == values

    def test_players_who_have_met_are_paired_within_their_group(self) -> None:
        """2 and 3 have met; so they cannot both be left over; 1 meets 3 and 2 meets 4."""
        rows = [
            [RoundResult(Kind.ZERO_BYE)],
            [RoundResult(Kind.LOSS, 3, Seat.FIRST)],
            [RoundResult(Kind.LOSS, 2, Seat.SECOND)],
            [RoundResult(Kind.ZERO_BYE)],
        ]
        rows += [[RoundResult(Kind.ZERO_BYE)] for _ in range(2)]
        table = table_of(rows, 5, [1900, 1900, 1900, 1900, 1500, 1500])
        found = pair_mcmahon(PairingRequest(crosstable=table, round=2))
        assert [set(pair) for pair in found.pairs] == [{1, 3}, {2, 4}, {5, 6}]


def test_the_lowest_player_who_may_have_the_bye_has_it() -> None:
    rows = [
        [RoundResult(Kind.ZERO_BYE)],
        [RoundResult(Kind.ZERO_BYE)],
        [RoundResult(Kind.PAIRING_BYE)],
    ]
    table = table_of(rows, 5, [1900, 1500, 1100])
    found = pair_mcmahon(PairingRequest(crosstable=table, round=2))
    assert (found.bye, set(found.pairs[0])) == (2, {1, 3})


def test_the_error_names_the_players_who_block() -> None:
    request = PairingRequest(
        crosstable=table_of([[]] * 2, 3), round=1, forbidden=frozenset({(1, 2)})
    )
    with pytest.raises(NoLegalPairing) as blocked:
        pair_mcmahon(request)
    assert blocked.value.players == (1, 2)


@given(
    st.integers(4, 24),
    st.sampled_from(["folded", "adjacent", "slide"]),
    st.sampled_from([50, 200, 4000]),
    st.integers(0, 2**32),
)
def test_every_round_is_legal_and_in_board_order(
    players: int, pairing_method: str, band: int, seed: int
) -> None:
    random = Random(seed)
    ratings = sorted(random.choice([0, random.randint(900, 2400)]) for _ in range(players))[::-1]
    options = {"pairing_method": pairing_method, "band": band, "bar": 2200}
    rounds = min(4, players // 2)
    for index, (table, found) in enumerate(
        play("mcmahon", players, rounds, seed=seed, ratings=ratings, options=options), start=1
    ):
        byes = {} if found.bye is None else {found.bye: Kind.PAIRING_BYE}
        assert not check_by_hand(table, index, found.pairs, byes)
        start = starting_scores(table, options)
        score = {n: start[n] + table.points_of(n) for n in start}
        highs = [max(score[a], score[b]) for a, b in found.pairs]
        assert all(higher >= lower for higher, lower in pairwise(highs))
        request = PairingRequest(crosstable=table, round=index, options=options)
        assert pair_mcmahon(request) == found


@given(st.integers(3, 7), st.integers(0, 2**32))
@example(half=5, seed=4250839)
def test_as_many_players_as_possible_stay_in_the_top_group(half: int, seed: int) -> None:
    """Compare the number of pairs within the top group with a search over all pairings."""
    random = Random(seed)
    players = 2 * half if half < 5 else 8
    apart = {
        (a, b)
        for a in range(1, players + 1)
        for b in range(a + 1, players + 1)
        if random.random() < 0.4
    }
    top = set(range(1, half + 1)) if half < players else {1, 2, 3, 4}
    ratings = [2000 if n in top else 1000 for n in range(1, players + 1)]
    request = PairingRequest(
        crosstable=table_of([[]] * players, 3, ratings), round=1, forbidden=frozenset(apart)
    )
    best = max(
        (
            sum(a in top and b in top for a, b in pairing)
            for pairing in all_pairings(list(range(1, players + 1)))
            if not apart & set(pairing)
        ),
        default=None,
    )
    if best is None:
        with pytest.raises(NoLegalPairing):
            pair_mcmahon(request)
        return
    found = pair_mcmahon(request).pairs
    assert sum(a in top and b in top for a, b in found) == best


def all_pairings(numbers: list[int]) -> list[list[tuple[int, int]]]:
    if not numbers:
        return [[]]
    first, rest = numbers[0], numbers[1:]
    return [
        [(first, second), *others]
        for second in rest
        for others in all_pairings([n for n in rest if n != second])
    ]


def test_the_mcmahon_score_is_the_sum_of_start_and_points() -> None:
    rows = [
        [RoundResult(Kind.LOSS, 2, Seat.FIRST)],
        [RoundResult(Kind.WIN, 1, Seat.SECOND)],
    ]
    table = table_of(rows, 5, [1900, 1500])
    start = starting_scores(table, {})
    started = replace(
        table,
        players=tuple(replace(player, start=start[player.number]) for player in table.players),
    )
    best, second = rank(started, "MMS,PTS")
    assert [(row.number, dict(row.values)) for row in (best, second)] == [
        (1, {"MMS": 4, "PTS": 0}),
        (2, {"MMS": 1, "PTS": 1}),
    ]
    assert [(term.round, term.value, term.kind) for term in second.terms("MMS")] == [
        (0, 0, "start"),
        (1, 1, "round"),
    ]
