"""A change between two queries of a read: a tag never stands for a later state than the body."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count, cycle
from typing import Any

import pytest
from django.db import connection
from django.db.models import Model, QuerySet
from django.db.transaction import atomic
from django.http import HttpResponse

from games.models import Player
from ratings.models import Pool
from tests.deploy.stored_reads import forget_stored_reads, storing
from tests.events import Event, make_event, make_players
from tests.people import Person, make_person
from tournament.events.services import edit_tournament
from tournament.models import Entry, Round, Tournament

PATHS = [
    "/api/v1/tournaments/spring/standings",
    "/api/v1/tournaments/spring/crosstable.html",
    "/e/spring/standings",
    "/e/spring/wall/state",
]
MOST_QUERIES = 40


@pytest.fixture(scope="module")
def played(rows_of_module: None) -> Event:
    event = make_event(make_person("Olga"))
    event.enter(*make_players(2))
    event.step("open", "start").play(1)
    return event


@pytest.fixture
def event(db: None, played: Event) -> Event:
    return played.again()


@pytest.fixture(params=[False, True], ids=["computed", "stored"])
def stored(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let the process store responses and tables, or not."""
    with storing(is_switched_on=request.param):
        yield


@contextmanager
def after_query(number: int, change: Callable[[], object]) -> Iterator[list[str]]:
    """Change something after the query with this number; yield the queries until then."""
    seen: list[str] = []

    def execute(run: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        found = run(sql, params, many, context)
        seen.append(sql)
        if len(seen) == number:
            change()
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
def test_who_has_a_tag_has_the_table_that_it_stands_for(event: Event, path: str) -> None:
    for number in range(1, MOST_QUERIES):
        forget_stored_reads()
        with atomic(), after_query(number, partial(rename, event, f"Spring {number}")) as seen:
            during = read(path)
        if len(seen) < number:
            break
        after = read(path, during["ETag"])

        assert after.status_code in (200, 304), (number, seen)
        if after.status_code == 304:
            assert during.content == read(path).content, (number, seen)

    assert 3 < number < MOST_QUERIES


@pytest.mark.parametrize(
    ("path", "find_rows", "column", "values"),
    [
        ("tournaments/spring", Tournament.objects.all, "name", map("Spring {}".format, count())),
        ("tournaments/spring/rounds/1", Round.objects.all, "version", count(2)),
        ("tournaments/spring/rounds/1/pairings", Round.objects.all, "version", count(1000)),
        ("tournaments/spring/entries/{}", Entry.objects.all, "seed_rating", count(1000)),
        ("players/{}", Player.objects.all, "seed_rating", count(2000)),
        ("pools/star", Pool.objects.all, "least_expected", cycle([3, 4, 5, 6])),
    ],
)
def test_who_has_a_version_has_the_body_with_it(
    event: Event, path: str, find_rows: Callable[[], QuerySet[Model]], column: str,
    values: Iterator[Any],
) -> None:  # fmt: skip
    staff = make_person("Sam", is_staff=True)
    entry = event.tournament.entries.earliest("pk")
    path = path.format(entry.player_id if path.startswith("players") else entry.pk)
    for number in range(1, MOST_QUERIES):
        change = partial(find_rows().update, **{column: next(values)})
        with atomic(), after_query(number, change) as seen:
            during = staff.get(path)
        if len(seen) < number:
            break
        after = staff.get(path)

        versions = [response["ETag"].split(".")[1] for response in (during, after)]
        if versions[0] == versions[1]:
            bodies = [response.json() for response in (during, after)]
            for body in bodies:  # the time of a change that has changed nothing else
                body.pop("updated_at", None)
            assert bodies[0] == bodies[1], (number, seen)

    assert 3 < number < MOST_QUERIES
