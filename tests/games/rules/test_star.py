"""Star: the published position, border hexes, passes, and theorems."""

import pytest

from games.rules.records.streams import judge
from games.rules.scoring.border_hexes import border_board

PUBLISHED = (
    "..oo.",
    "...o..",
    "....o.o",
    ".....oo.",
    "......o..",
    "o.....o...",
    "..o...o..",
    "..o...o.",
    "......o",
    ".o...o",
)


def test_the_published_position_scores_eight():
    board = border_board(5, 6, two_point_corners=False)
    signs = "".join(PUBLISHED)
    stones = sum(1 << cell for cell, sign in enumerate(signs) if sign == "o")

    assert [len(column) for column in PUBLISHED] == [5, 6, 7, 8, 9, 10, 9, 8, 7, 6]
    assert len(signs) == len(board.names)
    assert board.chains_of(stones).least == 8


@pytest.mark.parametrize(
    ("stones", "two_point_corners", "stars", "touches"),
    [
        pytest.param("A1", False, 1, 3, id="a corner is a star"),
        pytest.param("A1", True, 0, 0, id="not with two-point corners"),
        pytest.param("A2", False, 0, 0, id="a border cell touches two"),
        pytest.param("A2 A3", False, 1, 3, id="two of them share one"),
        pytest.param("A2 A3", True, 1, 3, id="the border between is the same"),
        pytest.param("A1 A2 A3 A4 A5", False, 1, 8, id="a side of five"),
        pytest.param("A1 A2 A3 A4 A5", True, 1, 6, id="a side of five with two-point corners"),
        pytest.param("A1 A5 F10", False, 3, 9, id="three stars"),
        pytest.param("C4 D5", False, 0, 0, id="away from the border"),
    ],
)
def test_stars(stones, two_point_corners, stars, touches):
    board = border_board(5, 6, two_point_corners=two_point_corners)
    found = board.chains_of(sum(board.bits[name] for name in stones.split()))

    assert (found.stars, found.star_border.bit_count()) == (stars, touches)


def combined_score(board):
    """Return the sum of both scores of a full board."""
    return board.chains_of(board.cells).least


@pytest.mark.parametrize("a", [2, 5, 12])
@pytest.mark.parametrize("b", [2, 3, 6, 11])
def test_combined_scores(a, b):
    assert combined_score(border_board(a, b, two_point_corners=False)) == 3 * (a + b) - 2
    assert combined_score(border_board(a, b, two_point_corners=True)) == 3 * (a + b) - 8


@pytest.mark.parametrize(
    ("moves", "state", "termination", "score"),
    [
        ("A1 pass", "unfinished", None, None),
        ("A1 pass D2 pass", "unfinished", None, None),
        ("pass pass", "finished", "passes", (0, 0)),
        ("A1 D2 pass pass", "finished", "passes", (1, 1)),
        ("A1 pass pass", "finished", "passes", (1, 0)),
        ("A1 swap pass pass", "finished", "passes", (0, 1)),
        ("A1 pass pass 1/2", "rejected", "claim_contradicts", None),
        ("A1 pass pass A2", "rejected", "after_end", None),
        ("pass swap", "rejected", "swap_not_allowed", None),
        ("A1 agreed 7-6", "finished", "agreed", (7, 6)),
        ("A1 agreed 6-6", "rejected", "claim_contradicts", None),
    ],
)
def test_passes_and_endings(moves, state, termination, score):
    verdict = judge(f'[Game "star"]\n[Board "2x3"]\n\n{moves}')

    if state == "rejected":
        assert [error.code for error in verdict.errors] == [termination]
        return
    assert (verdict.state, verdict.outcome.termination, verdict.outcome.score) == (
        state,
        termination,
        score,
    )
    assert verdict.outcome.draw is (score is not None and score[0] == score[1])


def test_handicap_points_count_after_two_passes():
    record = '[Game "star"]\n[Board "2x3"]\n[Handicap "first 2 points"]\n\nA1 D2 pass pass'

    assert judge(record).outcome.score == (3, -1)


@pytest.mark.parametrize(
    ("board", "canonical"),
    [("2x2", "2x2"), ("12x12", "12x12"), ("5x6", "5x6"), ("6x5", "6x5"), ("1x5", None),
     ("13x5", None), ("5", None), ("05x6", None), ("5X6", None)],
)  # fmt: skip
def test_board_names(board, canonical):
    assert judge(f'[Game "star"]\n[Board "{board}"]\n').as_json().get("board") == canonical
