"""`If-Match` of the writes whose object has a version: required, current, of this object.

Which writes these are is in tests/api/data/writes.txt.
"""

from itertools import islice
from typing import Any

import pytest
from django.conf import settings
from django.urls import resolve

from games.core.accounts.tokens import issue_token
from games.core.permissions import SCOPES
from games.models import Game, JournalLine, Player
from ratings.pools.views import CreatePool
from tests.api.operations import Operation, operations
from tests.events import Event, make_event
from tests.people import Person, player_of, problem_in
from tests.tournament.actions import NAMES, objects_of, states_of
from tournament.events.views import CreateTournament


def needs_version(operation: Operation) -> bool:
    """Return True if the operation needs `If-Match`."""
    return operation.action is not None and operation.action.has_precondition


@pytest.fixture
def start(organiser: Person, ada: Person) -> dict[str, Any]:
    """A running event whose first round is published, and its owner with a careful token."""
    event = make_event(organiser, rounds=2, pool="star")
    event.enter(player_of(ada))
    *_, (_, game) = islice(states_of(event, ada), 6)
    token, secret = issue_token(organiser.account, list(SCOPES))
    careful = Person("Olga", organiser.account, token, secret)
    return {"careful": careful, "ada": ada, "event": event, "game": game}


def test_a_write_needs_the_current_version(start: dict[str, Any]) -> None:
    organiser: Person = start["careful"]
    event: Event = start["event"]
    game: Game = start["game"]
    entry = event.tournament.entries.get(player=player_of(start["ada"]))
    lines, tried = JournalLine.objects.count(), 0

    for path, calls in objects_of(event, entry, game).values():
        allowed = {
            NAMES[action["operation"]]
            for action in organiser.get(f"{path}?actions=1").json()["allowed_actions"]
            if action["level"] != "forbidden"
        }
        for method, suffix, body in (calls[name] for name in calls if name in allowed):
            address = f"{path}{suffix}"
            view = resolve(f"/api/v1/{address}").func.cls
            if not needs_version(Operation(method, address, "", view)):
                continue
            send = lambda **headers: organiser.send(method, address, body, **headers)  # noqa: B023, E731
            needed = problem_in(send(), 428, "precondition_required")
            problem_in(send(If_Match="none"), 400, "wrong_precondition")
            stale = problem_in(send(If_Match='"1.x.0"'), 412, "stale")
            assert (bool(stale["current"]), bool(stale["allowed_actions"])) == (True, True)
            assert needed["wanted"] == stale["wanted"]
            wanted = organiser.get(stale["wanted"].removeprefix(settings.PUBLIC_URL))
            assert wanted["ETag"].split(".")[1] == stale["current"].strip('"').split(".")[1]
            tried += 1
    assert tried > 10
    assert JournalLine.objects.count() == lines


TAGS = {"of another object": "tournaments/spring", "of a stranger": "tournaments/spring/rounds/1"}


@pytest.mark.parametrize("case", TAGS)
def test_another_tag_is_refused_with_the_address_of_the_right_one(
    start: dict[str, Any], anonymous: Person, case: str
) -> None:
    organiser: Person = start["careful"]
    reader = organiser if case == "of another object" else anonymous
    tag = reader.get(TAGS[case])["ETag"]
    path = "tournaments/spring/rounds/1/complete"

    problem = problem_in(organiser.post(path, If_Match=tag), 412, "stale")

    assert problem["wanted"] == f"{settings.PUBLIC_URL}/api/v1/tournaments/spring/rounds/1"
    assert "changed" not in problem
    assert problem["detail"].startswith("the tag is that of another object")


def test_the_schema_says_whose_tag_each_write_needs(schema: dict[str, Any]) -> None:
    reads = {each.address for each in operations() if each.is_read}
    for operation in operations():
        if needs_version(operation):
            described = schema["paths"][f"/api/v1/{operation.address}"][operation.method.lower()]
            (header,) = (
                each["description"]
                for each in described["parameters"]
                if each["name"] == "If-Match"
            )
            assert operation.action is not None
            assert f"`{operation.action.tag_of}`" in header
            assert operation.action.tag_of in reads


OTHERS = {
    "a player": ("players/{player}", {"club": "Rooks"}, {"club": "Knights"}),
    "a pool": ("pools/star", {"policy": "open"}, {"policy": "approved"}),
}


@pytest.mark.parametrize(("path", "first", "second"), OTHERS.values(), ids=OTHERS)
def test_of_two_corrections_one_is_notified(
    staff: Person, path: str, first: dict[str, str], second: dict[str, str]
) -> None:
    path = path.format(player=Player.objects.create(name="Cleo").pk)
    token, secret = issue_token(staff.account, list(SCOPES))
    careful = Person("Site", staff.account, token, secret)
    seen = careful.get(path)["ETag"]
    problem_in(careful.patch(path, first), 428, "precondition_required")

    assert careful.patch(path, first, If_Match=seen).status_code == 200
    problem = problem_in(careful.patch(path, second, If_Match=seen), 412, "stale")

    assert [line["name"] for line in problem["changed"]] == ["Site"]
    assert careful.patch(path, second, If_Match=problem["current"]).status_code == 200
    assert "." not in Person("nobody").get(path)["ETag"]


@pytest.mark.parametrize(("path", "first", "second"), OTHERS.values(), ids=OTHERS)
def test_a_write_without_a_tag_is_answered_with_the_next_one(
    staff: Person, path: str, first: dict[str, str], second: dict[str, str]
) -> None:
    path = path.format(player=Player.objects.create(name="Cleo").pk)

    tag = staff.patch(path, first)["ETag"]

    assert "ETag" not in staff.patch(f"{path}?dry_run=1", second)
    assert staff.patch(path, second, If_Match=tag).status_code == 200


def test_a_write_that_compares_no_tag_refuses_one(organiser: Person) -> None:
    event = make_event(organiser)
    tag = organiser.get(event.path)["ETag"]

    problem_in(organiser.delete(event.path, If_Match=tag), 400, "wrong_precondition")
    assert organiser.delete(event.path, If_Match="*").status_code < 300


def test_what_is_made_has_a_tag_with_which_it_is_changed(staff: Person, ada: Person) -> None:
    token, secret = issue_token(staff.account, list(SCOPES))
    careful = Person("Site", staff.account, token, secret)
    event = make_event(staff)
    bodies = {
        "tournaments": (CreateTournament.example, {"place": "Porto"}),
        f"{event.path}/entries": ({"player_id": player_of(ada).pk}, {"seed_rating": 1700}),
        "players": ({"name": "Cleo"}, {"club": "Rooks"}),
        "pools": (CreatePool.example, {"policy": "open"}),
    }

    for path, (body, change) in bodies.items():
        assert "ETag" not in careful.post(f"{path}?dry_run=1", body), path
        made = careful.post(path, body)
        assert made.status_code == 201, made.json()
        address = made["Location"].partition("/api/v1/")[2]
        assert careful.patch(address, change, If_Match=made["ETag"]).status_code == 200, path
        problem_in(careful.patch(address, change, If_Match=made["ETag"]), 412, "stale")
