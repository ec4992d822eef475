"""Time the pages of an event with a thousand players, and weigh them.

    python -m tests.bench.pages

The pages are requested through the whole stack, on SQLite, as a browser without an account requests
them, with compressed responses; the time is that of the processor, which other programs do not
lengthen. Nothing is stored: each request computes its page, as the first one after a change does.
The columns beside it are the medians of a reader with a login, for whom only the table is stored,
and of a stranger, who gets a stored response.

The goals are the budgets of a page: 150 ms to the first byte for 95 of 100 computed responses,
100 kB and six requests for the first visit, with at most 26 kB of scripts, all compressed, and as
many queries with a thousand players as with a hundred.
"""

import gzip
import re
import statistics
import sys
import time
from pathlib import Path
from typing import Any

from tests.bench.database import empty_database
from tests.bench.standings import event
from tournament.trf import TrfFile, TrfHeader, write_trf

HEADER = TrfHeader(name="Bench Open", start="2026/05/01", end="2026/05/04")
PLAYERS = (100, 1000)
TRIES = 20
MOST_SECONDS = 0.150
MOST_BYTES, MOST_SCRIPT, MOST_REQUESTS = 100_000, 26_000, 6
PAGES = (
    "", "/rounds/4", "/rounds/4?by=name", "/rounds/4/boards/7", "/standings", "/standings?round=2",
    "/crosstable", "/players", "/players/17", "/prizes", "/clubs", "/games", "/exports",
    "/calendar", "/wall", "/wall/state",
)  # fmt: skip

LINKED = re.compile(r'(?:href|src)="(/static/[^"]+)"')


def seconds(call: Any) -> tuple[float, float]:
    """Return the median and the 95th percentile of the seconds of some calls after a first one."""
    call()
    times = []
    for _ in range(TRIES):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return statistics.median(times), statistics.quantiles(times, n=20)[-1]


def set_stored(is_stored: bool) -> None:
    """Store responses and tables from now on, or do not."""
    from django.conf import settings

    settings.STORED_RESPONSES = 400 if is_stored else 0


def weigh(page: bytes) -> tuple[int, int, int]:
    """Return the bytes of a page with what it loads, of its scripts, and its requests."""
    from django.contrib.staticfiles.finders import find

    linked = LINKED.findall(gzip.decompress(page).decode())
    sizes = {}
    for address in linked:
        path = find(address.removeprefix("/static/"))
        assert isinstance(path, str), address
        sizes[address] = len(gzip.compress(Path(path).read_bytes()))
    script = sum(size for address, size in sizes.items() if address.endswith(".js"))
    return len(page) + sum(sizes.values()), script, 1 + len(sizes)


def measure() -> int:
    """Print the measurements; return the number of missed goals."""
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    import deploy.asgi  # noqa: F401 (it loads what the web server loads, and freezes it)
    from games.models import Account
    from tests.people import add_second_factor
    from tests.tournament.imports import import_trf

    owner = Account.objects.create_superuser("bench@example.org", "not-a-secret")
    add_second_factor(owner)
    for players in PLAYERS:
        trf = write_trf(TrfFile(crosstable=event(players), header=HEADER)).encode()
        import_trf(trf, by=owner, slug=f"bench-{players}")
    client = Client(headers={"host": "localhost", "accept-encoding": "gzip"})
    reader = Client(headers={"host": "localhost", "accept-encoding": "gzip"})
    reader.force_login(owner)
    missed = 0
    print(
        f"Pages at {PLAYERS[-1]} players     median    95 %  table  stored   queries      kB"
        "   scripts   requests"
    )
    for page in PAGES:
        set_stored(False)
        queries = []
        for players in PLAYERS:
            address = f"/e/bench-{players}{page}"
            client.get(address)
            with CaptureQueriesContext(connection) as captured:
                response = client.get(address)
            assert response.status_code == 200, response.content[:400]
            queries.append(len(captured))
        usual, slow = seconds(lambda address=address: client.get(address))
        set_stored(True)
        own, _ = seconds(lambda address=address: reader.get(address))
        stored, _ = seconds(lambda address=address: client.get(address))
        is_page = "Content-Encoding" in response
        size, script, requests = weigh(response.content) if is_page else (0, 0, 0)
        is_missed = (
            slow > MOST_SECONDS
            or queries[0] != queries[1]
            or size > MOST_BYTES
            or script > MOST_SCRIPT
            or requests > MOST_REQUESTS
        )
        missed += is_missed
        times = f"{usual * 1000:6.0f} {slow * 1000:6.0f} {own * 1000:6.0f} {stored * 1000:6.1f} ms"
        print(
            f"  {page or '(overview)':<22} {times}   {queries[0]:3} {queries[1]:3}"
            f"   {size / 1000:5.1f}   {script / 1000:7.1f}   {requests:8}"
            f"{'   missed' if is_missed else ''}"
        )
    print(f"  goals: {MOST_SECONDS * 1000:.0f} ms, the same number of queries, 100 kB, 26 kB, 6")
    return missed


def main() -> int:
    """Measure on an empty database; return 1 if a goal is missed."""
    with empty_database():
        return 1 if measure() else 0


if __name__ == "__main__":
    sys.exit(main())
