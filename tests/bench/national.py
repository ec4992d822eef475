"""A national open: events at once, readers of their pages, and reports at a steady rate.

    python -m tests.bench.national [--small] [--seed N]

The service (`manage.py up`, with the environment's DATABASE_URL and WEB_PROCESSES) runs beside the
programs that read and report, on the same machine. 2,000 players play 40 events; 500 readers, each
with an open event stream, open a page or a table every half minute; 20 reports a second come in.
Printed are the machine, the rates that were reached, the times of answers and of settlements, and
what the processes used.
"""

import argparse
import asyncio
import os
import platform
import sys
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass, field
from multiprocessing import Event, Process, Queue
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, Final

import django
import httpx
import psutil

from tests.bench.stream import listening
from tests.deploy.service import Service, service_under_load
from tests.processes import eventually, run_python

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
django.setup()  # the samples of the load come from modules with models
from tests.deploy.load import TEMPORARY, Caller, EventUnderLoad, GameReports, Load  # noqa: E402

PAUSE: Final = 30.0
"""Seconds between two reads of a reader."""

WATCHED: Final = 10
"""Of so many games, one is watched until it is settled."""

PAGES: Final = ("/e/{}", "/e/{}/standings", "/e/{}/rounds/1", "/e/{}/players")
TABLES: Final = ("standings", "rounds/1/pairings", "")
LONGEST_SETTLEMENT: Final = 10.0
"""The goal, in seconds."""


@dataclass(frozen=True, slots=True)
class Size:
    """How large the load is."""

    events: int = 40
    players: int = 50
    rounds: int = 5
    readers: int = 500
    reports: float = 20.0


ADDRESSES: Final = 50
"""Those that the readers come from; the writers of each event come from one of their own."""

SMALL: Final = Size(events=3, players=10, rounds=2, readers=20, reports=10.0)


@dataclass(slots=True)
class Pace:
    """When the next report may be sent, for a steady rate of all threads together."""

    rate: float
    lock: threading.Lock = field(default_factory=threading.Lock)
    next_at: float = 0.0

    def wait(self) -> None:
        """Wait for the next time."""
        with self.lock:
            now = time.monotonic()
            self.next_at = max(self.next_at + 1 / self.rate, now)
            pause = self.next_at - now
        time.sleep(pause)


@dataclass(slots=True)
class Open(Load):
    """The events of the open, each with players of its own."""

    pace: Pace = field(default_factory=lambda: Pace(1.0))
    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    """Times by what was done."""

    reported: list[float] = field(default_factory=list)
    """When each report was answered."""

    def register(self, size: Size) -> None:
        """Register all players from a list, by a task."""
        headers = {"Authorization": f"Bearer {self.token}"}
        rows = "".join(
            f"Player {n},POR,{1200 + n % 1000}\n" for n in range(size.events * size.players)
        )
        with httpx.Client(
            base_url=self.address, headers=headers, trust_env=False, timeout=60
        ) as http:
            answer = http.post(
                "/api/v1/players/import",
                content="name,country,seed_rating\n" + rows,
                headers={"Content-Type": "text/csv", "Prefer": "respond-async"},
            )
            assert answer.status_code == 202, answer.text
            place = answer.headers["Location"]

            def result() -> Any:
                task = http.get(place).json()
                return task if task["state"] in ("done", "failed", "refused") else None

            task = eventually(result, seconds=300)
            assert task["state"] == "done", task
            self.player_ids = [line["player"]["id"] for line in task["response"]["rows"]]


@dataclass(slots=True)
class TimedCaller(Caller):
    """A caller whose answers are timed."""

    def send(
        self, method: str, path: str, body: Any = None, *, prefer: str = "", key: str = ""
    ) -> Any:
        start = time.perf_counter()
        # Named: `super()` without arguments does not work in a dataclass with slots.
        answer = Caller.send(self, method, path, body, prefer=prefer, key=key)
        last = path.rpartition("/")[2]
        what = last if method == "POST" and last in ("pair", "publish", "complete") else "other"
        assert isinstance(self.load, Open)
        self.load.seconds[what].append(time.perf_counter() - start)
        return answer


