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
        turns.append(random_turn(positions[-1], random_source))
        positions.append(positions[-1].play(turns[-1]))
    return turns, positions


def random_turn(position, random_source):
    """Return a legal turn: a swap in half of the cases, a pass if nothing else is legal."""
    if position.is_legal(SWAP) and random_source.random() < 0.5:
        return SWAP
    turn = position.random_move(random_source)  # faster than to list all turns
    if turn != PASS:
        return turn
    others = [move for move in position.legal_moves() if move != PASS]
    return random_source.choice(others or [PASS])
