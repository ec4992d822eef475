"""What leaves the house and comes in, at a thousand players: the standings page, an import.

    python -m tests.bench.exchange

The page is asked for by API through the whole stack, on SQLite, in a process set up as those that
serve it, and set against the table itself (results loaded, then ranked), which no page can do
without; the queries are counted at a hundred and at a thousand players. Imports (imports.py) are
timed from the request to their end: players, entries, and reports, read, written, every round
paired again.
"""

import statistics
import sys
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

from tests.bench.database import empty_database
from tests.bench.imports import measure_imports, report

PLAYERS = 1000
TRIES = 15
PAGE_GOAL = 0.150


def seconds(work: Callable[[], Any]) -> float:
    """How long one call takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def median(work: Callable[[], Any]) -> float:
    """The median of some calls after one to warm up."""
    work()
    return statistics.median(seconds(work) for _ in range(TRIES))


def measure() -> int:
    """Print the measures; how many goals were missed."""
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    from games.accounts.permissions import SCOPES
    from games.accounts.tokens import issue_token
    from games.models import Account
    from tests.imports import import_trf
    from tournament import queries
    from tournament.models import Tournament
    from tournament.queries.standings import compute_table
    from tournament.standings.table import rank

    owner = Account.objects.create_superuser("bench@example.org", "not-a-secret")
    _, secret = issue_token(owner, list(SCOPES))
    client = Client(headers={"host": "localhost", "authorization": f"Bearer {secret}"})

    def page(players: int, form: str = "json") -> Any:
        answer = client.get(f"/api/v1/tournaments/bench-{players}/standings.{form}")
        assert answer.status_code == 200, answer.content[:400]
        return answer

    imports = measure_imports(client)
    for players in (100, PLAYERS):
        import_trf(report(players), by=owner, slug=f"bench-{players}")
    import_module("deploy.wsgi")  # what the import left behind is no part of serving a page
    counts = []
    for players in (100, PLAYERS):
        page(players)
        with CaptureQueriesContext(connection) as captured:
            page(players)
        counts.append(len(captured))
    tournament = Tournament.objects.get(slug=f"bench-{PLAYERS}")
    crosstable = queries.load_crosstable(tournament)
    last = tournament.rounds
    bare = median(lambda: rank(crosstable, tournament.tiebreaks))
    table = median(lambda: compute_table(tournament, through=last))
    by_api = median(lambda: page(PLAYERS))
    old_round = median(lambda: page(PLAYERS, "json?round=2"))
    as_csv = median(lambda: page(PLAYERS, "csv"))
    bundle = median(lambda: client.get(f"/api/v1/tournaments/bench-{PLAYERS}/bundle.zip"))
    paper = median(lambda: page(PLAYERS, "pdf"))

    print(f"Exchange at {PLAYERS} players, 4 rounds          measured   goal")
    for name, value, goal in (
        ("ranking alone", bare, 0.0),
        ("the table: loaded and ranked", table, 0.0),
        ("GET .../standings", by_api, PAGE_GOAL),
        ("GET .../standings?round=2, as it stood", old_round, 0.0),
        ("GET .../standings.csv", as_csv, 0.0),
        ("GET .../standings.pdf", paper, 0.0),
        ("GET .../bundle.zip", bundle, 0.0),
    ):
        told = f"{goal * 1000:4.0f} ms" if goal else ""
        print(f"  {name:<38} {value * 1000:6.0f} ms   {told}")
    print(f"  the table's share of the page: {table / by_api:.0%}")
    print(f"  queries at 100 and at {PLAYERS} players: {counts[0]} and {counts[1]}; the same")
    print(f"Imports of {PLAYERS}, by a worker     accepted       done   goal   states seen")
    for one in imports:
        told = f"{one.goal:3.0f} s" if one.goal else "     "
        print(f"  {one.name:<33} {one.accepted:5.2f} s   {one.done:6.2f} s   {told} {one.states:8}")
    missed = sum((one.goal and one.done > one.goal) or one.states < 3 for one in imports)
    return (by_api > PAGE_GOAL) + (counts[0] != counts[1]) + missed


def main() -> int:
    """Measure on a database of its own; 1 when a goal is missed."""
    with empty_database():
        return 1 if measure() else 0


if __name__ == "__main__":
    sys.exit(main())
