"""`make bench ONLY=margins`: the margins of *Star in random play, and the value of a point.

The model of `ratings/systems/handicap.py`, log odds of winning by more than 2N points that fall
with ln((R + 2N) / (R - 2N)), has one value for a board, and one for the difference of the players;
both are fitted to the margins of all games by their likelihood. The table shows the value of the
first point, how often equal players won by more than 2N, and what the model says.
"""

import math
from collections.abc import Container, Sequence
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.rules.boards.chains import cells_of
from games.rules.conditions import Conditions
from games.rules.registry import GAMES
from ratings.systems.handicap import FIRST_POINTS

PLAYED = 4_000
SHOWN = (1, 2, 4, 8)
PER_POINT = math.log(10) / 400
GOAL = 0.03
"""The model agrees with every share up to this difference."""

Numbers = NDArray[Any]


def score(
    colours: Sequence[int], beside: Sequence[Sequence[int]], rim: int, corners: Container[int]
) -> int:
    """Return the score of the first side on a full board, by the rules of *Star."""
    cells = len(colours)
    chain, touches = [-1] * cells, [0] * cells
    for start in range(cells):
        if chain[start] >= 0:
            continue
        chain[start], waiting = start, [start]
        while waiting:
            cell = waiting.pop()
            touches[start] += cell >= rim
            for near in beside[cell]:
                if chain[near] < 0 and colours[near] == colours[start]:
                    chain[near] = start
                    waiting.append(near)
    counted: set[int] = set()
    peries = quarks = lead = 0
    for cell in range(rim, cells):
        own, owner = chain[cell], colours[cell]
        if touches[own] < 2:
            owner = 1 - owner
        elif own not in counted:
            counted.add(own)
            lead += 1 if owner else -1
        if owner == 0:
            peries += 1
            quarks += cell in corners
    return peries + (quarks >= 3) + 2 * lead


def margins(rings: int, games: int) -> Numbers:
    """Return the margins of the first side in this many games of two random programs."""
    board = GAMES["star-star"].start(Conditions(game="star-star", board=str(rings))).board
    beside = [list(cells_of(near)) for near in board.neighbours]  # type: ignore[attr-defined]
    mesh = board.mesh  # type: ignore[attr-defined]
    rim, corners, random = mesh.rim[0], frozenset(mesh.corners), Random(rings)
    order, colours, found = list(range(len(beside))), [0] * len(beside), []
    for _ in range(games):
        random.shuffle(order)
        for ply, cell in enumerate(order):
            colours[cell] = ply % 2
        found.append(2 * score(colours, beside, rim, corners) - (len(beside) - rim + 1))
    return np.array(found)


def chance(number: Numbers | int, most: int, scale: float, difference: float) -> Numbers:
    """Return the chance to win by more than 2N points by the model."""
    twice = np.clip(2.0 * np.asarray(number), -most, most)
    with np.errstate(divide="ignore"):
        value = scale * (np.log(most + twice) - np.log(most - twice))
    return np.asarray(1 / (1 + np.exp((value - difference) * PER_POINT)))


def fit(found: Numbers, most: int) -> tuple[float, float]:
    """Return scale and difference with the largest likelihood: a search on finer grids."""
    scale, difference, step = 500.0, 0.0, 200.0
    while step > 0.1:
        grid = [(scale + a * step, difference + b * step) for a in (0, 1, -1) for b in (0, 1, -1)]
        best = max(
            (pair for pair in grid if pair[0] > 0), key=lambda pair: _likelihood(found, most, *pair)
        )
        step = step if best != (scale, difference) else step / 2
        scale, difference = best
    return scale, difference


def _likelihood(found: Numbers, most: int, scale: float, difference: float) -> float:
    below, above = (found - 1) / 2, (found + 1) / 2
    shares = chance(below, most, scale, difference) - chance(above, most, scale, difference)
    return float(np.log(np.maximum(shares, 1e-12)).sum())


def main() -> int:
    """Print a row for each board; return 1 if the model misses a share."""
    print(f"Margins of *Star: {PLAYED} random games")
    print("rings  first point  in v2 " + "".join(f"{f'>{2 * n}: won model':>20}" for n in SHOWN))
    missed = 0.0
    for board, in_table in FIRST_POINTS.items():
        most = 5 * int(board) - 3
        found = margins(int(board), PLAYED)
        scale, difference = fit(found, most)
        first = scale * math.log((most + 2) / (most - 2))
        shares = [
            (float((found > 2 * n).mean()), float(chance(n, most, scale, difference)))
            for n in SHOWN
        ]
        missed = max(missed, *(abs(won - model) for won, model in shares))
        cells = "".join(f"{f'{won:.3f} {model:.3f}':>20}" for won, model in shares)
        print(f"{board:>5} {first:>12.0f} {in_table:>6} {cells}")
    print(f"largest difference {missed:.3f}, goal {GOAL}")
    return int(missed > GOAL)


if __name__ == "__main__":
    raise SystemExit(main())
