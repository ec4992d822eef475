"""Hostile addresses, queries, headers and content types at every operation.

Each operation gets one of the requests, the next one another, and many of them in `make test-long`;
the schema, which takes a second to write, gets none in `make test`. A response is a problem with a
status of 4xx, or the success of a read that ignores what is odd; nothing is stored.
"""

import itertools
from typing import Any

import pytest

from games.core.formats import StrictJSONParser
from tests.api.one_of_each import Everything, make_everything
from tests.api.operations import Operation, operations
from tests.api.role_matrix import LEVEL_OF, LEVELS
from tests.api.test_responses import load_rows
from tests.people import BASE, PROBLEM_JSON, Person

Request = dict[str, Any]
"""What of a request is hostile: `path`, `query`, `headers`, `content_type`, `body`."""

TRICKS = [
    "%00", "x%00y", "%2f", "..", "%2e%2e", "..%2f..%2fetc%2fpasswd", "%5c..%5c", "%ff", "%c0%ae",
    "%e2%80%ae", "%0d%0aSet-Cookie:%20a=b", "x" * 5000, "%25" * 500, "-0", "1;1", "1%20", "٣",
    "9" * 19, "9" * 4301, "-1", "0", "1e5", "1.5", "²", "report-9", f"batch-{'9' * 19}",
    "<script>", "{{7*7}}", "' OR 1=1 --",
]  # fmt: skip
QUERIES = [
    "%00=%00", "=", "&&&&", "%ff=%ff", "dry_run[]=1", "limit=1&limit=%00", "cursor=%00",
    "format=xml", "_method=DELETE", "callback=alert", "a=" + "x" * 20_000, "x&" * 1500,
    "limit=" + "9" * 5000, "dry_run=" + "1" * 5000,
]  # fmt: skip
HEADERS = [
    {"Accept": "*/*," * 2000},
    {"Accept": "application/json;q=" + "9" * 500},
    {"Accept-Encoding": "gzip," * 2000},
    {"Accept-Language": "de-" * 500},
    {"Authorization": "Bearer " + "x" * 5000},
    {"Authorization": "Bearer"},
    {"Authorization": "Token a b c"},
    {"Authorization": "Bearer \x00"},
    {"Authorization": "Bearer \u00e9"},
    {"Cookie": "sessionid=" + "x" * 5000},
    {"Cookie": "sessionid=\x00; =;;"},
    {"Idempotency-Key": ""},
    {"Idempotency-Key": "x" * 300},
    {"If-Match": "x"},
    {"If-Match": '"' + "9" * 5000 + '.x.y"'},
    {"If-None-Match": '"' * 1001},
    {"If-None-Match": 'W/"' * 1000},
    {"Prefer": "wait=" + "9" * 5000},
    {"Range": "bytes=0-1,5-" + "9" * 500},
    {"X-Request-ID": "a\nb"},
    {"X-HTTP-Method-Override": "DELETE"},
    {"Host": "localhost:99999999"},
    {"Content-Length": "-1"},
    {"Transfer-Encoding": "chunked"},
]
TYPES = [
    "", "a", "text/html", "application/xml", "application/x-www-form-urlencoded", "image/png",
    "multipart/form-data", "multipart/form-data; boundary=" + "x" * 500,
    "application/json; charset=utf-16", "application/json, text/plain", "\u00e9/\u00e9",
    "application/" + "x" * 5000,
]  # fmt: skip
WITH_BODIES = ("POST", "PUT", "PATCH")
BODIES = [b"\x00", b'{"a": 1', b"[" * 1000, b"name\n\x00", b"PK\x05\x06", b"\xff\xfe{\x00"]

REQUESTS: list[Request] = [
    *({"query": query} for query in QUERIES),
    *({"headers": headers} for headers in HEADERS),
]
WITH_BODY: list[Request] = [
    {"content_type": content_type, "body": body}
    for content_type, body in zip(TYPES, itertools.cycle(BODIES), strict=False)
]


@pytest.mark.django_db
@pytest.mark.parametrize("at_once", [1, pytest.param(8, marks=[pytest.mark.long])])
def test_a_hostile_request_is_refused_and_stores_nothing(at_once: int) -> None:
    everything = make_everything(rounds=2)
    tricks, requests, bodies = map(itertools.cycle, (TRICKS, REQUESTS, WITH_BODY))
    before, found = load_rows(), {}
    for number, operation in enumerate(operations()):
        if operation.base == "schema" and at_once == 1:
            continue
        has_path, has_body = "{" in operation.address, operation.method in WITH_BODIES
        chosen: list[Request] = [
            *itertools.islice(requests, at_once),
            *({"path": trick} for trick in itertools.islice(tricks, at_once * has_path)),
            *itertools.islice(bodies, at_once * has_body),
        ]
        for request in [chosen[number % len(chosen)]] if at_once == 1 else chosen:
            if problem := fault(everything, operation, request):
                found[str(operation), str(request)[:100]] = problem

    assert found == {}
    after = load_rows()
    after["tournament.Explanation"] = []  # computed, and kept
    assert after == before


def fault(everything: Everything, operation: Operation, request: Request) -> str:
    """Send a hostile request; return what is wrong with the response, or an empty text.

    A write that nothing is wrong with besides an odd parameter or header has a dry run.
    """
    path = everything.path(operation.address)
    if trick := request.get("path"):
        path = operation.address.format_map(Tricks(trick))
    query = request.get("query", "")
    if not operation.is_read and not request.keys() & {"content_type", "body"}:
        query = f"dry_run=1&{query}"
    response = send(everything, operation, f"{BASE}{path}?{query}", request)
    status, content_type = response.status_code, response.get("Content-Type")
    if status >= 500:
        return f"{status} {response.content[:200]!r}"
    if status >= 400 and content_type != PROBLEM_JSON:
        return f"{status} {content_type}"
    is_harmless = (
        operation.is_read
        or "dry_run" in query
        or (operation.action is not None and operation.action.is_read_only)
    )
    return "" if status >= 400 or is_harmless else f"{status} for a write"


class Tricks(dict[str, str]):
    """The same text for every parameter of an address."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text

    def __missing__(self, name: str) -> str:
        return self.text


def send(everything: Everything, operation: Operation, path: str, request: Request) -> Any:
    """Send the request as somebody who may do this, unless the header says who sends it."""
    level = LEVELS[LEVEL_OF[str(operation).strip()]]
    role = "owner" if "owner" in level.allowed else level.allowed[0]
    person: Person = everything.people[role]
    is_json = StrictJSONParser in operation.view.parser_classes
    body = request.get("body", b"" if operation.is_read or not is_json else b"{}")
    headers = {name.replace("-", "_"): text for name, text in request.get("headers", {}).items()}
    content_type = request.get("content_type", "application/json")
    return person.send(operation.method, path, body, content_type=content_type, **headers)
