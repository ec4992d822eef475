"""Groups, then knockout: the groups, their rankings and the bracket."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournament.pairing.events import event, play, stronger_wins, table_of
from tournament.pairing.errors import OptionError, PairingRequestError, UndecidedTies
from tournament.pairing.findings import FindingCode
from tournament.pairing.request import PairingRequest
from tournament.pairing.systems.groups import (
    fill_groups,
    find_progress,
    pair_groups,
    rounds_needed,
    seed_bracket,
)
from tournament.standings.crosstable import Kind


def test_groups_are_filled_in_snake_order() -> None:
    assert fill_groups(range(1, 12), 3) == ((1, 6, 7), (2, 5, 8, 11), (3, 4, 9, 10))


def test_two_groups_of_four() -> None:
    rounds = list(play("groups-knockout", 8, 5, choose=stronger_wins))
    boards = [[tuple(sorted(pair)) for pair in pairings.pairs] for _, pairings in rounds]
    assert boards == [
        [(1, 8), (4, 5), (2, 7), (3, 6)],
        [(5, 8), (1, 4), (6, 7), (2, 3)],
        [(4, 8), (1, 5), (3, 7), (2, 6)],
        [(1, 3), (2, 4)],
        [(1, 2)],
    ]
    finding = rounds[3][1].findings[0]
    assert (finding.code, finding.players) == (FindingCode.QUALIFIED, (1, 2, 4, 3))


def test_all_ties_for_places_that_qualify_are_named_at_once() -> None:
    """Two groups of two end drawn; without a decision nobody has a place in the bracket."""
    table, options = event("4f=\n3f=\n2s=\n1s="), {"advance": 1}
    request = PairingRequest(crosstable=table, round=2, options=options, codes=("PTS",))
    with pytest.raises(UndecidedTies, match=r"1, 4 \(group A\), 2, 3 \(group B\), who are tied"):
        pair_groups(request)
    assert find_progress(table, options, ("PTS",), {}) == {}


def test_a_smaller_group_ends_earlier() -> None:
    """Of five and four players, the group of four ends after three rounds."""
    rounds = list(play("groups-knockout", 9, 7, choose=stronger_wins))
    boards = [len(pairings.pairs) for _, pairings in rounds]
    assert boards == [4, 4, 4, 2, 2, 2, 1]
    assert {kind for _, pairings in rounds for _, kind in pairings.byes} == {Kind.ZERO_BYE}


@pytest.mark.parametrize(
    ("groups", "advance", "seeds"),
    [
        (1, 4, (1, 2, 3, 4)),
        (2, 1, (1, 5)),
        (2, 2, (1, 5, 2, 6)),
        (3, 2, (1, 5, 9, 6, 10, 2)),
        (4, 2, (1, 5, 9, 13, 2, 6, 10, 14)),
    ],
)
def test_seeds_follow_places_and_separate_groups(
    groups: int, advance: int, seeds: tuple[int, ...]
) -> None:
    """Group A is 1 to 4 in this order, group B 5 to 8, and so on."""
    places = [tuple(range(4 * g + 1, 4 * g + 5)) for g in range(groups)]
    assert seed_bracket(places, advance) == seeds


@pytest.mark.parametrize(("groups", "advance"), [(g, a) for g in (2, 3, 5, 8, 16) for a in (1, 2)])
def test_no_player_meets_their_own_group_in_the_first_stage(groups: int, advance: int) -> None:
    places = [(10 * g, 10 * g + 1) for g in range(groups)]
    seeds = seed_bracket(places, advance)
    size = 1 << (len(seeds) - 1).bit_length()
    for index, seed in enumerate(seeds):
        opponent = size - 1 - index
        assert opponent >= len(seeds) or seed // 10 != seeds[opponent] // 10


@pytest.mark.parametrize(
    ("players", "options", "rounds"),
    [
        (8, {}, 5),
        (9, {}, 7),
        (8, {"cycles": 2}, 8),
        (16, {"groups": 4}, 6),
        (16, {"groups": 4, "advance": 1, "best_of": 3}, 9),
        (4, {"groups": 1, "advance": 4}, 5),
    ],
)
def test_rounds_needed(players: int, options: dict[str, int], rounds: int) -> None:
    assert rounds_needed(players, 0, options) == rounds


@pytest.mark.parametrize(
    ("players", "options", "message"),
    [
        (3, {}, "3 players in 2 groups leave 1 players in the smallest group"),
        (8, {"advance": 5}, "each group needs 5"),
        (8, {"groups": 1, "advance": 1}, "at least two players must qualify"),
    ],
)
def test_too_few_players_for_the_groups_are_rejected(
    players: int, options: dict[str, int], message: str
) -> None:
    with pytest.raises(OptionError, match=message):
        rounds_needed(players, 9, options)
    table = table_of([[]] * players, 9)
    with pytest.raises(PairingRequestError, match=message):
        pair_groups(PairingRequest(crosstable=table, round=1, options=options))


@given(st.integers(1, 4), st.integers(1, 3), st.integers(0, 9), st.integers(0, 2**32))
def test_groups_are_complete_and_only_the_best_qualify(
    groups: int, advance: int, extra: int, seed: int
) -> None:
    players = groups * max(2, advance) + extra
    options = {"groups": groups, "advance": advance}
    if groups * advance < 2:
        return
    rounds = rounds_needed(players, 0, options)
    stages = (groups * advance - 1).bit_length()
    met: list[frozenset[int]] = []
    for index, (table, pairings) in enumerate(
        play("groups-knockout", players, rounds, seed=seed, options=options, codes=("PTS", "TPN"))
    ):
        if index < rounds - stages:
            met += [frozenset(pair) for pair in pairings.pairs]
            continue
        if index == rounds - stages:
            members = fill_groups(range(1, players + 1), groups)
            expected = {frozenset(pair) for group in members for pair in combinations(group, 2)}
            assert len(met) == len(set(met))
            assert set(met) == expected
            playing = {n for pair in pairings.pairs for n in pair} | {n for n, _ in pairings.byes}
            for group in members:
                qualified = [table.points_of(n) for n in group if n in playing]
                others = [table.points_of(n) for n in group if n not in playing]
                assert len(qualified) == advance
                assert not others or min(qualified) >= max(others)
