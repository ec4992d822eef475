"""Time the referee on records against python-chess on games of similar length.

    python -m tests.bench.referee --chess-python .bench/chess-env/bin/python

Both read one file game by game up to the end of each game. The referee replays and scores random
*Star games on ten rings, half of them up to the full board; python-chess reads random legal games
with its PGN reader. python-chess has its own environment and is never imported here.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from games.rules.conditions import Conditions
from games.rules.records.record import Record
from games.rules.records.streams import judge_records
from games.rules.registry import find_game

RECORDS = 10_000
CHESS_GAMES = 150
GOAL_RECORDS_PER_SECOND = 2_000
GOAL_RATIO = 5.0
SEED = 2026

# Run by the Python of python-chess: write random games of about 275 plies and time the reading.
CHESS = """
import io, json, random, sys, time
import chess, chess.pgn

games, seed = int(sys.argv[1]), int(sys.argv[2])
chance, texts = random.Random(seed), []
while len(texts) < games:
    board, game = chess.Board(), chess.pgn.Game()
    node, length = game, chance.choice((275, chance.randrange(100, 275)))
    for _ in range(length):
        moves = list(board.legal_moves)
        if not moves:
            break
        move = chance.choice(moves)
        board.push(move)
        node = node.add_variation(move)
    if board.ply() == length:
        texts.append(str(game))
stream, plies = io.StringIO("\\n\\n".join(texts)), 0
start = time.perf_counter()
while (game := chess.pgn.read_game(stream)) is not None:
    plies += game.end().ply()
print(json.dumps({"games": games, "plies": plies, "seconds": time.perf_counter() - start}))
"""


def random_records(count: int, seed: int) -> Iterator[str]:
    """Yield *Star records on ten rings, every second one up to the full board."""
    chance = random.Random(seed)
    conditions = Conditions(game="star-star", board="10")
    cells = sorted(find_game("star-star").start(conditions).board.names)
    tags = {"First": "Ada", "Second": "Ben"}
    for number in range(count):
        length = len(cells) if number % 2 else chance.randrange(100, len(cells))
        moves = tuple(chance.sample(cells, length))
        yield f"{Record(conditions=conditions, moves=moves, tags=tags)}\n"


def time_referee(count: int) -> tuple[int, float]:
    """Return the number of plies judged and the seconds, without the start of the program."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "records.rec"
        with path.open("w", encoding="utf-8") as file:
            file.writelines(random_records(count, SEED))
        start = time.perf_counter()
        plies = 0
        with path.open(encoding="utf-8") as stream:
            for verdict in judge_records(stream):
                assert verdict.is_valid, verdict.errors
                plies += verdict.plies
        return plies, time.perf_counter() - start


def time_chess(python: Path, games: int) -> tuple[int, float]:
    """Return the number of plies that python-chess read, and the seconds."""
    command = [str(python), "-c", CHESS, str(games), str(SEED)]
    output = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return output["plies"], output["seconds"]


def main() -> None:
    """Measure both, print a table, and exit with 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chess-python", type=Path, help="the Python with python-chess")
    parser.add_argument("--records", type=int, default=RECORDS)
    options = parser.parse_args()

    plies, seconds = time_referee(options.records)
    records_per_second, plies_per_second = options.records / seconds, plies / seconds
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{'':28}{'games':>8}{'games/s':>10}{'plies/s':>12}")
    print(
        f"{'referee, *Star, ten rings':28}{options.records:8}{records_per_second:10.0f}"
        f"{plies_per_second:12.0f}   (at most {memory} MiB of memory)"
    )
    missed = records_per_second < GOAL_RECORDS_PER_SECOND

    if options.chess_python:
        chess_plies, chess_seconds = time_chess(options.chess_python, CHESS_GAMES)
        print(
            f"{'python-chess, reading PGN':28}{CHESS_GAMES:8}{CHESS_GAMES / chess_seconds:10.0f}"
            f"{chess_plies / chess_seconds:12.0f}"
        )
        ratio = plies_per_second / (chess_plies / chess_seconds)
        print(f"ratio in plies per second: {ratio:.1f} (goal {GOAL_RATIO:g})")
        missed = missed or ratio < GOAL_RATIO
    if missed:
        sys.exit("a goal is missed")


if __name__ == "__main__":
    main()
