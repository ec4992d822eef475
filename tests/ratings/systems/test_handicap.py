"""The value of a handicap by the tables of the code, and what the other side can overcome."""

from math import log
from random import Random

import pytest

from games.rules.conditions import Conditions, Handicap
from games.rules.errors import BadConditions
from games.rules.records.handicaps import most_points, require_overcomable, with_handicap
from games.rules.registry import GAMES
from games.rules.seat import Seat
from ratings.systems.handicap import (
    CODE_TABLES,
    COVERED_BOARDS,
    SCORING_GAMES,
    BadHandicap,
    has_table,
    parse_handicap,
    part_of_conditions,
)


def part(version: str, board: str, handicap: str, *, swap: bool, game: str = "star-star") -> int:
    """Return the value in points to the first seat."""
    values = CODE_TABLES[version][game, board]
    parsed = parse_handicap(handicap) if handicap else None
    milli = part_of_conditions(values, game, board, parsed, swap=swap)
    assert milli % 1000 == 0
    return milli // 1000


@pytest.mark.parametrize(
    ("handicap", "swap", "board", "points"),
    [
        ("", True, "10", 0),
        ("", False, "4", 40),  # the first move is not scaled
        ("second 3 stones", False, "10", -280),
        ("second 2 stones", False, "4", -1073),  # 195 x 275/50 = 1072.5
        ("second 2 points", False, "10", 22),  # and the first move
        ("second S60 T60, 2 points", False, "10", -213),  # 195 + 18
        ("first 1 point", True, "4", 23),  # 9 x 50/20 = 22.5
        ("first 19 points", True, "4", 428),  # games that were played keep their value
    ],
)
def test_the_values_of_the_first_version(
    handicap: str, swap: bool, board: str, points: int
) -> None:
    assert part("v1", board, handicap, swap=swap) == points


@pytest.mark.parametrize(
    ("handicap", "swap", "board", "points"),
    [
        ("", True, "10", 0),
        ("second 3 stones", False, "10", -210),  # 40 + 2 x 85
        ("second 2 stones", False, "4", -688),  # 125 x 275/50 = 687.5
        ("second 1 points", True, "6", -92),
        ("first 8 points", True, "10", 533),  # 64 x ln(63/31) / ln(49/45)
        ("first 8 points", True, "4", 1923),  # 130 x ln(33/1) / ln(19/15)
        ("second 2 points", False, "10", -88),  # 128.2, less the first move
        ("second S60 A60 T60", False, "10", -210),  # as three stones on the usual cells
        ("second S20 T10, 1 points", False, "4", -818),  # 687.5 and 130
    ],
)
def test_the_values_of_the_second_version(
    handicap: str, swap: bool, board: str, points: int
) -> None:
    assert part("v2", board, handicap, swap=swap) == points


def test_the_first_stone_is_the_first_move() -> None:
    """And both depend on the board alike, the one with nine sides included."""
    for game, board in COVERED_BOARDS:
        move = part("v2", board, "", swap=False, game=game)
        rings, _, sides = board.partition("x")
        cells = int(sides or 5) * int(rings) * (int(rings) + 1) // 2
        assert move == int(40 * 275 / cells + 0.5), (game, board)
        if GAMES[game].has_handicap_cells(board):
            assert part("v2", board, "second 1 stones", swap=False, game=game) == -move


