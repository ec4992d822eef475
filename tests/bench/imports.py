"""How long an import takes from the request to its end, by a real worker, and how it is told of.

A part of `python -m tests.bench.exchange`: a client sends the file, is answered 202, and asks for
the task again and again; what it saw is counted. The start of the worker is not.
"""

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.bench.standings import event
from tests.processes import Broker, Worker
from tournament.trf import TrfFile, TrfHeader, write_trf

PLAYERS = 1000
GOAL = 3.0
REPORT = "tournaments/import?game=star-star&board=10&slug=bench-"
"""The address of a report, but for the number of its rounds, by which the event is called."""
PAUSE = 0.01
HEADER = TrfHeader(name="Bench Open", start="2026/05/01", end="2026/05/04")
SET_UP = {
    "name": "Bench", "slug": "bench", "starts_on": "2026-05-01", "ends_on": "2026-05-04",
    "game": "star-star", "board": "10", "system": "dutch", "rounds": 9,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Measured:
    """One import: seconds until it was accepted, and done; how many states were seen."""

    name: str
    accepted: float
    done: float
    states: int
    goal: float


def lines(name: str) -> bytes:
    """A thousand players as a CSV."""
    rows = (f"{name} {n},POR,{1000 + n},Club {n % 50}\n" for n in range(PLAYERS))
    return ("name,country,seed_rating,club\n" + "".join(rows)).encode()


def report(players: int, rounds: int = 4) -> bytes:
    """An event as a TRF16 file."""
    return write_trf(TrfFile(crosstable=event(players, rounds), header=HEADER)).encode()


def measure_imports(client: Any) -> list[Measured]:
    """Every import in turn; `client` sends with a token."""
    client.post("/api/v1/tournaments", SET_UP, content_type="application/json")
    ways = (
        ("players/import", "text/csv", lambda: lines("Player"), GOAL),
        ("tournaments/bench/entries/import", "text/csv", lambda: lines("Entry"), GOAL),
        (f"{REPORT}4", "text/plain", lambda: report(PLAYERS), GOAL),
        (f"{REPORT}9", "text/plain", lambda: report(PLAYERS, 9), GOAL),
        ("tournaments/import/bundle", "application/zip", lambda: taken_out(client), GOAL),
    )
    with worker():
        return [_measure(client, *way) for way in ways]


def taken_out(client: Any) -> bytes:
    """The bundle of nine rounds, of which nothing stays here."""
    from games.models import Game, JournalHead, JournalLine, Player
    from tournament.models import Entry, Pairing, Tournament

    bundle = client.get("/api/v1/tournaments/bench-9/bundle.zip").content
    for model in (Pairing, Entry, Tournament, Game, Player, JournalLine, JournalHead):
        model._default_manager.all().delete()
    return bytes(bundle)


def _measure(
    client: Any, path: str, form: str, content: Callable[[], bytes], goal: float
) -> Measured:
    body = content()
    start = time.perf_counter()
    answer = client.post(f"/api/v1/{path}", body, content_type=form)
    accepted = time.perf_counter() - start
    assert answer.status_code == 202, answer.content[:400]
    states: list[dict[str, Any]] = []
    while not states or states[-1]["state"] in ("waiting", "running"):
        task = client.get(answer["Location"]).json()
        if not states or states[-1] != task:
            states.append(task)
        time.sleep(PAUSE)
    assert states[-1]["state"] == "done", states[-1]
    return Measured(
        path.replace("?game=star-star&board=10&slug=bench-", ", rounds: "),
        accepted,
        time.perf_counter() - start,
        len(states),
        goal,
    )


@contextmanager
def worker() -> Iterator[None]:
    """A broker and a worker on the bench's database, as the service has them."""
    from django.conf import settings

    from deploy.celery import app
    from deploy.environment import celery_address

    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        broker = Broker(Path(folder)).start()
        settings.REDIS_URL = broker.address
        app.conf.broker_url = celery_address(broker.address)
        process = Worker(Path(folder), database=os.environ["DATABASE_URL"], broker=broker.address)
        try:
            process.start()
            yield
        finally:
            process.kill()
            app.pool.force_close_all()
            broker.kill()
