"""Hex, Y and Havannah: winning shapes, and theorems about full boards."""

from collections import Counter

import pytest

from games.rules.boards.chains import chains
from games.rules.boards.hexagons import hexagon
from games.rules.havannah import is_bridge, is_fork, is_ring
from games.rules.records.replay import play_turns
from games.rules.records.streams import judge
from games.rules.records.tags import read_conditions
from games.rules.registry import find_game
from games.rules.seat import Seat


def stones_of(board, names):
    return sum(board.bits[name] for name in names.split())


def test_hex_on_nine_cells_has_the_reference_counts():
    rules = find_game("hex")
    start = rules.start(read_conditions({"Game": "hex", "Board": "3", "Swap": "no"}))
    sequences, finished = [], Counter()
    # Equal positions are counted together, with the number of sequences that reach them.
    reached = Counter({start: 1})
    while reached:
        following = Counter()
        for position, times in reached.items():
            for move in position.legal_moves():
                following[position.play(move)] += times
        sequences.append(following.total())
        for position, times in following.items():
            if position.is_over:
                finished[position.winner, position.plies] += times
        reached = Counter({at: times for at, times in following.items() if not at.is_over})

    assert sequences[:6] == [9, 72, 504, 3024, 15120, 54720]
    assert finished == {
        (Seat.FIRST, 5): 1440,
        (Seat.SECOND, 6): 5760,
        (Seat.FIRST, 7): 43200,
        (Seat.SECOND, 8): 86400,
        (Seat.FIRST, 9): 120960,
    }


@pytest.mark.parametrize(
    ("moves", "winner"),
    [
        ("a1 b1 a2", "first"),
        ("a1 b2 b1", None),
        ("a1 b2 b1 a2", "second"),
        ("b1 a2 b2", "first"),
        ("a1 swap b1 a2", "second"),
        ("a1 swap a2 b2 b1", "first"),
        ("a2 swap b1", None),
    ],
)
def test_hex_sides_belong_to_colours(moves, winner):
    verdict = judge(f'[Game "hex"]\n[Board "2"]\n\n{moves}')

    assert verdict.errors == ()
    assert verdict.outcome.winner == winner


HAVANNAH = hexagon(4, 4)


@pytest.mark.parametrize(
    ("names", "bridge", "fork", "ring"),
    [
        pytest.param("a1 a2 a3 a4", True, False, False, id="a side with both corners"),
        pytest.param("a2 a3 b1 b5 b4", False, False, False, id="corners belong to no side"),
        pytest.param("a3 b4 b5 c5 d6 e7 b3 b2 b1", False, True, False, id="three sides"),
        pytest.param("a2 b2 c2 d2 e2", False, False, False, id="two sides"),
        pytest.param("c3 c4 d3 d5 e4 e5", False, False, True, id="around an empty cell"),
        pytest.param("c3 c4 d3 d4 d5 e4 e5", False, False, True, id="seven in a hexagon"),
        pytest.param("c3 c4 d3 d5 e4", False, False, False, id="one stone is missing"),
        pytest.param("a1 a2 b1 b2", False, False, False, id="a corner encloses nothing"),
        pytest.param("a2 b2 c2 c1", False, False, False, id="the border does not close a ring"),
        pytest.param("c2 d2 e3 c3 d3 f4 f5 e5 d5 c4 d4", False, False, True, id="a larger ring"),
    ],
)
def test_havannah_shapes(names, bridge, fork, ring):
    shapes = set()
    for chain in chains(stones_of(HAVANNAH, names), HAVANNAH.neighbours):
        found = is_bridge(chain, HAVANNAH), is_fork(chain, HAVANNAH), is_ring(chain, HAVANNAH)
        shapes.add(found)

    assert tuple(any(kind) for kind in zip(*shapes, strict=True)) == (bridge, fork, ring)


def test_a_swap_changes_seats_but_not_sides():
    rules = find_game("hex")
    conditions = read_conditions({"Game": "hex", "Board": "5"})
    position = play_turns(
        rules.start(conditions), ["a1", "swap", "b1", "a2", "b2", "a3", "b3", "a4", "b4"]
    )

    assert position.play("a5").winner is Seat.SECOND


@pytest.mark.parametrize(
    ("game", "board", "canonical"),
    [
        ("hex", "11x11", "11"),
        ("hex", "11x14", "11x14"),
        ("hex", "2x26", "2x26"),
        ("hex", "1", None),
        ("hex", "27", None),
        ("hex", "2x27", None),
        ("hex", "011", None),
        ("hex", "11X14", None),
        ("y", "4", None),
        ("y", "25", "25"),
        ("y", "26", None),
        ("y", "93", "93"),
        ("havannah", "3", "3"),
        ("havannah", "11", None),
    ],
)
def test_board_names(game, board, canonical):
    assert judge(f'[Game "{game}"]\n[Board "{board}"]\n').as_json().get("board") == canonical


@pytest.mark.parametrize("word", ["a01", "a0", "l1", "a12", "aa1", "11", "a", "*60"])
def test_unknown_cells_are_rejected(word):
    verdict = judge(f'[Game "hex"]\n[Board "11"]\n\na1 {word}')

    assert (verdict.errors[0].code, verdict.errors[0].ply) == ("unknown_cell", 2)
