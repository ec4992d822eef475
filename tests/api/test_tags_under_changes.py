"""A change between two queries of a read: a tag never stands for a later state than the body."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection
from django.db.transaction import atomic
from django.http import HttpResponse

from deploy.public_reads import responses
from tests.events import Event, make_event, make_players
from tests.people import Person, make_person
from tournament.models import Tournament
from tournament.queries.recent_tables import tables
from tournament.services.setup import edit_tournament

PATHS = [
    "/api/v1/tournaments/spring/standings",
    "/api/v1/tournaments/spring/crosstable.html",
    "/e/spring/standings",
    "/e/spring/wall/state",
]
MOST_QUERIES = 40


@pytest.fixture(scope="module")
def created(module_rows: None) -> dict[str, Any]:
    organiser = make_person("Olga")
    event = make_event(organiser)
    event.enter(*make_players(2))
    event.step("open", "start").play(1)
    return {"organiser": organiser, "event": event}


@pytest.fixture(params=[False, True], ids=["computed", "stored"])
def stored(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let the process store responses and tables, or not."""
    capacities = responses.capacity, tables.capacity
    if request.param:
        responses.capacity, tables.capacity = 10**6, 10**3
    yield
    responses.capacity, tables.capacity = capacities
    responses.clear()
    tables.clear()


@contextmanager
def change_after(number: int, event: Event) -> Iterator[list[str]]:
    """Rename the event after the query with this number; yield the queries until then."""
    seen: list[str] = []

    def execute(run: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        found = run(sql, params, many, context)
        seen.append(sql)
        if len(seen) == number:
            rename(event, f"Spring {number}")
        return found

    with connection.execute_wrapper(execute):
        yield seen


def rename(event: Event, name: str) -> None:
    tournament = Tournament.objects.get(slug=event.tournament.slug)
    edit_tournament(tournament, {"name": name}, by=event.owner.account)


def read(path: str, tag: str = "") -> HttpResponse:
    headers = {"If-None-Match": tag} if tag else {}
    return Person("nobody").client.get(path, headers=headers)


@pytest.mark.usefixtures("stored")
@pytest.mark.parametrize("path", PATHS)
def test_who_has_a_tag_has_the_table_that_it_stands_for(
    event: Event, organiser: Person, path: str
) -> None:
    for number in range(1, MOST_QUERIES):
        responses.clear()
        tables.clear()
        with atomic(), change_after(number, event) as seen:
            during = read(path)
        if len(seen) < number:
            break
        after = read(path, during["ETag"])

        assert after.status_code in (200, 304), (number, seen)
        if after.status_code == 304:
            assert during.content == read(path).content, (number, seen)

    assert 3 < number < MOST_QUERIES
