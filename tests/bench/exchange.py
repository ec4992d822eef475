"""Time exports and imports of an event with a thousand players.

    python -m tests.bench.exchange

The standings are requested through the whole stack, on SQLite, in a process set up like those of
the service, and compared with loading and ranking the results, which every export needs. The
queries are counted for a hundred and for a thousand players. Imports (imports.py) are timed from
the request to the end: players, entries, bundles, and TRF, with every round paired again.
"""

import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

from tests.bench.database import empty_database
from tests.bench.imports import measure_imports, trf

PLAYERS = 1000
TRIES = 15
PAGE_GOAL = 0.150


def seconds(call: Callable[[], Any]) -> float:
    """Return the seconds of one call."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def median(call: Callable[[], Any]) -> float:
    """Return the median seconds of some calls after a first one."""
    call()
    return statistics.median(seconds(call) for _ in range(TRIES))


def measure() -> int:
    """Print the measurements; return the number of missed goals."""
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    from games.accounts.permissions import SCOPES
    from games.accounts.tokens import issue_token
    from games.models import Account
    from tests.tournament.imports import import_trf
    from tournament import queries
    from tournament.models import Tournament
    from tournament.queries.standings import compute_table
    from tournament.standings.table import rank

    owner = Account.objects.create_superuser("bench@example.org", "not-a-secret")
    _, secret = issue_token(owner, list(SCOPES))
    client = Client(headers={"host": "localhost", "authorization": f"Bearer {secret}"})

    def standings(players: int, suffix: str = "json") -> Any:
        response = client.get(f"/api/v1/tournaments/bench-{players}/standings.{suffix}")
        assert response.status_code == 200, response.content[:400]
        return response

    imports = measure_imports(client)
    for players in (100, PLAYERS):
        import_trf(trf(players), by=owner, slug=f"bench-{players}")
    counts = []
    for players in (100, PLAYERS):
        standings(players)
        with CaptureQueriesContext(connection) as captured:
            standings(players)
        counts.append(len(captured))
    tournament = Tournament.objects.get(slug=f"bench-{PLAYERS}")
    crosstable = queries.load_crosstable(tournament)
    last = tournament.rounds
    bare = median(lambda: rank(crosstable, tournament.tiebreaks))
    load_and_rank = median(lambda: compute_table(tournament, through=last))
    by_api = median(lambda: standings(PLAYERS))
    old_round = median(lambda: standings(PLAYERS, "json?round=2"))
    as_csv = median(lambda: standings(PLAYERS, "csv"))
    bundle = median(lambda: client.get(f"/api/v1/tournaments/bench-{PLAYERS}/bundle.zip"))
    paper = median(lambda: standings(PLAYERS, "pdf"))

    print(f"Exchange at {PLAYERS} players, 4 rounds          measured   goal")
    for name, value, goal in (
        ("results ranked", bare, 0.0),
        ("results loaded and ranked", load_and_rank, 0.0),
        ("GET .../standings", by_api, PAGE_GOAL),
        ("GET .../standings?round=2, from the snapshot", old_round, 0.0),
        ("GET .../standings.csv", as_csv, 0.0),
        ("GET .../standings.pdf", paper, 0.0),
        ("GET .../bundle.zip", bundle, 0.0),
    ):
        goal_text = f"{goal * 1000:4.0f} ms" if goal else ""
        print(f"  {name:<38} {value * 1000:6.0f} ms   {goal_text}")
    print(f"  share of loading and ranking in the response: {load_and_rank / by_api:.0%}")
    print(f"  queries at 100 and at {PLAYERS} players: {counts[0]} and {counts[1]}; the same")
    print(f"Imports of {PLAYERS}, by a worker     accepted       done   goal   states")
    for item in imports:
        times = f"{item.accepted:5.2f} s   {item.done:6.2f} s   {item.goal:3.0f} s"
        print(f"  {item.name:<33} {times} {item.states:8}")
    missed = sum(item.done > item.goal or item.states < 3 for item in imports)
    return (by_api > PAGE_GOAL) + (counts[0] != counts[1]) + missed


def main() -> int:
    """Measure on an empty database; return 1 if a goal is missed."""
    with empty_database():
        return 1 if measure() else 0


if __name__ == "__main__":
    sys.exit(main())
