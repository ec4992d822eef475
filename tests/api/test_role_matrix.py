"""The role matrix of every operation: who is allowed, and what everyone else gets."""

from collections import Counter
from typing import Any

import pytest

from tests.api.one_of_each import Everything, make_everything
from tests.api.operations import Operation, operations
from tests.api.role_matrix import (
    ANONYMOUS,
    APP,
    BOUND,
    ELSEWHERE,
    EXPIRED,
    LEVEL_OF,
    LEVELS,
    LINK,
    MAIN_PEOPLE,
    OPERATIONS,
    OTHER_LINK,
    PEOPLE,
    allowed_people,
)
from tests.people import Person

pytestmark = pytest.mark.any_database

NOT_TRIED = ("schema", "tournaments/{slug}/groups")
"""A page that depends on nothing and takes long, and tables that this event does not have."""

BODIES: dict[str, dict[str, Any]] = {
    "POST games/{game_id}/reports": {"claim": {"result": "11-10"}},
    "POST handicap-tables": {"pool": "star"},
    "POST webhooks": {"tournament_slug": "spring", "receiver_url": "https://hooks.example.org/"},
    "POST tokens": {"scopes": ["result:write"]},
    "POST tournaments/{slug}/rounds/{number}/explain": {"first_number": 1, "second_number": 2},
}
"""Bodies that are read before the permission is checked; the others are empty."""

QUERIES = {"POST tournaments/import": "&ruleset=star-star&board_size=10"}
"""Parameters that an operation needs; all are checked before the permission is."""


@pytest.fixture
def start(db: None) -> dict[str, Any]:
    return {"everything": make_everything()}


@pytest.fixture
def everything(start: dict[str, Any]) -> Everything:
    found: Everything = start["everything"]
    assert set(found.people) == set(PEOPLE)
    return found


def test_every_operation_has_a_level() -> None:
    known = {str(operation).strip() for operation in operations()}
    declared = Counter(
        " ".join(line.split())
        for lines in OPERATIONS.values()
        for line in lines.strip().splitlines()
    )

    missing, unknown = sorted(known - set(declared)), sorted(set(declared) - known)
    assert missing == [], "declare who may do these, in tests/api/role_matrix.py"
    assert unknown == [], "these do not exist any more: delete them in tests/api/role_matrix.py"
    assert [name for name, number in declared.items() if number > 1] == []
    assert set(OPERATIONS) == set(LEVELS)


ABOUT = {"tournaments/{slug}": "event", "games/{game_id}": "event", "webhooks": "event",
         "players/{player_id}": "player", "pools/{code}": "pool",
         "handicap-tables": "pool"}  # fmt: skip
"""What the permission of an operation is needed in, by the begin of its address."""
WITH_LOGIN = ("player with a login", "player with a login, or staff")
"""The levels that a token does not have which a director has given out."""
OWN_ROWS = ("tokens/{token_id}", "claims/{claim_id}", "me/invitations/", "me/roles/")
"""The begins of addresses of rows that few see of those with the permission."""


def test_the_actions_have_the_permissions_of_their_levels() -> None:
    """The level of an operation is written by hand, the permission of its action in the code."""
    differences = []
    for operation in operations():
        if operation.action is None:  # a read
            continue
        level = LEVELS[LEVEL_OF[str(operation)]]
        about = [kind for begin, kind in ABOUT.items() if operation.base.startswith(begin)]
        declared = allowed_people(operation.action.permission, "".join(about))
        if LEVEL_OF[str(operation)] in WITH_LOGIN:
            declared.discard(LINK)
        if LEVEL_OF[str(operation)] == "people of the event":
            declared.add(OTHER_LINK)  # of the event, and of no object in the address
        if LEVEL_OF[str(operation)] == "directors, by a token of no event":
            declared -= {BOUND, APP}  # what is made is another event
        if operation.base.startswith(OWN_ROWS):
            assert level.is_hidden
            declared &= set(level.allowed)
        if declared != set(level.allowed):
            differences.append((str(operation), declared ^ set(level.allowed)))
    assert "\n".join(map(str, differences)) == ""


def try_operation(person: Person, path: str, operation: Operation) -> int:
    """Send the request, as a dry run if it writes; return the status."""
    if operation.is_read:
        return person.get(path, If_None_Match="*").status_code
    body = BODIES.get(str(operation), {})
    path = f"{path}?dry_run=1{QUERIES.get(str(operation), '')}"
    return person.send(operation.method, path, body).status_code


def tried_people(operation: Operation, name: str, number: int, people: tuple[str, ...]) -> set[str]:
    """Return who tries the operation of this number in its level.

    They are fewer if it only differs in its suffix. Of the main people, every operation is tried
    by one who may do it and by one without an account, and by every second one of the others, or
    every third if it writes, for the permission of its action is compared above: who leaves out one
    operation tries the next.
    """
    if people is PEOPLE:
        few = {ELSEWHERE, OTHER_LINK, EXPIRED, ANONYMOUS}
        return few if operation.suffix else {*people, LEVELS[name].allowed[0]}
    if operation.suffix:
        return {ANONYMOUS}
    if name == "anyone":
        return {EXPIRED, (ELSEWHERE, ANONYMOUS)[number % 2]}
    step = 2 if operation.is_read else 3
    others = people if len(operations_of(name)) == 1 else people[number % step :: step]
    return {*others, LEVELS[name].allowed[0], ANONYMOUS}


def operations_of(name: str) -> list[Operation]:
    """Return the operations of a level that are tried."""
    return [
        operation
        for operation in operations()
        if LEVEL_OF.get(str(operation).strip()) == name and operation.base not in NOT_TRIED
    ]


@pytest.mark.parametrize(
    "people", [MAIN_PEOPLE, pytest.param(PEOPLE, marks=pytest.mark.long)], ids=["main", "all"]
)
def test_only_the_people_of_a_level_are_allowed(
    everything: Everything, people: tuple[str, ...]
) -> None:
    """Of all levels by the same objects, which no request changes."""
    differences = []
    for name, level in LEVELS.items():
        for number, operation in enumerate(operations_of(name)):
            path = everything.path(operation.address)
            for who in tried_people(operation, name, number, people):
                status = try_operation(everything.people[who], path, operation)
                refusals = level.refusals(who)
                is_right = status in refusals if refusals else status not in (401, 403, 404)
                if not is_right:
                    differences.append((str(operation), who, status, refusals or "allowed"))
    assert "\n".join(map(str, differences)) == ""
