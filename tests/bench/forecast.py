"""Time the forecast of an event of 64 players and 7 rounds after round 4, as a worker computes it.

    python -m tests.bench.forecast [SIMULATIONS]

Each simulation pairs three rounds by the real engine. The goal is 2,000 simulations in less than 30
seconds with two processes on two cores. Beside the time that passes, the CPU time of the processes
is printed, because on a machine that does other work the time that passes says little. Other
systems and sizes are for comparison.
"""

import os
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from ratings.systems.elo import PlayerState
from ratings.systems.presets import PRESETS
from tests.tournament.simulation.events import starting_table
from tournament.simulation.event import SimulatedEvent
from tournament.simulation.play import play_on
from tournament.simulation.rating_changes import RatingRule
from tournament.simulation.simulator import Task, simulate_in_chunks
from tournament.simulation.strengths import Strengths
from tournament.simulation.tally import NO_SIMULATIONS, Tally

SIMULATIONS = 2_000
MOST_SECONDS = 30.0
CORES = 2


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table: the event, and the share of the simulations that is made of it."""

    system: str
    players: int
    rounds: int
    through: int
    processes: int = CORES
    share: float = 0.1


GOAL = Row("dutch", 64, 7, 4, share=1.0)
ROWS = (
    GOAL,
    Row("dutch", 200, 9, 5, share=0.05),
    Row("monrad", 64, 7, 4),
)


def make_task(row: Row) -> Task:
    """Return an event with ratings from 2400 down, after its first rounds."""
    ratings = [2400 - 1200 * number // row.players for number in range(row.players)]
    event = SimulatedEvent(
        system=row.system,
        crosstable=starting_table(row.system, ratings, rounds=row.rounds),
        strengths=Strengths(ratings={n: 1000 * r for n, r in enumerate(ratings, start=1)}),
        tiebreaks=("PTS", "BH/C1", "BH", "SB"),
    )
    played = play_on(event, Random(1)).crosstable.after(row.through)
    states = {n: PlayerState(r, 20) for n, r in event.strengths.ratings.items()}
    rule = RatingRule(system=PRESETS["decay"], states=states)
    return Task(event=replace(event, crosstable=played), rule=rule, seed="bench")


def timed(task: Task, simulations: int, processes: int) -> tuple[Tally, float, float]:
    """Return the tally, the seconds that passed, and the CPU seconds of the processes."""
    begun, used = time.monotonic(), _cpu_of_children()
    total = NO_SIMULATIONS
    for tally in simulate_in_chunks(task, start=0, stop=simulations, processes=processes):
        total += tally
    return total, time.monotonic() - begun, _cpu_of_children() - used


def _cpu_of_children() -> float:
    times = os.times()
    return times.children_user + times.children_system


def lines(simulations: int) -> Iterator[bool]:
    """Print the table, and yield whether each goal is met."""
    print("system       players  round     processes  simulations  seconds    CPU  ms each")
    for row in ROWS:
        count = max(20, int(simulations * row.share))
        _, seconds, cpu = timed(make_task(row), count, row.processes)
        print(
            f"{row.system:12} {row.players:7}  {row.through:2} of {row.rounds:2}  {row.processes:9}"
            f"  {count:11}  {seconds:7.1f} {cpu:6.1f}  {1000 * cpu / count:7.2f}",
            flush=True,
        )
        if row is GOAL and count == SIMULATIONS:
            is_met = seconds < MOST_SECONDS
            per_core = cpu / CORES
            print(
                f"  goal: {MOST_SECONDS:.0f} s on two cores: {'met' if is_met else 'missed'}"
                f"; {per_core:.1f} s of CPU on each"
            )
            yield is_met


def main(simulations: int) -> int:
    """Run the benchmark; return the number of missed goals."""
    print(f"Forecasts, {os.cpu_count()} cores")
    return sum(not is_met for is_met in lines(simulations))


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else SIMULATIONS))
