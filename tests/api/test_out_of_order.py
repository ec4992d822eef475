"""A command out of order is refused with its reason and what is allowed instead."""

from typing import Any

import pytest
from django.http import HttpResponse

from tests.api.one_of_each import Everything, make_everything
from tests.api.operations import Operation, operations
from tests.api.role_matrix import LEVEL_OF, LEVELS
from tests.tournament.actions import ENTRY_CALLS, GAME_CALLS, WHY, Call

BELOW = ("tournaments/{slug}", "games/{game_id}")
ALWAYS_POSSIBLE = """
    DELETE tournaments/{slug}/application-link
    POST tournaments/{slug}/application-link
    POST tournaments/{slug}/entries/{entry_id}/token
    DELETE tournaments/{slug}/invitations/{invitation_id}
    POST tournaments/{slug}/invitations/{invitation_id}/resend
    POST tournaments/{slug}/links
    POST tournaments/{slug}/links/session
    DELETE tournaments/{slug}/links/{entry_id}
    POST tournaments/{slug}/roles
    DELETE tournaments/{slug}/roles/{role_id}
    POST tournaments/{slug}/rounds/{number}/check
    POST tournaments/{slug}/rounds/{number}/explain
    PUT tournaments/{slug}/second-factor
    DELETE tournaments/{slug}/tokens/{token_id}
"""
"""Writes that the state of the event does not limit: roles, links, tokens, questions."""

POSSIBLE = {
    "final": """
        POST tournaments/{slug}/archive
        POST tournaments/{slug}/corrections/{correction}/undo
        POST tournaments/{slug}/reopen
    """,
    "cancelled": """
        POST tournaments/{slug}/resume
    """,
}
"""Writes that are possible in the last states of an event."""

ROUND, ENTRY = "tournaments/{slug}/rounds/{number}", "tournaments/{slug}/entries/{entry_id}"
FILES = {
    "POST tournaments/{slug}/entries/import": ("text/csv", b"name\nEva\n"),
    "POST tournaments/{slug}/records/import": ("text/plain", b'[Round "1"]\n1. A1'),
}
BODIES: dict[str, Any] = {
    "POST games/{game_id}/reports": {"claim": {"result": "10-11"}},
    "PATCH tournaments/{slug}": {"place": "Lisbon"},
    "POST tournaments/{slug}/byes": {"entry": "entry_id", "round": 1, "kind": "zero-bye"},
    "POST tournaments/{slug}/entries": {"player": "player_id"},
    "POST tournaments/{slug}/entries/apply": {"name": "Eva"},
    f"PATCH {ROUND}": {"starts_on": "2026-05-01"},
    f"PATCH {ROUND}/pairings": WHY | {"boards": [{"board": 1, "first": 2, "second": 1}]},
    f"PUT {ROUND}/pairings": WHY | {"pairings": [{"first": 1, "second": 2}]},
    f"POST {ROUND}/restore": WHY | {"version": 1},
    f"POST {ROUND}/results": {"results": [{"board": 1, "result": "1-0"}], "basis": "slip"},
    f"POST {ROUND}/results/revoke": {"games": [1]},
    f"POST {ROUND}/unpair": WHY,
    "POST tournaments/{slug}/ties": WHY | {"numbers": [1, 2], "by": "lot"},
    f"POST {ROUND}/reopen": WHY,
    **{f"POST tournaments/{{slug}}/{action}": WHY for action in ("cancel", "reopen")},
    "POST tournaments/{slug}/corrections/{correction}/undo": WHY,
}
"""An id is the name of the parameter with this value."""


def body_of(everything: Everything, operation: Operation) -> Any:
    """Return a valid body of an operation."""
    if operation.base.endswith("/corrections"):
        changes = [{"game": everything.game.pk, "result": "0-1"}]
        digest = "1." + "0" * 64
        return WHY | {"digest": digest, "changes": changes, "scope": "standings"}
    if str(operation) in BODIES:
        body: dict[str, Any] = BODIES[str(operation)]
        values = everything.values
        return {name: values.get(str(value), value) for name, value in body.items()}
    calls: dict[str, dict[str, Call]] = {ENTRY: ENTRY_CALLS, "games/{game_id}": GAME_CALLS}
    for base, actions in calls.items():
        for method, suffix, body in actions.values():
            if str(operation) == f"{method} {base}{suffix}":
                return body
    return {}


def send(everything: Everything, operation: Operation) -> HttpResponse:
    """Send an operation, as somebody who may do it in the right state of the event."""
    level = LEVELS[LEVEL_OF[str(operation)]]
    role = "owner" if "owner" in level.allowed else level.allowed[0]
    person, path = everything.people[role], everything.path(operation.address)
    kind, content = FILES.get(str(operation), ("application/json", body_of(everything, operation)))
    return person.send(operation.method, f"{path}?dry_run=1", content, content_type=kind)


@pytest.fixture
def start(db: None) -> dict[str, Any]:
    return {"everything": make_everything(rounds=2)}


@pytest.mark.parametrize("state", POSSIBLE)
def test_a_command_out_of_order_lists_what_is_allowed(start: dict[str, Any], state: str) -> None:
    everything: Everything = start["everything"]
    event = everything.event
    if state == "final":
        everything.people["owner"].post(f"{event.path}/rounds/1/complete")
        event.play(2)
        event.step("review", "finalise")
    else:
        event.step("cancel")
    lines = (ALWAYS_POSSIBLE + POSSIBLE[state]).splitlines()
    possible = {line.strip() for line in lines if line.strip()}
    assert possible <= {str(operation) for operation in operations()}

    tried = [
        operation
        for operation in operations()
        if not operation.is_read
        and operation.base.startswith(BELOW)
        and str(operation) not in possible
    ]
    found = {}
    for operation in tried:
        response = send(everything, operation)
        body = response.json() if response.status_code >= 400 else {}
        is_refused = (
            response.status_code in (409, 412) and body["detail"] and "allowed_actions" in body
        )
        if not is_refused:
            found[str(operation)] = (response.status_code, body)

    assert found == {}
    assert len(tried) > 30
