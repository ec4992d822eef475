"""`OPTIONS` and `HEAD` of every address."""

import pytest

from tests.api.one_of_each import make_everything
from tests.api.operations import operations
from tests.people import Person

pytestmark = pytest.mark.django_db

STREAMS = {"tournaments/{slug}/stream"}
"""An event stream is not found by HEAD, because it has no end."""


def test_options_and_head_of_every_address(anonymous: Person) -> None:
    everything = make_everything()
    staff = everything.people["staff"]
    methods: dict[str, set[str]] = {}
    for operation in operations():
        methods.setdefault(operation.address, set()).add(operation.method)

    wrong = {}
    for address, expected in methods.items():
        path = everything.path(address)
        answer = anonymous.send("OPTIONS", path)
        allowed = set(answer["Allow"].split(", ")) if "Allow" in answer else set()
        if answer.status_code != 200 or not expected < allowed:
            wrong[f"OPTIONS {address}"] = answer.status_code
        if "GET" in expected and address not in STREAMS:
            answer, read = staff.send("HEAD", path), staff.get(path)
            if answer.status_code != read.status_code or answer.getvalue() != b"":
                wrong[f"HEAD {address}"] = (answer.status_code, read.status_code)

    assert wrong == {}