@pytest.mark.parametrize("game", sorted(SCORING_GAMES))
@pytest.mark.parametrize("board", ["4", "10"])
def test_the_value_of_points_grows_as_the_chance_to_overcome_them_falls(
    game: str, board: str
) -> None:
    margin = 5 * int(board) - 3
    values = [
        part("v2", board, f"first {number} points", swap=True, game=game)
        for number in range(1, (margin + 1) // 2)
    ]
    for number, value in enumerate(values, 1):
        model = log((margin + 2 * number) / (margin - 2 * number)) / log(
            (margin + 2) / (margin - 2)
        )
        assert abs(value - values[0] * model) <= 0.5
    with pytest.raises(BadHandicap, match="nobody can overcome"):
        part("v2", board, f"first {(margin + 1) // 2} points", swap=True, game=game)


@pytest.mark.parametrize(
    ("game", "board", "most"),
    [
        ("star-star", "4", 8), ("nobridge-star-star", "6", 13), ("double-star-star", "10", 23),
        ("star", "5x6", 15), ("star", "2x3", 6), ("star-y", "10", 0), ("hex", "11", 0),
    ],
)  # fmt: skip
def test_how_many_points_can_be_overcome(game: str, board: str, most: int) -> None:
    conditions = Conditions(game=game, board=board)
    assert [most_points(conditions, seat) for seat in Seat] == [most, most]


def test_an_option_changes_how_many_points_can_be_overcome() -> None:
    corners = Conditions(game="star", board="5x6", options=("two-point-corners",))
    assert most_points(corners, Seat.FIRST) == 12


@pytest.mark.parametrize("board", ["4", "10"])
@pytest.mark.parametrize("seat", list(Seat))
def test_no_more_points_are_given_than_can_be_overcome(board: str, seat: Seat) -> None:
    even = Conditions(game="star-star", board=board)
    most = most_points(even, seat)
    given = with_handicap(even, f"{seat} {most} points")
    require_overcomable(given)
    assert GAMES["star-star"].start(given).outcome().winner_decided is None
    more = with_handicap(even, f"{seat} {most + 1} points")
    assert GAMES["star-star"].start(more).outcome().winner_decided == seat
    with pytest.raises(BadConditions, match=f"at most {most} can be given"):
        require_overcomable(more)


def test_the_other_side_wins_on_the_board_against_the_most_points() -> None:
    """Both sides together fill the board; the second wins all that it can, and one point more."""
    rules, board = GAMES["star-star"], "4"
    most = most_points(Conditions(game="star-star", board=board), Seat.FIRST)
    handicap = Handicap(Seat.FIRST, points=most)
    position = rules.start(Conditions(game="star-star", board=board, swap=False, handicap=handicap))
    rim = [name for name in position.board.names if name[1] == board]
    inner = [name for name in position.board.names if name[1] != board]
    Random(1).shuffle(inner)
    while not position.is_over:
        own, other = (inner, rim) if position.to_move is Seat.FIRST else (rim, inner)
        position = position.play((own or other).pop())
    assert position.outcome().winner is Seat.SECOND


@pytest.mark.parametrize(
    "text",
    [
        "", "3 stones", "second three stones", "second 0 stones", "second -1 points",
        "second 11 stones", "first 51 points", "first 1 stones", "both 2 points",
        "second  2 points", "second 2 komi", "first S60", "first 1 stones, 2 points",
        "second 3 stones, 51 points", "second 11 stones, 1 points", "second 2 points, 3 stones",
        "second 99999999999999999999 points",
        "second ２ points", "second 2 points\n",
    ],
)  # fmt: skip
def test_an_invalid_handicap_is_rejected(text: str) -> None:
    with pytest.raises(BadHandicap):
        parse_handicap(text)


def test_str_is_the_inverse_of_parse_handicap():
    for text in ("second 3 stones", "first 2 points", "second S60 T60", "second S60, 2 points"):
        assert str(parse_handicap(text)) == text


@pytest.mark.parametrize("version", list(CODE_TABLES))
def test_stones_exclude_the_pie_rule(version: str) -> None:
    with pytest.raises(BadHandicap, match="do not go together"):
        part(version, "10", "second 2 stones", swap=True)


@pytest.mark.parametrize(
    ("game", "board", "handicap", "expected"),
    [
        ("hex", "11", "", True),
        ("hex", "11", "second 1 stones", False),
        ("star-star", "10", "second 1 stones", True),
        ("star-star", "7", "second 1 stones", False),
        ("star", "5x6", "first 1 points", False),
        ("star-star", "4", "second S20 T10 A10, 1 points", True),
        ("star-y", "4", "second S20 T10 A10", True),
        ("star-y", "4", "second S20 T10 A10, 1 points", False),
    ],
)
def test_only_the_ring_mesh_games_have_a_table(game, board, handicap, expected):
    assert has_table(game, board, parse_handicap(handicap) if handicap else None) is expected
