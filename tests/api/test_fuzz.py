"""Any JSON at every address that takes a body: an error or a success, never a 500."""

import json
from typing import Any

import pytest
from django.db import connection, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.api.one_of_each import make_everything
from tests.api.operations import operations
from tests.api.role_matrix import LEVEL_OF, LEVELS
from tests.events import FIRST_WINS, SET_UP
from tests.people import BASE, PROBLEM_JSON, Person

LENGTHS = st.sampled_from([0, 1, 2, 80, 81, 120, 121, 240, 241, 2001])
WORDS = st.one_of(
    st.text(max_size=30),
    st.builds(lambda character, length: character * length, st.sampled_from("aé0 -"), LENGTHS),
    st.sampled_from(
        ["first", "second", "star-star", "4", "10", "monrad", "dutch", "PTS", "BH/C1", "MARGIN",
         "1/2", "1-0", "0-0", "26-25", "-1--1", "agreed", "forfeit", "pairing_bye", "half_bye",
         "2026-05-01", "0001-01-01", "9999-12-31", "9999-12-31T23:59:59Z", "UTC", "1e999", "NaN",
         "²", "\u202e", "\ufeff", "true", "null", FIRST_WINS, FIRST_WINS + FIRST_WINS]
    ),
)  # fmt: skip
NUMBERS = st.one_of(
    st.integers(),
    st.integers(-2, 5),
    st.sampled_from([2**31, 2**63 - 1, 2**63, 2**64, 10**400, -(10**400)]),
    st.floats(allow_nan=False, allow_infinity=False),
)
NAMES = sorted(
    {*SET_UP, "record", "records", "claim", "result", "termination", "seat", "version", "reason",
     "moves", "tags", "options", "handicap", "stones", "points", "swap", "win", "draw", "loss",
     "player_id", "entry_id", "round", "kind", "pairings", "bye", "first", "second", "scopes",
     "expires_at", "tournament", "tiebreaks", "time_zone", "pool", "code", "preset", "parameters",
     "slug", "public", "half_byes", "confirm_hours", "country", "club", "seed_rating", "board",
     "birth_year", "sex", "category", "prizes", "boards", "accept", "changes", "digest", "scope",
     "game", "title", "results", "basis", "email", "token", "password", "role", "keep_id",
     "merge_id"}
)  # fmt: skip
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), NUMBERS, WORDS),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.one_of(st.sampled_from(NAMES), st.text(max_size=8)), inner, max_size=5),
    ),
    max_leaves=8,
)


@st.composite
def mutated(draw: st.DrawFn, body: Any) -> Any:
    """Replace some values of a body, at any depth."""
    if draw(st.integers(0, 3)) == 0 or not isinstance(body, dict | list) or not body:
        return draw(JSON)
    changed = json.loads(json.dumps(body))
    key = draw(st.sampled_from(sorted(changed) if isinstance(changed, dict) else [0]))
    changed[key] = draw(mutated(changed[key]))
    if isinstance(changed, dict) and draw(st.booleans()):
        changed[draw(st.sampled_from(NAMES))] = draw(JSON)
    return changed


def example_of(described: dict[str, Any], values: dict[str, Any]) -> Any:
    """Return the example of a body, with the ids of objects that exist."""
    content = described.get("requestBody", {}).get("content", {}).get("application/json", {})
    examples = [each["value"] for each in content.get("examples", {}).values()]
    return with_ids(content.get("example", examples[0] if examples else None), values)


def with_ids(value: Any, values: dict[str, Any]) -> Any:
    """Replace the ids of a value by those of the objects that parameters of addresses name."""
    if isinstance(value, list):
        return [with_ids(each, values) for each in value]
    if not isinstance(value, dict):
        return value
    return {
        name: values[f"{name}_id"]
        if type(inner) is int and f"{name}_id" in values
        else with_ids(inner, values)
        for name, inner in value.items()
    }


@pytest.mark.long
def test_no_body_causes_a_500(schema: dict[str, Any], db: None) -> None:
    """Send each as a dry run and as it is; what it has done is taken back."""
    everything = make_everything(rounds=2)
    tried = 0
    for operation in operations():
        described = schema["paths"].get(f"{BASE}{operation.base}", {})
        body = example_of(described.get(operation.method.lower(), {}), everything.values)
        if body is not None:
            tried += 1
            level = LEVELS[LEVEL_OF[str(operation)]]
            role = "owner" if "owner" in level.allowed else level.allowed[0]
            path = everything.path(operation.address)
            try_bodies(everything.people[role], operation.method, path, body)

    assert tried > 50


def try_bodies(person: Person, method: str, path: str, body: Any) -> None:
    """Send bodies that differ from one."""

    @settings(
        max_examples=settings().max_examples // (2 if connection.vendor == "sqlite" else 3),
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(sent=mutated(body))
    def send(sent: Any) -> None:
        try:
            content = json.dumps(sent).encode()
        except ValueError:  # more digits than Python writes
            return
        for address in (f"{path}?dry_run=1", path):
            with transaction.atomic():
                response = person.send(method, address, content)
                transaction.set_rollback(True)
            assert response.status_code < 500, (address, sent)
            if response.status_code >= 400:
                assert response["Content-Type"] == PROBLEM_JSON

    send()
