"""Positions as values: copies, legality, random moves, records."""

import copy
import pickle
import random
import re
from itertools import product

import pytest

from games.rules.boards.board import BOARDS_IN_CACHE
from games.rules.boards.chains import cells_of, nth_cell
from games.rules.boards.hexagons import rhombus
from games.rules.conditions import Conditions
from games.rules.errors import Code, IllegalMove, RecordError, UnknownBoard
from games.rules.position import PASS, SWAP
from games.rules.records.record import Record
from games.rules.registry import GAMES, find_game
from tests.games.rules.random_games import conditions_of, random_game
from tests.games.rules.test_conformance import every_board, every_game

DUPLICATES = (copy.copy, copy.deepcopy, lambda position: pickle.loads(pickle.dumps(position)))


@every_board
def test_copies_of_a_position_are_equal(rules, board):
    turns, positions = random_game(rules, conditions_of(rules, board), seed=7, most_plies=40)
    at_times = positions[0], positions[len(turns) // 2], positions[-1]

    for duplicate, position in product(DUPLICATES, at_times):
        copied = duplicate(position)
        assert copied == position
        assert hash(copied) == hash(position)
        assert copied.board is position.board
        assert copied.outcome() == position.outcome()


def test_a_board_in_use_is_never_created_a_second_time():
    board = rhombus(2, 3)
    pickled = pickle.dumps(board)
    for rows in range(4, BOARDS_IN_CACHE + 6):
        rhombus(2, rows)

    assert rhombus(2, 3) is rhombus(rows=3, columns=2) is pickle.loads(pickled) is board


@every_game
def test_a_game_does_not_start_on_an_unknown_board(rules):
    for board in ("", "3x", "27x2", "27", "-4", "1000000", "ten"):
        with pytest.raises(UnknownBoard, match=re.escape(rules.board_form)):
            pytest.fail(f"starts on {rules.start(Conditions(game=rules.code, board=board))}")


def test_a_game_begins_on_the_board_of_tournaments():
    assert {code: rules.first_board for code, rules in GAMES.items() if len(rules.boards) > 1} == {
        "star-star": "10",
        "nobridge-star-star": "10",
        "double-star-star": "10",
        "star": "5x6",
        "star-y": "10",
        "poly-y": "10",
        "y": "93",
        "hex": "11",
        "havannah": "8",
        "twixt": "24",
    }


@pytest.mark.parametrize(
    ("game", "board", "canonical"), [("hex", "11x11", "11"), ("poly-y", "6x5", "6")]
)
def test_a_game_starts_on_the_board_of_the_canonical_name(game, board, canonical):
    start = find_game(game).start(Conditions(game=game, board=board))

    assert start == find_game(game).start(Conditions(game=game, board=canonical))


@every_board
def test_is_legal_agrees_with_the_list_of_legal_moves(rules, board):
    _, positions = random_game(rules, conditions_of(rules, board), seed=8, most_plies=40)

    for position in positions[:: max(1, len(positions) // 5)]:
        legal = list(position.legal_moves())[:200]
        assert all(position.is_legal(move) for move in legal)
        words = {"", "XX", SWAP, PASS, *list(position.board.names)[:40]}
        if len(legal) < 200:
            assert {word for word in words if position.is_legal(word)} == words & set(legal)


@every_board
def test_a_random_move_is_legal_and_depends_on_the_source_only(rules, board):
    _, positions = random_game(rules, conditions_of(rules, board), seed=9, most_plies=80)

    for position in positions[:: max(1, len(positions) // 8)]:
        if position.is_over:
            with pytest.raises(IllegalMove) as caught:
                position.random_move(random.Random(1))
            assert caught.value.code is Code.AFTER_END
            continue
        move = position.random_move(random.Random(1))
        assert position.play(move).plies == position.plies + 1
        assert move == position.random_move(random.Random(1))


@pytest.mark.parametrize(
    ("game", "board", "turns"),
    [
        ("hex", "2", []),
        ("hex", "2", ["a1"]),
        ("hex", "2", ["a1", "b1"]),
        ("star", "2x3", ["A1"]),
        ("star", "2x3", ["A1", "pass"]),
        ("double-star-star", "4", []),
        ("twixt", "5", []),
        ("mini", "10", []),
    ],
)
def test_every_legal_move_can_be_drawn_with_the_same_chance(game, board, turns):
    rules = find_game(game)
    position = rules.start(conditions_of(rules, board))
    for turn in turns:
        position = position.play(turn)
    legal = list(position.legal_moves())
    source = random.Random(2)
    drawn = [position.random_move(source) for _ in range(200 * len(legal))]

    assert set(drawn) == set(legal)
    assert all(120 < drawn.count(move) < 280 for move in legal)


def test_two_stones_are_drawn_without_listing_all_pairs():
    rules = find_game("double-star-star")
    position = rules.start(conditions_of(rules, "4")).play("S10")
    source = random.Random(3)
    legal = set(position.legal_moves())
    drawn = {position.random_move(source) for _ in range(20_000)}

    assert drawn == legal


@pytest.mark.parametrize("cells", [1, 0b1011, 1 << 300 | 5, (1 << 275) - 1])
def test_cells_by_their_place_in_a_set(cells):
    assert [nth_cell(cells, n) for n in range(cells.bit_count())] == list(cells_of(cells))


def test_records_of_moves_state_what_the_moves_prove():
    hex_start, star_start = (
        find_game(game).start(conditions_of(find_game(game), board))
        for game, board in (("hex", "2"), ("star-star", "4"))
    )
    full = Record.from_moves(star_start, list(star_start.board.names))

    assert Record.from_moves(hex_start, ["a1", "b1", "a2"]).result == "1-0"
    assert Record.from_moves(hex_start, ["a1", "resign"]).result == "1-0"
    assert Record.from_moves(hex_start, ["a1"]).result is None
    assert full.result == "{}-{}".format(*full.replay().outcome.score)
    with pytest.raises(RecordError):
        Record.from_moves(hex_start, ["a1", "a1"])
    with pytest.raises(ValueError, match="not at ply 1"):
        Record.from_moves(hex_start.play("a1"), ["b1"])
