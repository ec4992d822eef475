"""`allowed_actions` of an entry: the level says what the call does, for every role."""

from typing import Any

import pytest

from games.models import Role
from tests.events import Event, make_event, make_players
from tests.people import Person, make_person, player_of, problem_in
from tournament.models import Entry

CALLS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "edit": ("PATCH", "", {"birth_year": 1990, "reason": "asked"}),
    "accept": ("POST", "/accept", {}),
    "refuse": ("POST", "/refuse", {}),
    "wait": ("POST", "/wait", {}),
    "withdraw": ("POST", "/withdraw", {}),
    "return": ("POST", "/return", {}),
    "consent": ("POST", "/consent", {}),
    "availability": ("PUT", "/availability", {}),
    "check-in": ("POST", "/check-in", {}),
    "check-out": ("POST", "/check-out", {}),
}
FORBIDDEN = ("role_missing", "token_given_out")


@pytest.fixture
def event(organiser: Person, ada: Person) -> Event:
    event = make_event(organiser, rounds=1)
    event.enter(player_of(ada), *make_players(2))
    return event.step("open")


@pytest.fixture
def entry(event: Event, ada: Person) -> Entry:
    return event.tournament.entries.get(player=player_of(ada))


def compare(person: Person, event: Event, entry: Entry) -> str:
    """Compare the levels with dry runs; return the actions that are allowed."""
    path = f"{event.path}/entries/{entry.pk}"
    actions = person.get(path).json()["allowed_actions"]
    levels = {action["action"]: action for action in actions}
    assert not actions or list(levels) == list(CALLS)
    for name, (method, suffix, body) in CALLS.items():
        response = person.send(method, f"{path}{suffix}?dry_run=1", body)
        if not actions:
            assert response.status_code in (401, 403), (name, response.content)
        elif levels[name]["level"] == "forbidden":
            code = levels[name]["code"]
            problem = problem_in(response, 403 if code in FORBIDDEN else 409, code)
            assert problem["detail"] == levels[name]["reason"]
            assert problem["allowed_actions"] == actions
        else:
            assert response.status_code == 200, (name, response.content)
    return " ".join(name for name in levels if levels[name]["level"] != "forbidden")


def test_the_level_of_an_action_says_what_the_call_does(
    event: Event, entry: Entry, organiser: Person, ada: Person, stranger: Person, anonymous: Person
) -> None:
    scorer = make_person("Sven")
    Role.objects.create(stream=event.stream, account=scorer.account, role="scorer")

    def allowed(*people: Person) -> list[str]:
        return [compare(person, event, entry) for person in people]

    nothing = [""] * 3
    others = (scorer, stranger, anonymous)
    assert allowed(organiser, ada, *others) == [
        "edit refuse wait withdraw availability",
        "consent availability",
        *nothing,
    ]
    event.step("start")
    assert allowed(organiser, ada, *others) == [
        "edit withdraw availability",
        "consent availability",
        *nothing,
    ]
    organiser.post(f"{event.path}/entries/{entry.pk}/withdraw")
    assert allowed(organiser) == ["edit accept return availability"]
    event.play(1)
    event.step("review")
    assert allowed(organiser, ada) == ["edit", ""]
    event.step("finalise")
    assert allowed(organiser, ada) == ["", ""]


def test_a_late_entry_is_accepted_while_a_round_can_pair_it(
    event: Event, entry: Entry, organiser: Person
) -> None:
    organiser.post(f"{event.path}/entries/{entry.pk}/refuse")
    event.step("start")
    assert compare(organiser, event, entry) == "edit accept wait withdraw return availability"
    event.publish(1)
    assert compare(organiser, event, entry) == "edit wait withdraw"


def test_a_bye_of_a_paired_round_cannot_be_cancelled(
    event: Event, entry: Entry, organiser: Person
) -> None:
    body = {"entry": entry.pk, "round": 1, "kind": "zero-bye"}
    bye = organiser.post(f"{event.path}/byes", body).json()
    event.step("start").draft(1)

    response = organiser.delete(f"{event.path}/byes/{bye['id']}")

    problem = problem_in(response, 409, "round_paired")
    reason = {"code": "round_paired", "reason": "round 1 is already paired"}
    expected = [{"action": "cancel", "level": "forbidden", **reason}]
    assert problem["allowed_actions"] == expected
