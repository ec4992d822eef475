"""How many games a second are rated, beside elote (plain float Elo, no history).

    python -m tests.bench.ratings --elote-python .bench/elote/bin/python

Both rate the same random games of 10,000 players one core, pure Python; ours in batches of 50, as
events are, every change with its exact share spelled out in the second line. The peer has an
environment of its own; nothing imports it here.
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

# Run by the peer's Python on the games that come in on its standard input.
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
    """Games of random players with random results."""
    chance = Random(SEED)
    return [
        RatedGame(*chance.sample(range(PLAYERS), 2), chance.choice((WIN, DRAW, LOSS)))
        for _ in range(GAMES)
    ]


def time_rating(games: list[RatedGame[int]], *, batch: int, with_history: bool) -> float:
    """The seconds that rating all the games takes, the best of three."""
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
    """The seconds that elote takes for the same games, the best of three."""
    told = json.dumps([game[:3] for game in games])
    command = [str(python), "-c", ELOTE, str(TRIES), str(PLAYERS)]
    answer = subprocess.run(command, input=told, check=True, capture_output=True, text=True)
    return float(answer.stdout)


def main() -> None:
    """Measure, print a table, and exit with 1 when the goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--elote-python", type=Path, help="the Python that has elote")
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
