"""Hex, Y, Havannah and TwixT beside OpenSpiel, wherever the rules are the same.

The differences: OpenSpiel has no curved board for Y; its swap is another (its TwixT offers the
first peg's point for it), so games are played without; its TwixT lets no links cross, own ones
neither, so games are played in which no own links do; and it ends in a draw as soon as neither
side can win, where ours goes on until the side to move has no legal peg.
"""

import random

import pytest

from games.rules import find_game
from games.rules.records.tags import read_conditions
from games.rules.seat import Seat

pyspiel = pytest.importorskip("pyspiel")

GAMES = [
    ("hex", "5", "hex(num_cols=5,num_rows=5)"),
    ("hex", "4x7", "hex(num_cols=4,num_rows=7)"),
    ("y", "5", "y(board_size=5)"),
    ("y", "9", "y(board_size=9)"),
    ("havannah", "3", "havannah(board_size=3)"),
    ("havannah", "5", "havannah(board_size=5)"),
    ("twixt", "6", "twixt(board_size=6,ansi_color_output=false)"),
    ("twixt", "10", "twixt(board_size=10,ansi_color_output=false)"),
]
SEATS = {Seat.FIRST: 0, Seat.SECOND: 1}


def actions_of(state, game, board):
    """Return OpenSpiel's actions by our names of cells."""
    player = state.current_player()
    if game == "hex":
        columns = int(board.partition("x")[0])
        return {f"{chr(97 + a % columns)}{a // columns + 1}": a for a in state.legal_actions()}
    return {
        state.action_to_string(player, action).removeprefix("xo"[player]): action
        for action in state.legal_actions()
    }


def own_links_cross(position):
    """Return whether OpenSpiel would have made fewer links."""
    return any(
        linked >> other & 1 and any(position.linked[start] >> end & 1 for start, end in crossing)
        for cell, linked in enumerate(position.linked)
        for other, crossing in position.board.links[cell].items()
    )


@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize(("game", "board", "oracle"), GAMES)
def test_the_same_moves_the_same_end(game, board, oracle, seed):
    chance = random.Random(seed)
    rules = find_game(game)
    position = rules.start(read_conditions({"Game": game, "Board": board, "Swap": "no"}))
    state = pyspiel.load_game(oracle).new_initial_state()
    last = ""
    while not state.is_terminal():
        moves = list(position.legal_moves())
        actions = actions_of(state, game, board)
        if game == "twixt" and position.plies == 1:
            actions.pop(last, None)
        assert set(moves) == set(actions)
        chance.shuffle(moves)
        played = ((move, position.play(move)) for move in moves)
        last, position = next(
            (
                (move, after)
                for move, after in played
                if game != "twixt" or not own_links_cross(after)
            ),
            (last, position),
        )
        if position.plies == state.move_number():
            return
        state.apply_action(actions[last])

    outcome = position.outcome()
    returns = [0.0, 0.0]
    if outcome.winner is not None:
        returns[SEATS[outcome.winner]] = 1.0
        returns[SEATS[outcome.winner.other]] = -1.0
    assert state.returns() == returns
    assert outcome.termination is not None or game == "twixt"
