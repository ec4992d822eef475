"""What breaks first when a load grows: a model of few lines, from what one run has measured.

Each resource has a demand that grows with the load, and a limit. The factor at which the demand
reaches the limit says what breaks first, and the number of machines says what it takes. The model
is linear: it knows no queue, so the times of answers are bad before the limit is reached.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

FACTORS: Final = (1, 10, 100)
HOUR: Final = 3600


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What a run has measured: rates a second, seconds of a processor, bytes."""

    cores: int
    memory: int
    web_processes: int
    threads: int
    """Threads of all web processes."""

    reads: float
    read_seconds: float
    """The mean time of an answer to a read, during which a thread is held."""

    reports: float
    report_seconds: float
    web_processor: float
    """Processor time of the web processes in a second."""

    worker_processor: float
    database_processor: float
    listeners: int
    listener_bytes: float
    stored_bytes: float
    """What the database has grown by."""

    rebuild_seconds: float
    """Seconds in which all ratings of the pool are computed anew."""


@dataclass(frozen=True, slots=True)
class Resource:
    """What a load needs of a resource, and how much there is of it; `breaks` is the factor."""

    name: str
    unit: str
    demand: float
    limit: float
    remedy: str

    @property
    def breaks(self) -> float:
        return self.limit / self.demand if self.demand else float("inf")


def resources(measured: Measured) -> Iterator[Resource]:
    """Yield the resources of the measured load on its machine."""
    busy = measured.reads * measured.read_seconds + measured.reports * measured.report_seconds
    yield Resource(
        "web processors", "cores", measured.web_processor, measured.cores, "web machines"
    )
    in_python = min(measured.web_processes, measured.cores)
    yield Resource(
        "Python in web processes", "processes", measured.web_processor, in_python, "WEB_PROCESSES"
    )
    yield Resource("threads of requests", "threads", busy, measured.threads, "WEB_PROCESSES")
    yield Resource(
        "Python in the worker", "processes", measured.worker_processor, 1, "workers by queue"
    )
    yield Resource(
        "processors of PostgreSQL", "cores", measured.database_processor, measured.cores,
        "a larger machine",
    )  # fmt: skip
    yield Resource(
        "memory of listeners", "GB", measured.listeners * measured.listener_bytes / 1e9,
        measured.memory / 2e9, "web machines",
    )  # fmt: skip
    hundred = measured.stored_bytes * 100 / 1e9
    yield Resource("disk of 100 such events", "GB", hundred, 1000, "a larger disk")
    yield Resource("a rebuild of the ratings", "s", measured.rebuild_seconds, HOUR, "patience")


def table(measured: Measured) -> list[str]:
    """Return the lines of a table, what breaks first at the top."""
    found = sorted(resources(measured), key=lambda each: each.breaks)
    demands = "".join(f"{f'x {factor}':>10}" for factor in FACTORS)
    lines = [f"{'resource':26}{demands}{'limit':>10}  {'unit':10}{'breaks at':>10}  remedy"]
    for each in found:
        demand = "".join(f"{each.demand * factor:10.2f}" for factor in FACTORS)
        lines.append(
            f"{each.name:26}{demand}{each.limit:10.1f}  {each.unit:10}{each.breaks:9.1f}x"
            f"  {each.remedy}"
        )
    return lines
