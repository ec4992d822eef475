"""`make bench ONLY=margins`: the margins of *Star between programs, and the value of a point.

Two programs play each board. They choose the cell that was won most often in random completions of
the position (`--completions` of them, for the side that owns it); without completions they play at
random. The model of `ratings/systems/handicap.py`, log odds of winning by more than 2N points that
fall with ln((R + 2N) / (R - 2N)), has one value for a board, and one for the difference of the
players; both are fitted to the margins of all games by their likelihood. The table shows the value
of the first point, how often equal players won by more than 2N, and what the model says.
"""

import argparse
import math
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from games.rules.boards.chains import cells_of
from games.rules.conditions import Conditions
from games.rules.registry import GAMES
from ratings.systems.handicap import FIRST_POINTS

SHOWN = (1, 2, 4, 8)
PER_POINT = math.log(10) / 400
GOAL = 0.03
"""The model agrees with every share up to this difference."""

Numbers = NDArray[Any]


@numba.njit(cache=True)
def score(colours: Numbers, beside: Numbers, rim: int, is_corner: Numbers) -> int:
    """Return the score of the first side on a full board, by the rules of *Star."""
    cells = len(colours)
    chain, touches = np.full(cells, -1), np.zeros(cells, np.int64)
    waiting = np.empty(cells, np.int64)
    count = 0
    for start in range(cells):
        if chain[start] >= 0:
            continue
        chain[start], waiting[0], open_cells = count, start, 1
        while open_cells:
            open_cells -= 1
            cell = waiting[open_cells]
            touches[count] += cell >= rim
            for near in beside[cell]:
                if near >= 0 and chain[near] < 0 and colours[near] == colours[start]:
                    chain[near], waiting[open_cells] = count, near
                    open_cells += 1
        count += 1
    is_counted = np.zeros(count, np.int64)
    peries = quarks = lead = 0
    for cell in range(rim, cells):
        own, owner = chain[cell], colours[cell]
        if touches[own] < 2:
            owner = 1 - owner
        elif not is_counted[own]:
            is_counted[own] = 1
            lead += 1 if owner else -1
        if owner == 0:
            peries += 1
            quarks += is_corner[cell]
    return peries + (quarks >= 3) + 2 * lead


@numba.njit(cache=True)
def play(seed: int, completions: int, beside: Numbers, rim: int, is_corner: Numbers) -> int:
    """Return the margin of the first side in a game of two equal programs."""
    np.random.seed(seed)
    cells = len(beside)
    total = cells - rim + 1
    colours = np.full(cells, -1)
    for ply in range(cells):
        side = ply % 2
        empty = np.where(colours < 0)[0]
        won, tried = np.zeros(cells), np.ones(cells)
        for _ in range(completions if ply else 0):
            np.random.shuffle(empty)
            full = colours.copy()
            for number, cell in enumerate(empty):
                full[cell] = (side + number) % 2
            is_won = (2 * score(full, beside, rim, is_corner) > total) == (side == 0)
            for cell in empty[::2]:
                won[cell] += is_won
                tried[cell] += 1
        best, most = -1, -1.0
        for cell in empty:
            chance = won[cell] / tried[cell] + 1e-6 * np.random.random()
            if chance > most:
                best, most = cell, chance
        colours[best] = side
    return 2 * score(colours, beside, rim, is_corner) - total


def margins(rings: int, completions: int, games: int) -> Numbers:
    """Return the margins of this many games."""
    board = GAMES["star-star"].start(Conditions(game="star-star", board=str(rings))).board
    neighbours = [list(cells_of(near)) for near in board.neighbours]  # type: ignore[attr-defined]
    width = max(map(len, neighbours))
    beside = np.array([near + [-1] * (width - len(near)) for near in neighbours])
    mesh = board.mesh  # type: ignore[attr-defined]
    is_corner = np.isin(np.arange(len(beside)), mesh.corners).astype(np.int64)
    return np.array(
        [play(seed, completions, beside, mesh.rim[0], is_corner) for seed in range(games)]
    )


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
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--completions", type=int, default=0)
    parser.add_argument("--games", type=int, default=4000)
    given = parser.parse_args()
    print(f"Margins of *Star: {given.games} games, {given.completions} completions for each stone")
    print("rings  first point  in v2 " + "".join(f"{f'>{2 * n}: won model':>20}" for n in SHOWN))
    missed = 0.0
    for board, in_table in FIRST_POINTS.items():
        most = 5 * int(board) - 3
        found = margins(int(board), given.completions, given.games)
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
