"""`OPTIONS`, `HEAD` and what is not allowed, of every address."""

import pytest

from tests.api.one_of_each import make_everything
from tests.api.operations import operations
from tests.people import PROBLEM_JSON, Person

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

STREAMS = {"stream", "me/stream", "pools/{code}/stream", "tournaments/{slug}/stream"}
"""An event stream is not found by HEAD, because it has no end."""


def methods_by_address() -> dict[str, set[str]]:
    methods: dict[str, set[str]] = {}
    for operation in operations():
        methods.setdefault(operation.address, set()).add(operation.method)
    return methods


def test_options_of_every_address_and_head_of_some(anonymous: Person) -> None:
    everything = make_everything()
    staff = everything.people["staff"]
    methods = methods_by_address()

    wrong = {}
    for number, (address, expected) in enumerate(methods.items()):
        path = everything.path(address)
        answer = anonymous.send("OPTIONS", path)
        allowed = set(answer["Allow"].split(", ")) if "Allow" in answer else set()
        if answer.status_code != 200 or not expected < allowed:
            wrong[f"OPTIONS {address}"] = answer.status_code
        if "GET" in expected and address not in STREAMS and number % 6 == 0:
            answer, read = staff.send("HEAD", path), staff.get(path)
            if answer.status_code != read.status_code or answer.getvalue() != b"":
                wrong[f"HEAD {address}"] = (answer.status_code, read.status_code)

    assert wrong == {}


def test_a_write_that_an_address_does_not_have_is_405() -> None:
    everything = make_everything()
    staff = everything.people["staff"]

    methods = methods_by_address()
    bases = {operation.address: operation.base for operation in operations()}

    wrong, tried = {}, ("POST", "PUT", "PATCH", "DELETE", "BREW")
    for number, (address, base) in enumerate(bases.items()):
        missing = [method for method in tried if method not in methods.get(base, set())]
        method = missing[number % len(missing)]
        answer = staff.send(method, everything.path(address))
        found = answer.status_code, answer["Content-Type"], "Allow" in answer
        if found != (405, PROBLEM_JSON, True):
            wrong[f"{method} {address}"] = answer.status_code

    assert wrong == {}
