"""How fast random games are played, beside python-chess.

    python -m tests.bench.playouts --chess-python .bench/chess/bin/python

Every ply draws a legal turn, plays it and checks whether the game is over. python-chess draws from
the list of its legal moves. The last column is the time of `outcome()` at every ply as a share of
the time of `play`. The first goal, to be faster than python-chess, holds for the games in which
stones are placed; the second, a share below 1, for those of them with a winning shape. An outcome
with a score is found from all stones; it costs several plies, and a game asks for it once. The
others are printed without a goal. Times are those of the processor, so a busy machine changes
little.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path
from random import Random

from games.rules.families.goal_placement import GoalPlacement
from games.rules.families.placement import Placement
from games.rules.game import GameRules
from games.rules.position import Position
from games.rules.records.tags import read_conditions
from games.rules.registry import GAMES

SECONDS = 2.0
MOST_PLIES = 300
"""Movement games need not end."""
SEED = 2026
BOARDS = {"star-star": "10", "nobridge-star-star": "10", "double-star-star": "10", "star-y": "10",
          "poly-y": "10", "y": "13", "havannah": "8"}  # fmt: skip
"""The boards that are played on; the first board of a game where none is named."""

# Run by the peer's Python.
CHESS = """
import json, random, sys, time
import chess

seconds, most, chance = float(sys.argv[1]), int(sys.argv[2]), random.Random(int(sys.argv[3]))
games = plies = 0
start = time.process_time()
while time.process_time() - start < seconds:
    board = chess.Board()
    for _ in range(most):
        moves = list(board.legal_moves)
        if not moves or board.is_game_over():
            break
        board.push(chance.choice(moves))
        plies += 1
    games += 1
print(json.dumps({"games": games, "plies": plies, "seconds": time.process_time() - start}))
"""


def start_of(rules: GameRules) -> Position:
    """Return the start of a game on its usual board."""
    board = BOARDS.get(rules.code, rules.boards[0])
    return rules.start(read_conditions({"Game": rules.code, "Board": board}))


def play_out(start: Position, seconds: float) -> tuple[int, int, float]:
    """Return the games and plies played in about this time, and the time that they took."""
    source = Random(SEED)
    games = plies = 0
    began = time.process_time()
    while time.process_time() - began < seconds:
        position = start
        while position.plies < MOST_PLIES and not position.is_over:
            position = position.play(position.random_move(source))
        games, plies = games + 1, plies + position.plies
    return games, plies, time.process_time() - began


def outcome_share(start: Position, seconds: float) -> float:
    """Return the time of the outcome at every ply as a share of the time of the turns.

    The same turns are played with and without it, in turn.
    """
    source = Random(SEED)
    plain = judged = 0.0
    while plain < seconds / 2:
        position, moves = start, []
        while position.plies < MOST_PLIES and not position.is_over:
            moves.append(position.random_move(source))
            position = position.play(moves[-1])
        began = time.process_time()
        position = start
        for move in moves:
            position = position.play(move)
        between = time.process_time()
        position = start
        for move in moves:
            position = position.play(move)
            position.outcome()
        plain += between - began
        judged += time.process_time() - between
    return (judged - plain) / plain


def row(name: str, games: int, plies: int, seconds: float) -> str:
    """Return a line of the table."""
    return f"{name:28}{games / seconds:10.1f}{plies / seconds:12.0f}"


def main() -> None:
    """Measure every game, print a table, and exit with 1 if a placement game misses a goal."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chess-python", type=Path, help="the Python that has python-chess")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for each game")
    options = parser.parse_args()

    print(f"{'random games':28}{'games/s':>10}{'plies/s':>12}{'outcome/play':>14}")
    goal = 0.0
    if options.chess_python:
        words = map(str, (options.seconds, MOST_PLIES, SEED))
        command = [str(options.chess_python), "-c", CHESS, *words]
        peer = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        goal = peer["plies"] / peer["seconds"]
        print(row("python-chess", peer["games"], peer["plies"], peer["seconds"]))
    missed = []
    for rules in GAMES.values():
        start = start_of(rules)
        games, plies, seconds = play_out(start, options.seconds)
        share = outcome_share(start, options.seconds)
        line = row(f"{rules.code} {start.conditions.board}", games, plies, seconds)
        print(f"{line}{share:14.2f}", flush=True)
        if isinstance(start, Placement):
            if plies / seconds < goal:
                missed.append(f"{rules.code} is slower than python-chess")
            if isinstance(start, GoalPlacement) and share >= 1:
                missed.append(f"an outcome of {rules.code} costs more than a ply")
    if missed:
        sys.exit("; ".join(missed))


if __name__ == "__main__":
    main()
