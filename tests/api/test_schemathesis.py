"""Requests that schemathesis generates from the schema: no 5xx, nothing that is not described.

Each request is sent with a token of somebody and undone. The parameters of an address are those of
objects that exist, but for a few addresses that schemathesis makes up.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

import pytest
import requests
from django.db import transaction
from django.http import HttpResponse
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.api.documented import Documented
from tests.api.one_of_each import Everything, make_everything
from tests.people import BASE, Person

if TYPE_CHECKING:  # it is large, and each process of a test run collects this file
    from schemathesis import Case
    from schemathesis.schemas import APIOperation

PEOPLE = ("owner", "player", "stranger")
PARTS = {1: 3, 50: 10}
"""How many parts the operations have, by the number of requests to each; a test tries one part.

`make test` sends one request to every third operation; many requests to each take about a minute.
"""
SENT_OTHERWISE = {
    "accept-encoding", "authorization", "connection", "content-length", "content-type", "host",
    "prefer",
}  # fmt: skip
"""Headers that a client sends itself; `Prefer` would wait for a task."""


@pytest.fixture
def start(db: None) -> dict[str, Any]:
    return {"everything": make_everything()}


def requests_for(operation: APIOperation, path_parameters: dict[str, Any]) -> Any:
    """Return the strategy of requests for an operation: valid ones, and ones that are not."""
    from schemathesis import GenerationMode

    known = {parameter.name for parameter in operation.path_parameters}
    values = {name: value for name, value in path_parameters.items() if name in known}
    strategies = [
        operation.as_strategy(GenerationMode.POSITIVE, path_parameters=values),
        operation.as_strategy(GenerationMode.NEGATIVE, path_parameters=values),
    ]
    return st.one_of(*strategies, *([operation.as_strategy()] if known else []))


def send(person: Person, case: Case) -> HttpResponse:
    """Send a request as the person, and undo what it does."""
    kwargs = case.as_transport_kwargs(base_url="http://testserver")
    kwargs.pop("cookies", None)
    prepared = requests.Request(**kwargs).prepare()
    headers = {
        name: value.decode("latin-1") if isinstance(value, bytes) else value
        for name, value in prepared.headers.items()
        if name.lower() not in SENT_OTHERWISE
    }
    body = prepared.body or b""
    with transaction.atomic():
        response = person.client.generic(
            case.method,
            prepared.path_url,
            body.encode() if isinstance(body, str) else body,
            content_type=prepared.headers.get("Content-Type", "application/json"),
            headers=headers | {"Authorization": f"Bearer {person.secret}"},
        )
        response.getvalue()
        transaction.set_rollback(True)
    return response


def try_operations(
    schema: dict[str, Any],
    everything: Everything,
    people: tuple[str, ...],
    examples: int,
    part: int,
) -> dict[str, str]:
    """Return what is not as described in a part of the operations, with a request that shows it.

    Each request is sent by each of the people: to make one up takes longer than to send it.
    """
    import schemathesis

    documented, differences = Documented(schema), dict[str, str]()

    def try_one(case: Case) -> None:
        for who in people:
            response = send(everything.people[who], case)
            raw = case.operation.definition.raw
            for difference in documented.differences(raw, response):
                request = f"{case.method} {case.formatted_path} {case.query} {case.headers}"
                found = f"{who} {request} {case.body!r}"[:700]
                differences.setdefault(f"{raw['operationId']}: {difference[:120]}", found)

    limits = settings(
        max_examples=examples,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    operations = schemathesis.openapi.from_dict(schema).get_all_operations()
    for found in islice(operations, part, None, PARTS[examples]):
        operation = found.ok()
        code = everything.code_of(operation.path.removeprefix(BASE))
        cases = requests_for(operation, everything.values | {"code": code})
        limits(given(case=cases)(try_one))()
    return differences


@pytest.mark.parametrize(
    ("people", "examples", "part"),
    [
        (("owner",), 1, 0),
        *(pytest.param(PEOPLE, 50, part, marks=pytest.mark.long) for part in range(PARTS[50])),
    ],
)
def test_every_response_is_described(
    schema: dict[str, Any],
    start: dict[str, Any],
    people: tuple[str, ...],
    examples: int,
    part: int,
) -> None:
    assert try_operations(schema, start["everything"], people, examples, part) == {}
