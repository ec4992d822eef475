"""Hex, Y, Havannah and TwixT compared with OpenSpiel, as far as the rules are the same.

The differences: OpenSpiel has no curved board for Y. Its swap is different (in TwixT it is a move
to the first peg's point), so games are played without swap. Its TwixT allows no crossing links, not
even own ones, so games without crossing own links are played; and it is a draw as soon as neither
side can win, while ours continues until the side to move has no legal peg.
"""

import random

import pytest

from games.rules.records.tags import read_conditions
from games.rules.registry import find_game
from games.rules.seat import Seat
from tests.games.rules.seeds import seeds

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
    """Return OpenSpiel's actions by our cell names."""
    player = state.current_player()
    if game == "hex":
        columns = int(board.partition("x")[0])
        return {f"{chr(97 + a % columns)}{a // columns + 1}": a for a in state.legal_actions()}
    return {
        state.action_to_string(player, action).removeprefix("xo"[player]): action
        for action in state.legal_actions()
    }


def own_links_cross(position):
    """Return True if own links cross, which OpenSpiel does not allow."""
    return any(
        linked >> other & 1 and any(position.linked[start] >> end & 1 for start, end in crossing)
        for cell, linked in enumerate(position.linked)
        for other, crossing in position.board.links[cell].items()
    )


@seeds(range(4), range(4, 25))
@pytest.mark.parametrize(("game", "board", "openspiel_name"), GAMES)
def test_legal_moves_and_results_are_the_same(game, board, openspiel_name, seed):
    source = random.Random(seed)
    rules = find_game(game)
    position = rules.start(read_conditions({"Game": game, "Board": board, "Swap": "no"}))
    state = pyspiel.load_game(openspiel_name).new_initial_state()
    last = ""
    while not state.is_terminal():
        moves = list(position.legal_moves())
        actions = actions_of(state, game, board)
        if game == "twixt" and position.plies == 1:
            actions.pop(last, None)
        assert set(moves) == set(actions)
        source.shuffle(moves)
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
