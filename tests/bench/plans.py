"""Time plans of events: simulations with real pairings, in one process, in CPU seconds.

    python -m tests.bench.plans [--simulations 200]

Each row is a format of a plan of 16, 64 or 200 players with ratings from 2200 down to 1200, whose
errors are 100 points. Fewer simulations of large events are timed, and the time of all of them is
stated.
"""

import argparse
import sys
import time
from typing import Final

from tournament.simulation.formats import make_event_plan, make_formats
from tournament.simulation.plans import PlannedPlayer, simulate

SYSTEMS: Final = ("dutch", "monrad", "mcmahon", "knockout")
FIELDS: Final = {16: 5, 64: 7, 200: 9}
"""Rounds by number of players."""

TIMED_PLAYERS: Final = 1600
"""Players x simulations that are timed for each format."""


def main() -> int:
    """Print the table; return 0."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--simulations", type=int, default=200)
    total = parser.parse_args().simulations
    print(f"{total} simulations of each format, CPU seconds in one process")
    print(f"{'players':>7}  {'system':<8}  {'rounds':>6}  {'seconds':>7}  {'ms each':>7}")
    for count, rounds in FIELDS.items():
        players = tuple(PlannedPlayer(2200 - 1000 * n // count, 100) for n in range(count))
        formats = make_formats(count, systems=SYSTEMS, rounds=[rounds], options={})
        for one in formats:
            plan = make_event_plan(players, (one,), simulations=total)
            timed = min(total, TIMED_PLAYERS // count)
            begun = time.process_time()
            simulate(plan, one, range(1, timed + 1))
            each = (time.process_time() - begun) / timed
            row = f"{count:>7}  {one.system:<8}  {one.rounds:>6}"
            print(f"{row}  {each * total:>7.1f}  {each * 1000:>7.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