class EventOfOpen(EventUnderLoad):
    """An event that is reported at the pace of the open."""

    def __init__(self, load: Open, number: int, size: Size, stack: ExitStack) -> None:
        super().__init__(load, f"open-{number}", stack, source=f"127.0.2.{number + 1}")
        self.open = load
        first = number * size.players
        self.own = load.player_ids[first : first + size.players]
        self.organiser = TimedCaller(load, load.token, self.http)

    def players_to_enter(self) -> Sequence[int]:
        return self.own

    def report(
        self, reports: GameReports, caller: Caller, path: str, body: Any, *, prefer: str = ""
    ) -> None:
        self.open.pace.wait()
        start = time.perf_counter()
        super().report(reports, caller, path, body)
        self.open.seconds["report"].append(time.perf_counter() - start)
        self.open.reported.append(time.monotonic())

    def play_game(self, row: dict[str, Any], winner: str, way: int) -> None:
        super().play_game(row, winner, way)
        if row["game_id"] % WATCHED == 0:
            start = time.perf_counter()
            eventually(
                lambda: self.organiser.get(f"games/{row['game_id']}")["state"] == "confirmed",
                seconds=180,
            )
            self.open.seconds["settlement"].append(time.perf_counter() - start)


def read_pages(
    address: str, slugs: Sequence[str], readers: int, seed: int, ended: Any, out: Any
) -> None:
    """Read pages and tables until the end; a process of its own."""
    found: list[tuple[str, int, float]] = []

    async def read(number: int, http: httpx.AsyncClient) -> None:
        source = Random(f"{seed} {number}")
        await asyncio.sleep(source.uniform(0, PAUSE))
        while not ended.is_set():
            slug = source.choice(slugs)
            is_page = source.random() < 0.7
            path = source.choice(PAGES if is_page else TABLES)
            url = path.format(slug) if is_page else f"/api/v1/tournaments/{slug}/{path}".rstrip("/")
            start = time.perf_counter()
            try:
                status = (await http.get(url)).status_code
            except httpx.HTTPError:
                status = 0
            found.append(("page" if is_page else "table", status, time.perf_counter() - start))
            await asyncio.sleep(source.uniform(0.5, 1.5) * PAUSE)

    async def all_of_them() -> None:
        async with AsyncExitStack() as stack:
            clients = [
                await stack.enter_async_context(client_at(f"127.0.1.{number + 1}", address))
                for number in range(min(ADDRESSES, readers))
            ]
            tasks = [
                asyncio.create_task(read(number, clients[number % len(clients)]))
                for number in range(readers)
            ]
            while not ended.is_set():
                await asyncio.sleep(0.5)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(all_of_them())
    out.put(found)


def client_at(source: str, address: str) -> httpx.AsyncClient:
    """Return a client whose connections come from an address of this machine."""
    limits = httpx.Limits(max_connections=None)
    transport = httpx.AsyncHTTPTransport(local_address=source, limits=limits)
    address = address.replace("localhost", "127.0.0.1")
    return httpx.AsyncClient(base_url=address, transport=transport, timeout=60)


@dataclass(frozen=True, slots=True)
class Use:
    """Processor seconds and memory of the processes of a kind."""

    seconds: float
    bytes: int


def uses(service: Service) -> dict[str, Use]:
    """Return what the processes of each kind have used so far."""
    found: dict[str, Use] = {}
    processes = service.children()
    if os.environ.get("DATABASE_URL"):
        named = psutil.process_iter(["name"])
        processes += [each for each in named if each.info["name"] == "postgres"]
    for process in processes:
        try:
            words = " ".join(process.cmdline())
            times = process.cpu_times()
            memory = process.memory_full_info().pss
        except psutil.Error:
            continue
        kinds = {
            "uvicorn": "web server", "multiprocessing": "web server", " beat ": "scheduler",
            "=analyses@": "analyses", "=imports@": "imports", "=worker@": "worker",
            "valkey": "broker", "postgres": "database",
        }  # fmt: skip
        kind = next((kind for word, kind in kinds.items() if word in words), "other")
        known = found.get(kind, Use(0, 0))
        found[kind] = Use(known.seconds + times.user + times.system, known.bytes + memory)
    return found


def database_bytes(folder: Path) -> int:
    """Return the size of the database: the folder of PostgreSQL, or the files of SQLite."""
    address = os.environ.get("DATABASE_URL", "")
    place = Path(address.partition("?host=")[2]) if address else folder
    files = place.rglob("*") if address else place.glob("*.sqlite3*")
    return sum(file.stat().st_size for file in files if file.is_file())


def spread(seconds: Sequence[float]) -> str:
    """Return the median, the 95th percentile and the longest of times."""
    if not seconds:
        return "none"
    ordered = sorted(seconds)
    high = ordered[int(0.95 * (len(ordered) - 1))]
    return (
        f"median {median(ordered) * 1000:6.0f} ms, 95 % {high * 1000:6.0f} ms,"
        f" longest {ordered[-1]:5.2f} s, of {len(ordered)}"
    )


