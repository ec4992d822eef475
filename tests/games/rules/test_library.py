"""Positions as values: copies, legality, random moves, records."""

import copy
import pickle

import pytest

from games.rules import find_game
from games.rules.boards.board import BOARDS_IN_CACHE
from games.rules.boards.hexagons import rhombus
from games.rules.boards.mesh import ring_mesh
from games.rules.conditions import Conditions
from games.rules.errors import UnknownBoard
from tests.games.rules.random_games import conditions_of, random_game
from tests.games.rules.test_conformance import every_board, every_game


@every_board
@pytest.mark.parametrize(
    "duplicate",
    [
        pytest.param(copy.copy, id="copy"),
        pytest.param(copy.deepcopy, id="deepcopy"),
        pytest.param(lambda position: pickle.loads(pickle.dumps(position)), id="pickle"),
    ],
)
def test_copies_of_a_position_are_equal(rules, board, duplicate):
    turns, positions = random_game(rules, conditions_of(rules, board), seed=7, most_plies=40)

    for position in (positions[0], positions[len(turns) // 2], positions[-1]):
        copied = duplicate(position)
        assert copied == position
        assert hash(copied) == hash(position)
        assert copied.board is position.board
        assert copied.outcome() == position.outcome()


@every_board
def test_a_pickled_position_has_no_caches(rules, board):
    position = rules.start(conditions_of(rules, board))
    fresh = len(pickle.dumps(position))
    next(position.legal_moves())
    position.outcome()
    str(position)

    assert len(pickle.dumps(position)) == fresh < 4_000


def test_a_board_in_use_is_never_created_a_second_time():
    board = rhombus(2, 3)
    pickled = pickle.dumps(board)
    for rows in range(4, BOARDS_IN_CACHE + 6):
        rhombus(2, rows)

    assert rhombus(2, 3) is rhombus(rows=3, columns=2) is pickle.loads(pickled) is board


def test_default_arguments_give_the_same_board():
    assert ring_mesh(4) is ring_mesh(4, 5, playable_centre=False)


@every_game
@pytest.mark.parametrize("board", ["", "3x", "27x2", "27", "-4", "1000000", "ten"])
def test_a_game_does_not_start_on_an_unknown_board(rules, board):
    with pytest.raises(UnknownBoard) as caught:
        rules.start(Conditions(game=rules.code, board=board))

    assert rules.board_form in caught.value.detail


@pytest.mark.parametrize(
    ("game", "board", "canonical"), [("hex", "11x11", "11"), ("poly-y", "6x5", "6")]
)
def test_a_game_starts_on_the_board_of_the_canonical_name(game, board, canonical):
    start = find_game(game).start(Conditions(game=game, board=board))

    assert start == find_game(game).start(Conditions(game=game, board=canonical))
