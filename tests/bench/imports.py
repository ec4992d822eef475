"""Time imports by a real worker, from the request to the end of the task.

A part of `python -m tests.bench.exchange`: a client sends the file, gets a 202 response and polls
the task; the different states of the task are counted. The start of the worker is not included.
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
TRF_IMPORT = "tournaments/import?game=star-star&board=10&slug=bench-"
"""The path of a TRF import without the number of rounds, which completes the slug."""
PAUSE = 0.01
HEADER = TrfHeader(name="Bench Open", start="2026/05/01", end="2026/05/04")
SET_UP = {
    "name": "Bench", "slug": "bench", "starts_on": "2026-05-01", "ends_on": "2026-05-04",
    "game": "star-star", "board": "10", "system": "dutch", "rounds": 9,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Measurement:
    """The seconds until an import is accepted and done, and the number of states of its task."""

    name: str
    accepted: float
    done: float
    states: int
    goal: float


def players_csv(name: str) -> bytes:
    """Return a thousand players as CSV."""
    rows = (f"{name} {n},POR,{1000 + n},Club {n % 50}\n" for n in range(PLAYERS))
    return ("name,country,seed_rating,club\n" + "".join(rows)).encode()


def trf(players: int, rounds: int = 4) -> bytes:
    """Return an event as TRF16."""
    return write_trf(TrfFile(crosstable=event(players, rounds), header=HEADER)).encode()


def measure_imports(client: Any) -> list[Measurement]:
    """Measure all imports; `client` sends a token."""
    client.post("/api/v1/tournaments", SET_UP, content_type="application/json")
    imports = (
        ("players/import", "text/csv", lambda: players_csv("Player"), GOAL),
        ("tournaments/bench/entries/import", "text/csv", lambda: players_csv("Entry"), GOAL),
        (f"{TRF_IMPORT}4", "text/plain", lambda: trf(PLAYERS), GOAL),
        (f"{TRF_IMPORT}9", "text/plain", lambda: trf(PLAYERS, 9), GOAL),
        ("tournaments/import/bundle", "application/zip", lambda: export_bundle(client), GOAL),
    )
    with worker():
        return [_measure(client, *item) for item in imports]


def export_bundle(client: Any) -> bytes:
    """Return the bundle of the event with nine rounds, and delete all rows."""
    from games.models import Game, JournalHead, JournalLine, Player
    from tournament.models import Entry, Pairing, Tournament

    bundle = client.get("/api/v1/tournaments/bench-9/bundle.zip").content
    for model in (Pairing, Entry, Tournament, Game, Player, JournalLine, JournalHead):
        model._default_manager.all().delete()
    return bytes(bundle)


def _measure(
    client: Any, path: str, content_type: str, content: Callable[[], bytes], goal: float
) -> Measurement:
    body = content()
    start = time.perf_counter()
    response = client.post(f"/api/v1/{path}", body, content_type=content_type)
    accepted = time.perf_counter() - start
    assert response.status_code == 202, response.content[:400]
    states: list[dict[str, Any]] = []
    while not states or states[-1]["state"] in ("waiting", "running"):
        task = client.get(response["Location"]).json()
        if not states or states[-1] != task:
            states.append(task)
        time.sleep(PAUSE)
    assert states[-1]["state"] == "done", states[-1]
    return Measurement(
        path.replace("?game=star-star&board=10&slug=bench-", ", rounds: "),
        accepted,
        time.perf_counter() - start,
        len(states),
        goal,
    )


@contextmanager
def worker() -> Iterator[None]:
    """Start a broker and a worker with the database of the benchmark, as in the service."""
    from django.conf import settings

    from deploy.celery import app
    from deploy.valkey import celery_address

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
