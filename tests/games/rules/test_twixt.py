"""TwixT: links, blocked links, borders, and draws."""

import pytest

from games.rules.boards.chains import cells_of
from games.rules.boards.pegs import crossing_links
from games.rules.diagram.scene import scene_of_record
from games.rules.records.record import Record
from games.rules.records.replay import play_turns
from games.rules.records.sgf_writer import write_sgf
from games.rules.records.streams import judge
from games.rules.records.tags import read_conditions
from games.rules.registry import find_game
from games.rules.seat import Seat
from games.rules.twixt import LINK_REMOVAL


def play(moves, board="12", swap="yes", options=""):
    tags = {"Game": "twixt", "Board": board, "Swap": swap, "Options": options}
    conditions = read_conditions(tags)
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


@pytest.mark.parametrize(
    ("moves", "found"),
    [
        pytest.param("d4 k9 f5 k8 d5 j4 f4", {"d4-f5"}, id="own links do not cross"),
        pytest.param(
            "d4 k9 f5 k8 d5 j4 f4(d4-f5)", {"d5-f4"}, id="a link is removed before the peg"
        ),
        pytest.param(
            "d4 k9 f5 k8 d5 j4 f4 h11 b7(d4-f5,d5>f4)",
            {"d5-f4"},
            id="another link is added after it",
        ),
        pytest.param("d4 k9 f5 k8 b7(d4-f5) j4 b9(d4>f5)", {"d4-f5"}, id="made again"),
        pytest.param("d4 d5 f5 f4 h8(d4-f5) k2(d5>f4)", {"d5-f4"}, id="of the other colour"),
    ],
)
def test_links_that_can_be_removed(moves, found):
    assert links(play(moves, options=LINK_REMOVAL)) == found


@pytest.mark.parametrize(
    ("move", "code"),
    [
        ("b7(d4-f6)", "no_own_stone"),
        ("b7(h8-j9)", "no_own_stone"),
        ("b7(d4-f5,d4-f5)", "no_own_stone"),
        ("b7(d4>h8)", "no_own_stone"),
        ("b7(b7>d4)", "not_in_a_row"),
        ("b7(d5>f4)", "path_blocked"),
        ("b7(d4-z99)", "unknown_cell"),
        ("b7(d4-f5", "unknown_cell"),
        ("d4(d4-f5)", "occupied"),
        ("a7(d4-f5)", "border"),
    ],
)
def test_changes_of_links_that_are_illegal(move, code):
    moves = ["d4", "h8", "f5", "j9", "d5", "k2", "f4", "k4", move]
    record = {"game": "twixt", "board": "12", "options": [LINK_REMOVAL], "moves": moves}

    assert [(error.code, error.ply) for error in judge(record).errors] == [(code, 9)]
    assert judge(record | {"options": []}).errors[0].code == "unknown_cell"


def test_an_added_link_can_win():
    turns = ["c1", "a2", "b3", "a3", "c5(b3-c1)", "a4", "d2(b3>c1)"]
    record = {"game": "twixt", "board": "5", "options": [LINK_REMOVAL], "moves": turns}
    verdict = judge(record)

    assert (verdict.outcome.termination, verdict.outcome.winner) == ("goal", "first")
    (winning,) = scene_of_record(Record.from_json(record)).highlights.winning
    assert winning.bit_count() == 4


def test_a_turn_with_links_has_one_spelling():
    record = '[Game "twixt"]\n[Board "12"]\n[Options "link-removal"]\n\n{}'
    one, other = (
        Record.parse(record.format(moves))
        for moves in ("d4 h8 f5 j9 B7(F5>D4,F5-D4)", "d4 h8 f5 j9 b7(d4-f5,d4>f5)")
    )

    assert one.moves == other.moves
    assert one.replay().digest == other.replay().digest
    assert Record.parse(write_sgf(one)).replay().digest == one.replay().digest
    assert not scene_of_record(one).trails
