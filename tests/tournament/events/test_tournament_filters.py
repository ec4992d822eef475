"""The filters and orders of the list of tournaments."""

from datetime import date
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.people import Person, problem_in
from tournament.models import Tournament

pytestmark = pytest.mark.django_db

EVENTS: tuple[dict[str, Any], ...] = (
    {"slug": "may", "starts_on": date(2026, 5, 1), "ends_on": date(2026, 5, 3), "state": "final",
     "country": "POR", "pool": "star"},
    {"slug": "april", "starts_on": date(2026, 4, 28), "ends_on": date(2026, 5, 1),
     "state": "running", "country": "CAN"},
    {"slug": "june", "starts_on": date(2026, 6, 1), "ends_on": date(2026, 6, 1), "state": "review",
     "game": "hex", "board": "11", "system": "dutch"},
)  # fmt: skip


@pytest.fixture(autouse=True)
def events(db: None) -> None:
    for fields in EVENTS:
        defaults = {"game": "star-star", "board": "10", "system": "monrad", "rounds": 3}
        Tournament.objects.create(name=fields["slug"].title(), public=True, **(defaults | fields))


def found(person: Person, query: str) -> list[str]:
    return [row["slug"] for row in person.get(f"tournaments?{query}").json()["results"]]


@pytest.mark.parametrize(
    ("query", "slugs"),
    [
        ("", ["may", "april", "june"]),
        ("since=2026-05-02", ["may", "june"]),
        ("until=2026-05-01", ["may", "april"]),
        ("state=running,review", ["april", "june"]),
        ("slug=june,may,none", ["may", "june"]),
        ("country=por", ["may"]),
        ("pool=star", ["may"]),
        ("ruleset=hex&board_size=11", ["june"]),
        ("system=monrad", ["may", "april"]),
        ("order=newest", ["june", "april", "may"]),
    ],
)
def test_tournaments_are_found(anonymous: Person, query: str, slugs: list[str]) -> None:
    assert found(anonymous, query) == slugs


@pytest.mark.parametrize(
    ("query", "valid"),
    [
        ("state=running,lost", "running"),
        ("pool=moon", "star"),
        ("country=Portugal", None),
        ("player=999", None),
    ],
)
def test_what_is_not_known_is_refused(anonymous: Person, query: str, valid: str | None) -> None:
    problem = problem_in(anonymous.get(f"tournaments?{query}"), 422, "invalid_parameter")

    assert problem["parameter"] == query.partition("=")[0]
    assert valid is None or valid in problem["valid"]


@pytest.mark.parametrize(
    ("order", "slugs"),
    [("earliest", ["april", "may", "june"]), ("latest", ["june", "may", "april"])],
)
def test_the_order_by_days_has_pages(anonymous: Person, order: str, slugs: list[str]) -> None:
    read, address = [], f"tournaments?order={order}&limit=1"
    while address:
        page = anonymous.get(address.rpartition("/api/v1/")[2]).json()
        read += [row["slug"] for row in page["results"]]
        address, last = page["next"], page
    back = anonymous.get(last["previous"].rpartition("/api/v1/")[2]).json()

    assert read == slugs
    assert [row["slug"] for row in back["results"]] == [slugs[1]]
    cursor = last["previous"].partition("cursor=")[2].partition("&")[0]
    problem_in(anonymous.get(f"tournaments?cursor={cursor}"), 422, "invalid_parameter")


@pytest.mark.parametrize("order", ["earliest", "latest"])
def test_the_order_by_days_is_read_from_an_index(anonymous: Person, order: str) -> None:
    with CaptureQueriesContext(connection) as queries:
        anonymous.get(f"tournaments?order={order}&since=2026-05-01")
    (sql,) = [query["sql"] for query in queries if "ORDER BY" in query["sql"]]
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL enable_seqscan = off")
        plan_of = "EXPLAIN QUERY PLAN" if connection.vendor == "sqlite" else "EXPLAIN"
        cursor.execute(f"{plan_of} {sql}")
        plan = " ".join(str(row) for row in cursor.fetchall())

    assert "tournament_by_day" in plan
    assert "TEMP B-TREE" not in plan
