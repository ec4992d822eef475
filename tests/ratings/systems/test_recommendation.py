"""Recommended handicaps: nearest to the difference, of the event's kinds, by share and cap."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.seat import Seat
from ratings.systems.recommendation import Catalogue, CatalogueKind, rated_kinds

STONES, POINTS, FIRST_MOVE = CatalogueKind
FIRST, SECOND = Seat


def catalogue(*kinds: CatalogueKind, **more: Any) -> Catalogue:
    return Catalogue(**{"game": "star-star", "board": "10", "swap": True, "kinds": kinds} | more)


@pytest.mark.parametrize(
    ("event", "difference", "seat", "handicap", "points"),
    [
        # 110 for a stone, 85 for each further one; halfway between two the smaller.
        (catalogue(STONES), 0, FIRST, "", 0),
        (catalogue(STONES), 55, FIRST, "", 0),
        (catalogue(STONES), 56, FIRST, "second 1 stones", 110),
        (catalogue(STONES), 300, SECOND, "second 3 stones", 280),
        (catalogue(STONES), 5000, SECOND, "second 10 stones", 875),
        (catalogue(STONES, share=80), 350, SECOND, "second 3 stones", 280),
        (catalogue(STONES, cap=2), 350, SECOND, "second 2 stones", 195),
        # Points do not decide the seat.
        (catalogue(POINTS), 20, FIRST, "first 2 points", 18),
        (catalogue(POINTS), 20, SECOND, "second 2 points", 18),
        (catalogue(POINTS, swap=False), 20, SECOND, "second 7 points", 23),
        (catalogue(POINTS, swap=False), 20, FIRST, "", 40),
        # The first move is worth 40; all kinds together.
        (catalogue(FIRST_MOVE), 20, SECOND, "", 0),
        (catalogue(FIRST_MOVE), 21, SECOND, "first move", 40),
        (catalogue(STONES, POINTS, FIRST_MOVE), 40, SECOND, "first move", 40),
        (catalogue(STONES, POINTS, FIRST_MOVE), 45, SECOND, "second 5 points", 45),
        (catalogue(STONES, POINTS, FIRST_MOVE), 535, SECOND, "second 6 stones", 535),
        # On a small board a stone is worth more.
        (catalogue(STONES, board="4"), 302, FIRST, "", 0),
        (catalogue(STONES, board="4"), 303, FIRST, "second 1 stones", 605),
        (catalogue(), 500, FIRST, "", 0),
    ],
)  # fmt: skip
def test_the_nearest_handicap_is_recommended(
    event: Catalogue, difference: int, seat: Seat, handicap: str, points: int
) -> None:
    found = event.recommend(difference, seat)
    assert (found.handicap, found.value) == (handicap, points * 1000)
    assert found.seat == (seat if not handicap else handicap.split()[0])


@given(st.integers(0, 3000), st.integers(1, 100), st.integers(1, 10))
def test_a_larger_difference_never_gives_less(difference: int, share: int, cap: int) -> None:
    event = catalogue(STONES, share=share, cap=cap)
    lower, higher = (event.recommend(value, SECOND) for value in (difference, difference + 50))
    assert lower.value <= higher.value
    assert (
        2 * abs(lower.value - difference * share * 10) <= 110_000
        or lower.handicap == f"second {cap} stones"
    )


@pytest.mark.parametrize(
    ("game", "board", "swap", "kinds"),
    [
        ("star-star", "10", True, (STONES, POINTS, FIRST_MOVE)),
        ("star-star", "10", False, (STONES, POINTS)),
        ("star-star", "9-sided", True, (FIRST_MOVE,)),
        ("star-y", "8", True, (STONES, FIRST_MOVE)),
        ("hex", "11", True, ()),
    ],
)
def test_the_kinds_that_the_table_covers(
    game: str, board: str, swap: bool, kinds: tuple[CatalogueKind, ...]
) -> None:
    assert rated_kinds(game, board, swap=swap) == kinds