def machine() -> Iterator[str]:
    """Yield what the figures depend on."""
    name = platform.processor() or platform.machine()
    with Path("/proc/cpuinfo").open() as lines:
        names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    yield f"machine: {os.cpu_count()} cores ({(names or [name])[0]}), "
    yield f"{psutil.virtual_memory().total / 1e9:.0f} GB, Python {platform.python_version()}, "
    yield "PostgreSQL" if os.environ.get("DATABASE_URL") else "SQLite"
    yield f", WEB_PROCESSES={os.environ.get('WEB_PROCESSES') or 1}"


def play(load: Open, number: int, size: Size) -> None:
    """Play one event to its end."""
    with ExitStack() as stack:
        EventOfOpen(load, number, size, stack).play()


def measure(service: Service, size: Size, seed: int) -> bool:
    """Play the open, print the figures, and return whether the goals are met."""
    load = Open(service.address, service.token, seed, rounds=size.rounds, pace=Pace(size.reports))
    load.register(size)
    slugs = [f"open-{number}" for number in range(size.events)]
    ended, out = Event(), Queue()
    idle = uses(service)["web server"].bytes
    with ExitStack() as stack:
        stack.enter_context(listening(service, size.readers))
        listener_bytes = max(uses(service)["web server"].bytes - idle, 0) / size.readers
        players = stack.enter_context(ThreadPoolExecutor(size.events))
        before, stored = uses(service), database_bytes(service.folder)
        began = time.monotonic()
        readers = Process(
            target=read_pages, args=(service.address, slugs, size.readers, seed, ended, out)
        )
        readers.start()
        list(players.map(lambda number: play(load, number, size), range(size.events)))
        lasted = time.monotonic() - began
        ended.set()
        reads = out.get(timeout=120)
        readers.join()
    after, grown = uses(service), database_bytes(service.folder) - stored
    start = time.perf_counter()
    environment = os.environ | service.environment
    run_python("manage.py", "verify_ratings", "star", environment=environment)
    rebuild = time.perf_counter() - start

    busiest = max_in_ten_seconds(load.reported)
    print("".join(machine()))
    print(
        f"{size.events} events of {size.players} players, {size.rounds} rounds, {lasted:.0f} s;"
        f" {size.readers} readers and listeners"
    )
    print(
        f"{len(reads) / lasted:.1f} reads and {len(load.reported) / lasted:.1f} reports a second,"
        f" {busiest:.1f} reports a second in the busiest ten seconds"
    )
    for kind in ("page", "table"):
        print(f"{kind:12}{spread([seconds for name, _, seconds in reads if name == kind])}")
    for kind in ("report", "settlement", "pair", "publish", "complete", "other"):
        print(f"{kind:12}{spread(load.seconds[kind])}")
    statuses = Counter(status for _, status, _ in reads)
    print(f"answers to reads: {dict(statuses)}; to writes: {dict(load.statuses)}")
    for kind, use in sorted(after.items()):
        seconds = use.seconds - before.get(kind, Use(0, 0)).seconds
        print(f"{kind:12}{seconds / lasted:5.2f} cores, {use.bytes / 1e6:6.0f} MB")

    print(f"stored: {max(grown, 0) / 1e6:.1f} MB; ", end="")
    print(f"a listener: {listener_bytes / 1000:.1f} kB; ratings anew: {rebuild:.1f} s")
    failed = sum(number for status, number in statuses.items() if status not in (200, 304, 404))
    broken = sum(
        number
        for status, number in load.statuses.items()
        if status == 0 or (status >= 500 and status not in TEMPORARY)
    )
    slowest = max(load.seconds["settlement"], default=0.0)
    is_met = failed == broken == 0 and slowest < LONGEST_SETTLEMENT
    goal = f"no request fails, a game is settled within {LONGEST_SETTLEMENT:.0f} s"
    print(f"\ngoal: {goal}: {'met' if is_met else 'missed'}")
    return is_met


def max_in_ten_seconds(times: Sequence[float]) -> float:
    """Return the highest rate in ten seconds."""
    counts = Counter(int(moment / 10) for moment in times)
    return max(counts.values(), default=0) / 10


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.national", description=__doc__)
    parser.add_argument("--small", action="store_true", help="a minute, to see that it runs")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    # One account organises all the events.
    limits = {f"RATE_LIMIT_{name}": "100000000" for name in ("ACCOUNT", "TOKEN")}
    with service_under_load(LISTENERS_PER_ADDRESS="5000", **limits) as service:
        return 0 if measure(service, SMALL if options.small else Size(), options.seed) else 1


if __name__ == "__main__":
    sys.exit(main())
