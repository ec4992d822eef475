"""`allowed_actions` of a round: the level says what the call does."""

from typing import Any

import pytest

from tests.events import Event, make_event, make_players
from tests.people import Person, problem_in

WHY = {"reason": "as agreed"}
BODIES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "edit": ("PATCH", "", {"starts_on": "2026-05-01"}),
    "pair": ("POST", "/pair", {}),
    "set_pairings": ("PUT", "/pairings", WHY | {"pairings": []}),
    "change_boards": ("PATCH", "/pairings", WHY | {"boards": [], "accept": ["rematch"]}),
    "publish": ("POST", "/publish", {}),
    "unpair": ("POST", "/unpair", WHY),
    "restore": ("POST", "/restore", WHY | {"version": 1}),
    "complete": ("POST", "/complete", {}),
    "reopen": ("POST", "/reopen", WHY),
}


@pytest.fixture
def event(organiser: Person) -> Event:
    event = make_event(organiser)
    event.enter(*make_players(4))
    return event.step("open", "start")


def compare(person: Person, event: Event, number: int) -> str:
    """Compare the levels with dry runs; return the actions that are allowed."""
    path = f"{event.path}/rounds/{number}"
    actions = person.get(path).json()["allowed_actions"]
    entries = [{"first": pk} for pk in event.tournament.entries.values_list("pk", flat=True)]
    games = [{"first": entries[0]["first"], "second": entries[1]["first"]}]
    games.append({"first": entries[2]["first"], "second": entries[3]["first"]})
    changes = [games[0] | {"board": 1}, games[1] | {"board": 2}]
    assert [action["action"] for action in actions] == list(BODIES)
    for action in actions:
        method, suffix, body = BODIES[action["action"]]
        body = body | ({"pairings": games} if "pairings" in body else {})
        body = body | ({"boards": changes} if "boards" in body else {})
        response = person.send(method, f"{path}{suffix}?dry_run=1", body)
        if action["level"] == "forbidden":
            problem = problem_in(response, 409, action["code"])
            assert problem["detail"] == action["reason"]
            assert problem["allowed_actions"] == actions
        else:
            assert response.status_code == 200, (action, response.content)
            if action["level"] == "unsafe":
                without_reason = {name: body[name] for name in body if name != "reason"}
                response = person.send(method, f"{path}{suffix}?dry_run=1", without_reason)
                assert response.status_code == 422, action
    return " ".join(action["action"] for action in actions if action["level"] != "forbidden")


@pytest.mark.further_case
def test_the_level_says_what_the_call_does(organiser: Person, event: Event) -> None:
    before = "edit pair set_pairings"
    assert [compare(organiser, event, n) for n in (1, 2, 3)] == [before, "edit", "edit"]
    event.draft(1)
    assert compare(organiser, event, 1) == f"{before} change_boards publish unpair"
    event.step("cancel")
    assert compare(organiser, event, 1) == ""


def test_a_round_is_complete_when_its_results_are(organiser: Person, event: Event) -> None:
    event.publish(1)
    assert [compare(organiser, event, n) for n in (1, 2)] == ["edit change_boards unpair", "edit"]
    event.finish(1)
    before = "edit pair set_pairings"
    assert [compare(organiser, event, n) for n in (1, 2)] == ["unpair reopen", before]
    organiser.post(f"{event.path}/rounds/1/unpair", WHY)
    assert [compare(organiser, event, n) for n in (1, 2)] == [f"{before} restore", "edit"]
    event.play(1)
    event.publish(2)
    assert [compare(organiser, event, n) for n in (1, 2)] == ["", "edit change_boards unpair"]


def test_others_are_allowed_nothing(event: Event, stranger: Person, anonymous: Person) -> None:
    for person, status in ((stranger, 403), (anonymous, 401)):
        assert person.get(f"{event.path}/rounds/1").json()["allowed_actions"] == []
        for method, suffix, body in BODIES.values():
            path = f"{event.path}/rounds/1{suffix}"
            assert person.send(method, path, body).status_code == status
