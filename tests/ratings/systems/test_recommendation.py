"""Recommended handicaps: nearest to the difference, of the event's kinds, by share and cap."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.conditions import Conditions, Handicap
from games.rules.records.handicaps import with_handicap
from games.rules.registry import GAMES
from games.rules.seat import Seat
from ratings.systems.handicap import CODE_TABLES
from ratings.systems.recommendation import Catalogue, CatalogueKind, rated_kinds

STONES, POINTS, FIRST_MOVE = CatalogueKind
FIRST, SECOND = Seat


def catalogue(*kinds: CatalogueKind, **more: Any) -> Catalogue:
    """Return the handicaps of table v1 of *Star on ten rings, or what `more` says."""
    made = {"game": "star-star", "board": "10", "swap": True, "kinds": kinds, "version": "v1"}
    made |= more
    values = CODE_TABLES[made["version"]][made["game"], made["board"]]
    return Catalogue(**made, values=values)


@pytest.mark.parametrize(
    ("event", "difference", "seat", "handicap", "points"),
    [
        # 110 for a stone, 85 for each further one; halfway between two the smaller.
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
        # At most two thirds of the points that can be overcome, then stones.
        (catalogue(POINTS), 200, SECOND, "second 15 points", 135),
        (catalogue(STONES, POINTS), 170, SECOND, "second 2 stones", 195),
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


@pytest.mark.parametrize(("board", "most", "value"), [("4", 5, 742), ("10", 15, 1135)])
def test_points_end_at_two_thirds_of_what_can_be_overcome(
    board: str, most: int, value: int
) -> None:
    """Up to there, every difference gets what is nearest to it; beyond, it is said."""
    event = catalogue(POINTS, version="v2", board=board)
    worth = {
        found.handicap: found.value // 1000
        for found in (event.recommend(difference, SECOND) for difference in range(1500))
    }
    assert list(worth) == ["", *(f"second {number} points" for number in range(1, most + 1))]
    assert list(worth.values())[-1] == value
    for difference in range(0, 1500, 7):
        found = event.recommend(difference, SECOND)
        distances = [abs(difference - value) for value in worth.values()]
        assert abs(difference - found.value // 1000) == min(distances)
        assert found.is_most == (difference > value)


@pytest.mark.parametrize("version", ["v1", "v2"])
@pytest.mark.parametrize("board", ["4", "10"])
def test_each_recommended_handicap_can_be_overcome(version: str, board: str) -> None:
    for kinds in ((POINTS,), (STONES,), (STONES, POINTS, FIRST_MOVE)):
        event = catalogue(*kinds, version=version, board=board)
        for difference in range(0, 4000, 200):
            for seat in (FIRST, SECOND):
                found = event.recommend(difference, seat)
                even = Conditions(game="star-star", board=board)
                position = GAMES["star-star"].start(with_handicap(even, found.handicap))
                assert position.outcome().winner_decided is None, (difference, found)


def test_beyond_points_come_stones() -> None:
    event = catalogue(STONES, POINTS, version="v2")
    assert event.recommend(1100, SECOND).handicap == "second 15 points"
    assert event.recommend(5000, SECOND).handicap == "second 15 points"
    small = catalogue(STONES, POINTS, version="v2", board="4")
    assert [small.recommend(points, SECOND).handicap for points in (700, 900, 1200)] == [
        "second 2 stones", "second 5 points", "second 3 stones",
    ]  # fmt: skip
    assert small.recommend(9000, SECOND).is_most


@given(st.integers(0, 3000), st.integers(1, 100), st.integers(1, 10))
def test_a_larger_difference_never_gives_less(difference: int, share: int, cap: int) -> None:
    event = catalogue(STONES, share=share, cap=cap)
    lower, higher = (event.recommend(value, SECOND) for value in (difference, difference + 50))
    assert lower.value <= higher.value
    assert 2 * abs(lower.value - difference * share * 10) <= 110_000 or lower.handicap == str(
        Handicap(SECOND, stones=cap)
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
