"""TwixT: links, blocked links, borders, and draws."""

import pytest

from games.rules.boards.chains import cells_of
from games.rules.boards.pegs import crossing_links
from games.rules.records.replay import play_turns
from games.rules.records.streams import judge
from games.rules.records.tags import read_conditions
from games.rules.registry import find_game
from games.rules.seat import Seat


def play(moves, board="12", swap="yes"):
    conditions = read_conditions({"Game": "twixt", "Board": board, "Swap": swap})
    return play_turns(find_game("twixt").start(conditions), moves.split())


def links(position):
    names = position.board.names
    return {
        f"{names[cell]}-{names[other]}"
        for cell, others in enumerate(position.linked)
        for other in cells_of(others)
        if cell < other
    }


def test_nine_links_cross_a_link():
    assert {len(crossing_links(dx, dy)) for dx, dy in ((1, 2), (2, 1), (-2, 1), (1, -2))} == {9}


@pytest.mark.parametrize(
    ("moves", "found"),
    [
        pytest.param("d4 h8 e6", {"d4-e6"}, id="a knight's move apart"),
        pytest.param("d4 h8 d6", set(), id="not a knight's move"),
        pytest.param("d4 e4 f5", {"d4-f5"}, id="a single peg is not in the way"),
        pytest.param("d4 d5 k9 f4 f5", {"d5-f4"}, id="the enemy's link is in the way"),
        pytest.param("d4 d5 f5 f4", {"d4-f5"}, id="the first link stays"),
        pytest.param("d4 k9 f5 k8 d5 j4 f4", {"d4-f5", "d5-f4"}, id="own links may cross"),
        pytest.param("d4 swap f5 d6", set(), id="a swap exchanges the colours"),
        pytest.param("d4 swap k9 f5", {"d4-f5"}, id="the second seat continues with its colour"),
    ],
)
def test_links(moves, found):
    assert links(play(moves)) == found


@pytest.mark.parametrize(
    ("moves", "code", "ply"),
    [
        ("a5", "border", 1),
        ("l5", "border", 1),
        ("d4 e1", "border", 2),
        ("d4 e12", "border", 2),
        ("d4 swap e1", "border", 3),
        ("d4 swap a5 a6", "border", 4),
        ("a1", "unknown_cell", 1),
        ("l12", "unknown_cell", 1),
        ("m5", "unknown_cell", 1),
        ("d1 a4 k1 d1", "occupied", 4),
    ],
)
def test_illegal_points_are_rejected(moves, code, ply):
    (error,) = judge(f'[Game "twixt"]\n[Board "12"]\n\n{moves}').errors

    assert (error.code, error.ply) == (code, ply)


def test_colours_keep_their_borders_after_a_swap():
    plain = play("b1 a3 c3 a4 b5", "5")
    assert (plain.winner, plain.is_over) == (Seat.FIRST, True)

    swapped = play("b1 swap a3 c3 a4 b5", "5")
    assert swapped.winner is Seat.SECOND


def test_a_draw_can_be_agreed():
    outcome = judge('[Game "twixt"]\n[Board "8"]\n\nd4 agreed 1/2').outcome

    assert (outcome.termination, outcome.draw, outcome.winner) == ("agreed", True, None)


@pytest.mark.parametrize("board", ["4", "27", "24x24", "024"])
def test_unknown_boards_are_rejected(board):
    assert judge(f'[Game "twixt"]\n[Board "{board}"]\n').errors[0].code == "unknown_board"
