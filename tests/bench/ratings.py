"""Time the rating of games against elote (Elo with floating-point numbers, without history).

    python -m tests.bench.ratings --elote-python .bench/elote/bin/python

Both rate the same random games of 10,000 players on one core, in pure Python. Ours rates batches of
50 games, as events do; the second line includes the history of all changes. elote has its own
environment and is never imported here.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path
from random import Random

from ratings.systems.elo import DRAW, LOSS, WIN, PlayerState, RatedGame, rate_batch
from ratings.systems.presets import find_preset

GAMES, PLAYERS, BATCH = 200_000, 10_000, 50
GOAL_RATIO = 1.0
SEED = 2026
TRIES = 3

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


def random_games() -> list[RatedGame[int]]:
    """Return games of random players with random results."""
    chance = Random(SEED)
    return [
        RatedGame(*chance.sample(range(PLAYERS), 2), chance.choice((WIN, DRAW, LOSS)))
        for _ in range(GAMES)
    ]


def time_rating(games: list[RatedGame[int]], *, batch: int, with_history: bool) -> float:
    """Return the seconds for rating all games, the best of three runs."""
    elo = find_preset("decay")
    best = float("inf")
    for _ in range(TRIES):
        states: dict[int, PlayerState] = {}
        start = time.process_time()
        for at in range(0, len(games), batch):
            done = rate_batch(states, games[at : at + batch], elo)
            states.update(done.states())
            if with_history:
                for _change in done.changes():
                    pass
        best = min(best, time.process_time() - start)
    return best


def time_elote(python: Path, games: list[RatedGame[int]]) -> float:
    """Return the seconds of elote for the same games, the best of three runs."""
    games_json = json.dumps([game[:3] for game in games])
    command = [str(python), "-c", ELOTE, str(TRIES), str(PLAYERS)]
    completed = subprocess.run(
        command, input=games_json, check=True, capture_output=True, text=True
    )
    return float(completed.stdout)


def main() -> None:
    """Measure, print a table, and exit with 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--elote-python", type=Path, help="the Python with elote")
    options = parser.parse_args()

    games = random_games()
    seconds = {
        f"ratings only, batches of {BATCH}": time_rating(games, batch=BATCH, with_history=False),
        "with the whole history": time_rating(games, batch=BATCH, with_history=True),
        "every game its own batch": time_rating(games, batch=1, with_history=False),
    }
    if options.elote_python:
        seconds["elote, ratings only"] = time_elote(options.elote_python, games)
    print(f"{'rating, pure Python':36}{'games/s':>12}")
    for name, taken in seconds.items():
        print(f"{name:36}{len(games) / taken:12.0f}")
    if options.elote_python:
        ratio = seconds["elote, ratings only"] / seconds[f"ratings only, batches of {BATCH}"]
        print(f"ratio to elote, ratings only: {ratio:.2f} (goal {GOAL_RATIO:g})")
        if ratio < GOAL_RATIO:
            sys.exit("a goal is missed")


if __name__ == "__main__":
    main()
