"""Random games, for the tests of every game."""

import random

from games.rules.families.movement import Movement
from games.rules.position import PASS, SWAP
from games.rules.records.tags import read_conditions

MOST_PLIES = 600
MOST_MOVES = 12
"""Movement games need not end and have very many turns, so they are played for a short time."""


def conditions_of(rules, board, **tags):
    """Return the conditions of a game on a board."""
    return read_conditions({"Game": rules.code, "Board": board, **tags})


def random_game(rules, conditions, seed, most_plies=MOST_PLIES):
    """Play at random, passing only if nothing else is legal; return turns and positions."""
    random_source = random.Random(seed)
    turns, positions = [], [rules.start(conditions)]
    if isinstance(positions[0], Movement):
        most_plies = min(most_plies, MOST_MOVES)
    while not positions[-1].is_over and len(turns) < most_plies:
        moves = list(positions[-1].legal_moves())
        if SWAP in moves and random_source.random() < 0.5:
            moves = [SWAP]
        turns.append(random_source.choice([move for move in moves if move != PASS] or moves))
        positions.append(positions[-1].play(turns[-1]))
    return turns, positions
