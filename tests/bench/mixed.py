"""Measure reads of standings while results are reported, against a bare view with the same queries.

    python -m tests.bench.mixed

Sixteen threads read the standings of a running event of 200 players and four report its games, as
the clients of one web process do, on SQLite and with a worker that settles the games; each reporter
waits for half a second after a response, so up to eight reports come in a second, and in a second
measurement, which has no goal, sends the next report at once. The readers
first ask the API, then a Django view that runs the SQL of such a read and writes its rows as JSON:
no middleware, no check of permissions, no ranking. Both kinds of periods alternate. Goal: at least
0.6 of the requests per second of the bare view.
"""

import json
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from itertools import cycle
from threading import Event, Thread
from typing import Any

from tests.bench.database import empty_database
from tests.bench.imports import worker
from tests.bench.reads import get

READERS, REPORTERS = 16, 4
PLAYERS = 200
SECONDS = 4.0
"""Of each period."""
PERIODS = 3
PAUSES = (0.5, 0.0)
"""Seconds that a reporter waits after a response; the goal is for the first measurement."""
LEAST = 0.6
ADDRESS = "/api/v1/tournaments/spring/standings"


def make_running_event() -> tuple[Any, list[tuple[Any, str]]]:
    """Create the event; return it, and the people who report with the addresses of their games."""
    from games.accounts.tokens import issue_personal_token
    from tests.events import make_event, make_players
    from tests.people import Person, make_person

    event = make_event(make_person("Organiser"), rounds=5)
    event.enter(*make_players(PLAYERS))
    event.step("open", "start").play(1)
    people = []
    for game in event.publish(2)[: REPORTERS * 8]:
        _, secret = issue_personal_token(game.first, event.stream, by=event.owner.account)
        people.append((Person(game.first.name, secret=secret), f"games/{game.pk}/reports"))
    return event, people


def queries_of_a_read(application: Any) -> list[tuple[str, Sequence[Any]]]:
    """Return the SQL, with its values, of the first read of the standings."""
    from django.db import connection

    found: list[tuple[str, Sequence[Any]]] = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        found.append((sql, params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        status, _, body = get(application, ADDRESS)
    assert status == "200 OK", body[:300]
    return found


def bare_view(queries: Sequence[tuple[str, Sequence[Any]]]) -> Callable[[], bytes]:
    """Return a view that runs the queries, called as Django calls a view."""
    from django.db import connection
    from django.http import HttpRequest, JsonResponse

    def view(request: HttpRequest) -> JsonResponse:
        rows = []
        for sql, params in queries:
            with connection.cursor() as cursor:
                cursor.execute(sql, params)
                rows.append(cursor.fetchall())
        return JsonResponse(rows, safe=False)

    return lambda: view(HttpRequest()).content


def reads_per_second(read: Callable[[], object]) -> float:
    """Let sixteen threads read for a period; return the reads per second."""
    from django.db import connection

    counts = [0] * READERS
    ends_at = time.monotonic() + SECONDS

    def run(number: int) -> None:
        while time.monotonic() < ends_at:
            read()
            counts[number] += 1
        connection.close()

    threads = [Thread(target=run, args=(number,)) for number in range(READERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(counts) / SECONDS


def report(
    people: Sequence[tuple[Any, str]], has_ended: Event, sent: list[int], pause: float
) -> None:
    """Report these games again and again, each time with the other result."""
    from django.db import connection

    for (person, path), score in zip(cycle(people), cycle(["11-10", "10-11", "12-9"])):
        if has_ended.is_set():
            break
        response = person.post(path, {"claim": {"result": score}}, Host="localhost")
        assert response.status_code in (200, 202), response.content
        sent.append(response.status_code)
        has_ended.wait(pause)
    connection.close()


def measure() -> float:
    """Print the requests per second; return the median ratio with pauses."""
    from django.conf import settings

    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "anonymous": 10**9, "token": 10**9}
    settings.QUOTAS = {**settings.QUOTAS, "reports": 10**6}
    _, people = make_running_event()
    application = import_module("deploy.asgi").django_application
    queries = queries_of_a_read(application)
    bare = bare_view(queries)
    assert json.loads(bare())
    print(
        f"Standings of {PLAYERS} players, {READERS} readers, {REPORTERS} reporting: reads a second"
    )
    ratio, _ = (compare(application, bare, people, pause) for pause in PAUSES)
    print(f"  {len(queries)} queries; goal with pauses: at least {LEAST}")
    return ratio


def compare(
    application: Any, bare: Callable[[], bytes], people: Sequence[tuple[Any, str]], pause: float
) -> float:
    """Print the requests per second while people report with a pause; return the median ratio."""
    has_ended, sent = Event(), list[int]()
    reporters = [
        Thread(target=report, args=(people[number::REPORTERS], has_ended, sent, pause))
        for number in range(REPORTERS)
    ]
    for thread in reporters:
        thread.start()
    ratios, start = [], time.monotonic()
    for _ in range(PERIODS):
        by_api, by_view = (
            reads_per_second(lambda: get(application, ADDRESS)),
            reads_per_second(bare),
        )
        ratios.append(by_api / by_view)
        print(f"  API {by_api:8.1f}   bare view {by_view:8.1f}   ratio {ratios[-1]:5.2f}")
    has_ended.set()
    for thread in reporters:
        thread.join()
    accepted = sum(status < 300 for status in sent) / (time.monotonic() - start)
    print(f"  a pause of {pause} s: {accepted:.1f} reports a second")
    return statistics.median(ratios)


def main() -> int:
    """Measure on an empty database; return 1 if the goal is missed."""
    with empty_database(), worker():
        return int(measure() < LEAST)


if __name__ == "__main__":
    sys.exit(main())
