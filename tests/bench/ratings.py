"""Time the rating of games against elote (Elo with floating-point numbers, without history).

    python -m tests.bench.ratings --elote-python .bench/elote/bin/python

All rate the same million random games of 10,000 players, each game its own batch, on one core. Ours
include all changes; `rate` reads a CSV file and writes the ratings and 2,000,000 rows of history.
elote has its own environment and is never imported here. Times are of CPU.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import deque
from pathlib import Path
from random import Random

from ratings.systems.elo import DRAW, LOSS, WIN, Elo, PlayerState, RatedGame, rate_batch
from ratings.systems.presets import find_preset

GAMES, PLAYERS = 1_000_000, 10_000
SEED = 2026
TRIES = 2
ROOT = Path(__file__).parent.parent.parent

BATCHES, RATE = "batches, with changes", "manage.py rate"
GOAL_RATIOS = {BATCHES: 0.25, RATE: 0.1}

# Run by the Python of elote with the games on standard input.
ELOTE = """
import json, sys, time
from elote import EloCompetitor

games, best = json.load(sys.stdin), None
for _ in range(int(sys.argv[1])):
    players = [EloCompetitor(initial_rating=1500) for _ in range(int(sys.argv[2]))]
    start = time.process_time()
    for first, second, score in games:
        if score == 1_000_000:
            players[first].beat(players[second])
        elif score:
            players[first].tied(players[second])
        else:
            players[second].beat(players[first])
    seconds = time.process_time() - start
    best = seconds if best is None else min(best, seconds)
print(best)
"""

Game = tuple[int, int, int]
"""The numbers of the players, and the score of the first."""


def random_games() -> list[Game]:
    """Return games of random players with random results."""
    chance = Random(SEED)
    return [
        (*chance.sample(range(PLAYERS), 2), chance.choice((WIN, DRAW, LOSS))) for _ in range(GAMES)
    ]


def time_batches(games: list[Game]) -> float:
    """Return the seconds for rating all games with their changes, the best of some runs."""
    elo = find_preset("decay")
    assert isinstance(elo, Elo)
    best = float("inf")
    for _ in range(TRIES):
        start = time.process_time()
        states: dict[int, PlayerState] = {}
        for game in games:
            rated = rate_batch(states, [RatedGame(*game)], elo)
            states |= rated.states()
            deque(rated.changes(), maxlen=0)
        best = min(best, time.process_time() - start)
    return best


def time_rate(games: list[Game]) -> float:
    """Return the seconds of `manage.py rate` for a file, all included, the best of some runs."""
    results = {WIN: "1", DRAW: "0.5", LOSS: "0"}
    best = float("inf")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        with (path / "games.csv").open("w") as file:
            file.write("date,event,first,second,result\n")
            for number, (first, second, score) in enumerate(games):
                date = f"{2000 + number // 50_000}-{number // 4_200 % 12 + 1:02d}-01"
                file.write(f"{date},,Player {first},Player {second},{results[score]}\n")
        command = [sys.executable, "manage.py", "rate", str(path / "games.csv")]
        command += ["--ratings", str(path / "ratings.csv"), "--history", str(path / "history.csv")]
        for _ in range(TRIES):
            before = os.times()
            subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
            after = os.times()
            best = min(best, sum(after[2:4]) - sum(before[2:4]))  # of programs that have ended
    return best


def time_elote(python: Path, games: list[Game]) -> float:
    """Return the seconds of elote for the same games, the best of some runs."""
    command = [str(python), "-c", ELOTE, str(TRIES), str(PLAYERS)]
    completed = subprocess.run(
        command, input=json.dumps(games), check=True, capture_output=True, text=True
    )
    return float(completed.stdout)


def main() -> None:
    """Measure, print a table, and exit with 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--elote-python", type=Path, help="the Python with elote")
    options = parser.parse_args()

    games = random_games()
    seconds = {}
    if options.elote_python:
        seconds["elote, without history"] = time_elote(options.elote_python, games)
    seconds[BATCHES] = time_batches(games)
    seconds[RATE] = time_rate(games)

    print(f"{'rating a million games':28}{'games/s':>12}{'elote = 1':>12}{'goal':>8}")
    is_missed = False
    elote = seconds.get("elote, without history")
    for name, taken in seconds.items():
        ratio = elote / taken if elote else float("nan")
        goal = GOAL_RATIOS.get(name)
        print(f"{name:28}{GAMES / taken:12.0f}{ratio:12.2f}{goal or '':>8}")
        is_missed |= goal is not None and ratio < goal
    if is_missed:
        sys.exit("a goal is missed")


if __name__ == "__main__":
    main()
