"""The final order of knockouts: the round reached, third place, and who beat whom."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournament.pairing.events import event, play
from tournament.pairing.errors import NoLegalPairing
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.pairing.systems.knockout import find_progress
from tournament.standings.crosstable import Crosstable, Progress
from tournament.standings.table import rank

EIGHT = """
    8f1 4f1 2f1
    7f1 3f1 1s0
    6f1 2s0 .
    5f1 1s0 .
    4s0 .   .
    3s0 .   .
    2s0 .   .
    1s0 .   .
    """
WITH_THIRD_PLACE = EIGHT.replace("6f1 2s0 .", "6f1 2s0 4f1").replace("5f1 1s0 .", "5f1 1s0 3s0")


def with_progress(table: Crosstable, system: str, options: dict[str, Any]) -> Crosstable:
    find = PAIRING_SYSTEMS[system].find_progress
    assert find is not None
    progress = find(table, options, (), {})
    players = (replace(player, progress=progress.get(player.number)) for player in table.players)
    return replace(table, players=tuple(players))


def order(table: Crosstable, codes: str, **options: Any) -> list[tuple[int, int]]:
    """Return rank and number of each player."""
    rows = rank(with_progress(table, "knockout", options), codes)
    return [(row.rank, row.number) for row in rows]


ORDERS = {
    "the round reached": (
        EIGHT, "STAGE", {},
        [(1, 1), (2, 2), (3, 3), (3, 4), (5, 5), (5, 6), (5, 7), (5, 8)],
    ),
    "who beat them": (
        EIGHT, "STAGE,LOST", {},
        [(1, 1), (2, 2), (3, 4), (4, 3), (5, 8), (6, 7), (7, 5), (8, 6)],
    ),
    "third place": (
        WITH_THIRD_PLACE, "STAGE", {"third_place": True},
        [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (5, 6), (5, 7), (5, 8)],
    ),
    "third place, then who beat them": (
        WITH_THIRD_PLACE, "STAGE,LOST", {"third_place": True},
        [(1, 1), (2, 2), (3, 3), (4, 4), (5, 8), (6, 7), (7, 6), (8, 5)],
    ),
    "the seeds": (
        EIGHT, "STAGE,TPN", {},
        [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 6), (7, 7), (8, 8)],
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    ("picture", "codes", "options", "expected"), ORDERS.values(), ids=list(ORDERS)
)
def test_the_final_order(
    picture: str, codes: str, options: dict[str, Any], expected: list[tuple[int, int]]
) -> None:
    assert order(event(picture, rounds=3), codes, **options) == expected


def test_only_complete_stages_count() -> None:
    table = event(EIGHT, rounds=3).after(2)
    assert order(table, "STAGE,LOST")[:4] == [(1, 1), (1, 2), (3, 3), (3, 4)]


def test_a_bye_is_a_tie_won() -> None:
    table = event("F 2f1\n3f1 1s0\n2s0 .", rounds=2)
    assert find_progress(table, {}, (), {}) == {
        1: Progress(4),
        2: Progress(2, 1, 2),
        3: Progress(0, 2, 3),
    }


def test_who_lost_a_tie_is_before_those_who_were_both_absent() -> None:
    table = event("4f- .\n3s1 F\n2f0 .\n1s- .", rounds=2)
    assert find_progress(table, {}, (), {}) == {
        1: Progress(0, 1, 3), 2: Progress(2), 3: Progress(0, 2, 3), 4: Progress(0, 4, 3)
    }  # fmt: skip
    assert order(table, "STAGE,LOST") == [(1, 2), (2, 3), (3, 1), (3, 4)]
    assert order(table, "STAGE,LOST", both_absent="seed") == [(1, 1), (1, 2), (3, 3), (3, 4)]


def test_a_final_in_which_both_were_absent_has_no_winner() -> None:
    table = event("4f1 2f-\n3s1 1s-\n2f0 .\n1s0 .", rounds=2)
    assert order(table, "STAGE,LOST") == [(2, 1), (2, 2), (3, 3), (3, 4)]


NOBODY_WON = {
    "all were absent in the semi-finals": (
        "4f- .\n3s- .\n2f- .\n1s- .", 2, "STAGE,LOST",
        [(3, 1), (3, 2), (3, 3), (3, 4)],
    ),
    "half of a bracket of eight": (
        "8f- .   .\n7s1 3f- .\n6f1 2s- .\n5s- .   .\n4f- .   .\n3s0 .   .\n2f0 .   .\n1s- .   .",
        3, "STAGE,LOST",
        [(3, 2), (3, 3), (5, 6), (5, 7), (7, 1), (7, 4), (7, 5), (7, 8)],
    ),
    "another first tie-break": (
        "4f- .\n3s- .\n2f- .\n1s- .", 2, "PTS,STAGE",
        [(1, 1), (1, 2), (1, 3), (1, 4)],
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    ("picture", "rounds", "codes", "expected"), NOBODY_WON.values(), ids=list(NOBODY_WON)
)
def test_nobody_is_first_in_a_bracket_that_nobody_won(
    picture: str, rounds: int, codes: str, expected: list[tuple[int, int]]
) -> None:
    assert order(event(picture, rounds=rounds), codes) == expected


def test_players_who_met_against_the_bracket_continue_it() -> None:
    table = event("3f1 2f1\n4f1 1s0\n1s0 .\n2s0 .", rounds=2)
    assert find_progress(table, {}, (), {}) == {
        1: Progress(4), 2: Progress(2, 1, 2), 3: Progress(0, 1, 3), 4: Progress(0, 2, 3)
    }  # fmt: skip


KEPT_FINAL = {
    "the final": ("4f0 2f1\n3f1 1s0\n2s0 .\n1s1 .", False, set(), "1 2 3 4"),
    "the final on board 1": ("4f0 2f1\n3f1 1s0\n2s0 4s0\n1s1 3f1", True, {1, 2}, "1 2 4 3"),
    "third place on board 1": ("4f0 2f1\n3f1 1s0\n2s0 4s0\n1s1 3f1", True, {3, 4}, "4 3 1 2"),
}


@pytest.mark.parametrize(
    ("picture", "third_place", "final", "expected"), KEPT_FINAL.values(), ids=list(KEPT_FINAL)
)
def test_who_plays_the_final_has_advanced(
    picture: str, third_place: bool, final: set[int], expected: str
) -> None:
    """Player 4 has won the semi-final against 1 by a later correction."""
    table = event(picture, rounds=2)
    boards = {2: frozenset(final)}

    progress = find_progress(table, {"third_place": third_place}, (), boards)

    order = sorted(progress, key=lambda number: -progress[number].half_ties)
    assert " ".join(map(str, order)) == expected


def test_more_ties_than_the_bracket_has() -> None:
    table = event("2f1 4f1 .\n1s0 3f1 .\n4f1 2s0 .\n3s0 1s0 .", rounds=3)
    with pytest.raises(
        NoLegalPairing, match="2 pairings were set in round 2, and the bracket has 1"
    ):
        find_progress(table, {}, (), {})


SIZES = {"knockout": (range(2, 14), {}), "groups-knockout": (range(8, 14), {"groups": 2})}


@given(st.sampled_from(sorted(SIZES)), st.integers(0, 10**6), st.booleans(), st.data())
def test_a_loser_is_behind_the_winner(
    system: str, seed: int, third_place: bool, data: st.DataObject
) -> None:
    sizes, options = SIZES[system]
    size = data.draw(st.sampled_from(sizes))
    options = {**options, "third_place": third_place}
    needed = PAIRING_SYSTEMS[system].rounds_needed
    assert needed is not None
    rounds = needed(size, 0, options)
    *_, (before_last, _) = play(
        system, size, rounds, seed=seed, options=options, codes=("PTS", "TPN")
    )
    table = with_progress(before_last, system, options)

    rows = {row.number: row.rank for row in rank(table, "STAGE,LOST")}

    for player in table.players:
        if player.progress and player.progress.lost_to:
            assert rows[player.number] > rows[player.progress.lost_to]
