"""Differences between a round set by hand and the engine's pairings."""

import pytest

from tournament.pairing.differences import Difference, find_differences
from tournament.pairing.request import Pairings

ENGINE = Pairings(((1, 4), (5, 2), (3, 6)), bye=7)

CASES = {
    "nothing": (((1, 4), (5, 2), (3, 6)), 7, []),
    "seats": (((4, 1), (5, 2), (3, 6)), 7, [("seats", 1, (4, 1), ((1, 4),))]),
    "opponents": (
        ((1, 2), (5, 4), (3, 6)),
        7,
        [
            ("opponents", 1, (1, 2), ((1, 4), (5, 2))),
            ("opponents", 2, (5, 4), ((1, 4), (5, 2))),
        ],
    ),
    "the order of the boards": (
        ((1, 4), (3, 6), (5, 2)),
        7,
        [("board", 2, (3, 6), ((3, 6),)), ("board", 3, (5, 2), ((5, 2),))],
    ),
    "the bye": (
        ((1, 4), (5, 2), (3, 7)),
        6,
        [("opponents", 3, (3, 7), ((3, 6), (7, None))), ("bye", None, (6, None), ((3, 6),))],
    ),
    "a player left out": (((1, 4), (5, 2)), 7, []),
}


@pytest.mark.parametrize(("pairs", "bye", "found"), CASES.values(), ids=CASES)
def test_differences_from_the_engine(
    pairs: tuple[tuple[int, int], ...], bye: int, found: list[tuple[object, ...]]
) -> None:
    differences = find_differences(pairs, (bye,), ENGINE)

    assert [
        (str(difference.code), difference.board, difference.place, difference.engine)
        for difference in differences
    ] == found
    assert [difference.is_by_hand for difference in differences] == [
        code != "board" for code, *_ in found
    ]


def test_everything_differs_without_a_legal_pairing() -> None:
    found: tuple[Difference, ...] = find_differences(((1, 2),), (3,), None)

    assert [(str(difference.code), difference.engine) for difference in found] == [
        ("opponents", ()),
        ("bye", ()),
    ]
