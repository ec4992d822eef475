"""`allowed_actions` of an event: the level says what the call does, for every role."""

from typing import Any

import pytest

from tests.events import Event, make_event, make_players
from tests.people import Person, player_of, problem_in, with_officials
from tournament.services.event_actions import EVENT_ACTIONS
from tournament.services.states import TRANSITIONS

Calls = dict[str, tuple[str, str, dict[str, Any]]]
ROLES = ("owner", "director", "scorer", "player", "stranger", "anonymous")


@pytest.fixture
def event(organiser: Person, ada: Person) -> Event:
    event = make_event(organiser, rounds=1)
    event.enter(player_of(ada))
    return event


@pytest.fixture
def people(
    event: Event, organiser: Person, ada: Person, stranger: Person, anonymous: Person
) -> dict[str, Person]:
    others = {"owner": organiser, "player": ada, "stranger": stranger, "anonymous": anonymous}
    return with_officials(event.stream, others)


def event_calls(event: Event) -> Calls:
    """Return the call of each action of the event: method, address, body."""
    entry = event.tournament.entries.order_by("pk")[0].pk
    (player,) = make_players(1)
    calls: Calls = {
        "edit": ("PATCH", event.path, {"place": "Lisbon"}),
        "enter": ("POST", f"{event.path}/entries", {"player": player.pk}),
        "request_bye": (
            "POST", f"{event.path}/byes", {"entry": entry, "round": 1, "kind": "zero-bye"}
        ),
    }  # fmt: skip
    for action in TRANSITIONS:
        body = {"reason": "the hall is closed"} if EVENT_ACTIONS[action].is_unsafe else {}
        calls[action] = ("POST", f"{event.path}/{action}", body)
    return calls


def compare(person: Person, path: str, calls: Calls) -> str:
    """Compare the levels with dry runs; return the actions that are allowed."""
    actions = person.get(path).json()["allowed_actions"]
    levels = {action["action"]: action for action in actions}
    assert not actions or set(levels) == set(calls)
    for name, (method, address, body) in calls.items():
        response = person.send(method, f"{address}?dry_run=1", body)
        if not actions:
            assert response.status_code in (401, 403), (name, response.content)
        elif levels[name]["level"] == "forbidden":
            code = levels[name]["code"]
            problem = problem_in(response, 403 if code == "role_missing" else 409, code)
            assert problem["detail"] == levels[name]["reason"]
            assert problem["allowed_actions"] == actions
        else:
            assert response.status_code in (200, 201, 202, 204), (name, response.content)
            if levels[name]["level"] == "unsafe":
                assert person.send(method, f"{address}?dry_run=1", {}).status_code == 422
    return " ".join(name for name in calls if actions and levels[name]["level"] != "forbidden")


def test_the_level_of_an_action_says_what_the_call_does(
    event: Event, people: dict[str, Person]
) -> None:
    def allowed(*roles: str) -> list[str]:
        calls = event_calls(event)
        return [compare(people[role], event.path, calls) for role in roles]

    before = "edit enter request_bye"
    assert allowed("owner", "director") == [f"{before} open cancel", f"{before} open"]
    event.step("open")
    assert allowed("owner") == [f"{before} cancel"]
    event.enter(*make_players(1))
    assert allowed(*ROLES) == [f"{before} start cancel", f"{before} start", "", "", "", ""]
    event.step("start")
    assert allowed("owner", "scorer", "player") == [f"{before} cancel", "", ""]
    event.publish(1)
    assert allowed("owner") == ["edit cancel"]
    event.finish(1)
    assert allowed("owner", "director") == ["edit review cancel", "edit review"]
    event.step("review")
    assert allowed("owner", "director") == ["edit finalise", "edit"]
    event.step("finalise")
    assert allowed("owner", "director") == ["archive reopen", "archive"]
    event.step("archive")
    assert allowed(*ROLES) == [""] * len(ROLES)


def test_a_cancelled_event_can_only_be_resumed(event: Event, people: dict[str, Person]) -> None:
    event.step("cancel")

    assert compare(people["owner"], event.path, event_calls(event)) == "resume"
    assert compare(people["director"], event.path, event_calls(event)) == ""


def test_a_stale_write_lists_the_allowed_actions(event: Event, organiser: Person) -> None:
    actions = organiser.get(event.path).json()["allowed_actions"]

    response = organiser.patch(event.path, {"place": "Lisbon"}, If_Match='"1.0.0"')

    assert problem_in(response, 412, "stale")["allowed_actions"] == actions


def test_the_reasons_of_other_permissions(event: Event, organiser: Person) -> None:
    reader = organiser.with_token("tournament:read")
    elsewhere = organiser.with_token("tournament:write", stream="tournament/autumn")
    event.step("open")

    for person, code in ((reader, "scope_missing"), (elsewhere, "token_elsewhere")):
        assert person.get(event.path).json()["allowed_actions"] == []
        problem = problem_in(person.patch(event.path, {"place": "Lisbon"}), 403, code)
        assert "allowed_actions" not in problem
