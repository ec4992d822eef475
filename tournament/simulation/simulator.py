"""Simulate events in processes of their own: `python -m tournament.simulation.simulator`.

A simulation is pure computation, which a worker with several threads cannot do at the same time as
its other tasks. Each process reads a task once, and then lines `START STOP`, for each of which it
writes the tally of these simulations as a line of JSON. It ends with its input, so it does not
outlive a worker that was killed by more than one such line.
"""

import json
import os
import pickle
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import reduce
from operator import add
from pathlib import Path
from typing import Any, BinaryIO

from tournament.pairing.errors import NoLegalPairing, PairingError
from tournament.simulation.event import SimulatedEvent
from tournament.simulation.rating_changes import RatingRule
from tournament.simulation.tally import Tally, simulate
from tournament.standings.errors import StandingsError

ROOT = Path(__file__).parent.parent.parent
FIRST_CHUNK = 2
"""Simulations of a process before it is known how long one takes."""

CHUNK_SECONDS = 1.0
NICENESS = 5
"""By how much the priority of the processes is lower than that of those which serve requests."""


class SimulationError(ValueError):
    """An event that cannot be simulated, for example a schedule that was changed by hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """Simulations of an event: `seed` and the index of a simulation give its random numbers."""

    event: SimulatedEvent
    rule: RatingRule | None
    seed: str

    def run(self, start: int, stop: int) -> dict[str, Any]:
        """Return the tally of these simulations as JSON."""
        tally = simulate(self.event, self.rule, seed=self.seed, start=start, stop=stop)
        return tally.as_json()


def simulate_in_chunks(
    task: Task, *, start: int, stop: int, processes: int
) -> Generator[Tally, None, None]:
    """Yield the tallies of the simulations from `start` to before `stop`, in order.

    A chunk takes about CHUNK_SECONDS, which is what is lost if nobody waits for the next. Raises
    SimulationError, and ChildProcessError if a process was killed.
    """
    with ExitStack() as stack:
        simulators = [stack.enter_context(Simulator(task)) for _ in range(processes)]
        size = FIRST_CHUNK
        while start < stop:
            begun = time.monotonic()
            asked = []
            for simulator in simulators:
                if start < stop:
                    end = min(start + size, stop)
                    simulator.ask(start, end)
                    asked.append(simulator)
                    start = end
            total = reduce(add, [simulator.answer() for simulator in asked])
            elapsed = max(time.monotonic() - begun, 0.001)
            size = max(1, min(4 * size, int(size * CHUNK_SECONDS / elapsed)))
            yield total


class Simulator:
    """A process that simulates one task; a context that ends it."""

    def __init__(self, task: Task):
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tournament.simulation.simulator"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self._send(pickle.dumps(task))

    def __enter__(self) -> "Simulator":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    def ask(self, start: int, stop: int) -> None:
        """Begin the simulations from `start` to before `stop`."""
        self._send(f"{start} {stop}\n".encode())

    def answer(self) -> Tally:
        """Wait for the tally that was asked for; raises as `simulate_in_chunks` does."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line.endswith(b"\n"):
            raise ChildProcessError("a process of the simulation was killed")
        content: dict[str, Any] = json.loads(line)
        if "error" in content:
            raise SimulationError(content["error"])
        return Tally.parse(content)

    def _send(self, content: bytes) -> None:
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):  # then there is no answer either
            self._process.stdin.write(content)
            self._process.stdin.flush()


def serve(source: BinaryIO, target: BinaryIO) -> None:
    """Read a task, which the parent process wrote, and answer its lines."""
    task: Task = pickle.load(source)
    for line in source:
        start, stop = map(int, line.split())
        try:
            answer = task.run(start, stop)
        except (NoLegalPairing, PairingError, StandingsError) as error:
            answer = {"error": str(error)}
        target.write(json.dumps(answer).encode() + b"\n")
        target.flush()


if __name__ == "__main__":
    with suppress(OSError, AttributeError):
        os.nice(NICENESS)
    with suppress(BrokenPipeError, KeyboardInterrupt):
        serve(sys.stdin.buffer, sys.stdout.buffer)
