"""Lists are read page by page: each address of a list, from its beginning and from its end."""

from itertools import chain
from typing import Any
from urllib.parse import urlencode

import pytest
from django.http import QueryDict

from tests.api.one_of_each import Everything, make_everything
from tests.api.test_query_counts import OF_SAME_LENGTH, make_rows
from tests.events import make_players
from tests.people import BASE, Person, problem_in

pytestmark = pytest.mark.django_db

WHOLE: set[str] = set()
"""Answers with `results` that are no lists: none."""


@pytest.fixture
def start(db: None) -> dict[str, Any]:
    return {"everything": make_rows(make_everything(), 3)}


def paged_paths(schema: dict[str, Any]) -> list[str]:
    """Return the paths of the lists that have cursors."""
    return [
        path
        for path, operations in schema["paths"].items()
        if any(parameter["name"] == "cursor" for parameter in parameters(operations))
    ]


def parameters(operations: dict[str, Any]) -> list[dict[str, Any]]:
    return operations.get("get", {}).get("parameters", [])


def test_every_list_whose_length_users_decide_has_cursors(schema: dict[str, Any]) -> None:
    schemas = schema["components"]["schemas"]
    lists = set()
    for operations in schema["paths"].values():
        read = operations.get("get", {"responses": {}})
        content = read["responses"].get("200", {}).get("content", {})
        body = content.get("application/json", {}).get("schema", {})
        found = schemas.get(body.get("$ref", "").rpartition("/")[2], body)
        names = found.get("properties", {}).keys()
        if "results" in names and "next" not in names:
            lists.add(read["operationId"])

    assert lists == WHOLE


def test_the_pages_of_a_list_are_the_whole_list(
    schema: dict[str, Any], start: dict[str, Any]
) -> None:
    everything: Everything = start["everything"]
    owner, staff = (everything.people[name] for name in ("owner", "staff"))
    lengths: dict[str, int] = {}
    for pattern in paged_paths(schema):
        address = pattern.removeprefix(BASE)
        required = [p for p in parameters(schema["paths"][pattern]) if p.get("required")]
        if any(parameter["in"] == "query" for parameter in required):
            continue
        path = everything.path(address)
        lengths[address] = read_both_ways(staff, path) or read_both_ways(owner, path)

    assert {address for address, length in lengths.items() if length < 2} <= OF_SAME_LENGTH


def test_a_cursor_belongs_to_its_list(schema: dict[str, Any], start: dict[str, Any]) -> None:
    everything: Everything = start["everything"]
    owner = everything.people["owner"]
    cursors, taken = {}, {}
    for pattern in paged_paths(schema):
        path = everything.path(pattern.removeprefix(BASE))
        response = owner.get(f"{path}?limit=1")
        if response.status_code == 200 and (following := response.json()["next"]):
            cursors[path] = QueryDict(following.partition("?")[2])["cursor"]
    for path, other in zip(cursors, [*cursors][1:] + [*cursors][:1], strict=True):
        own, foreign = (
            owner.get(f"{path}?{urlencode({'cursor': cursors[name]})}") for name in (path, other)
        )
        assert own.status_code == 200, path
        if foreign.status_code != 422 or foreign.json()["parameter"] != "cursor":
            taken[path, other] = foreign.status_code

    assert len(cursors) > 10
    assert taken == {}


def test_a_cursor_belongs_to_its_order_and_filters(organiser: Person) -> None:
    make_players(3)
    cursor = QueryDict(organiser.get("players?limit=1").json()["next"].partition("?")[2])["cursor"]

    for query in ("", "limit=2"):
        assert organiser.get(f"players?{query}&{urlencode({'cursor': cursor})}").status_code == 200
    for query in ("order=newest", "name=player", "limit=2&country=POR"):
        response = organiser.get(f"players?{query}&{urlencode({'cursor': cursor})}")
        assert problem_in(response, 422, "invalid_parameter")["parameter"] == "cursor"


def read_both_ways(person: Person, address: str) -> int:
    """Compare a list with its pages, three or a few more, in both ways; return its length."""
    whole = person.get(address)
    if whole.status_code != 200:
        return 0
    rows = identify(whole.json())
    limit = max(1, len(rows) // 3)
    onward, last = follow(person, f"{address}?limit={limit}", "next")
    assert list(chain(*onward)) == rows, address
    backward, _ = follow(person, last, "previous")
    assert list(chain(*reversed(backward))) == rows, address
    return len(rows)


def follow(person: Person, address: str, relation: str) -> tuple[list[list[Any]], str]:
    """Return the rows of each page in a direction, and the address of the last page."""
    pages: list[list[Any]] = []
    while True:
        response = person.get(address)
        body = response.json()
        pages.append(identify(body))
        if not (following := body[relation]):
            return pages, address
        assert f'<{following}>; rel="{relation[:4]}"' in response["Link"]
        address = following


def identify(body: dict[str, Any]) -> list[Any]:
    """Return the rows without what a request changes: when a token was last used."""
    return [
        {name: value for name, value in row.items() if name != "last_used_at"}
        for row in body["results"]
    ]
