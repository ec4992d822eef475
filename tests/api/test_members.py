"""Unknown members of JSON bodies: refused at every address, with the nearest known name."""

from typing import Any

import pytest

from games.core.roles.services import offer_role
from games.models import JournalLine, Role
from ratings.models import Pool
from tests.events import Event, make_event
from tests.people import Person, player_of, problem_in
from tests.ratings.factories import day, file_event
from tournament.webhooks.services import create_webhook

WRITES = ("post", "put", "patch")
ANSWERS = tuple(f"/games/{{game_id}}/{name}" for name in ("accept", "decline", "cancel"))
OF_PLAYERS = ("/consent", "/reports", "/confirm", "/dispute", *ANSWERS)


@pytest.fixture
def event(organiser: Person, ada: Person, ben: Person) -> Event:
    event = make_event(organiser, pool="star")
    event.enter(player_of(ada), player_of(ben))
    return event.step("open", "start")


def json_writes(schema: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the method and the path of each operation that takes a JSON body, or none."""
    return [
        (method.upper(), path)
        for path, operations in schema["paths"].items()
        for method in WRITES
        if method in operations
        and "application/json" in operations[method].get("requestBody", JSON_BODY)["content"]
    ]


JSON_BODY = {"content": {"application/json": {}}}
"""What the operation of an action without a body is taken to accept."""


def test_an_unknown_member_is_refused_at_every_address(
    schema: dict[str, Any], event: Event, ada: Person, staff: Person
) -> None:
    (game,) = event.publish()
    batch = file_event(Pool.objects.get(), "autumn", day(1), [])
    entry = event.tournament.entries.get(player=player_of(ada))
    webhook = create_webhook(event.stream, "https://hooks.example.org/", [], by=staff.account)
    delivery = webhook.deliveries.create(sequence=1, kind="round.published", state="delivered")
    assert staff.account is not None
    address = staff.account.email or ""
    invitation = offer_role(event.stream, address, "scorer", name="", by=staff.account)
    role = Role.objects.create(stream=event.stream, account=staff.account, role="scorer")
    names = {"slug": "spring", "number": 1, "entry_id": entry.pk, "game_id": game.pk}
    names |= {
        "player_id": player_of(ada).pk,
        "code": "star",
        "batch_id": batch.pk,
        "account_id": ada.account.pk,
        "claim_id": 1,
        "merge_id": 1,
        "correction": 1,
        "invitation_id": invitation.pk,
        "role_id": role.pk,
        "webhook_id": webhook.pk,
        "delivery_id": delivery.pk,
    }
    writes, lines = json_writes(schema), JournalLine.objects.count()

    for method, path in writes:
        person = ada if path.endswith(OF_PLAYERS) else staff
        response = person.send(method, path.format(**names), {"colour": "red"})

        problem = problem_in(response, 422)
        assert (path, problem["code"]) == (path, "unknown_member")
        assert problem["errors"][0]["pointer"] == "/colour"
    assert len(writes) > 35
    assert JournalLine.objects.count() == lines


NEAREST = [
    ("POST", "players", {"nam": "Cleo"}, "/nam", "name"),
    ("POST", "players", {"name": "Cleo", "id": 1}, "/id", None),
    ("PATCH", "tournaments/spring", {"tiebreak": ["PTS"]}, "/tiebreak", "tiebreaks"),
    ("PATCH", "tournaments/spring", {"draw_seed": "7"}, "/draw_seed", None),
    ("PATCH", "tournaments/spring", {"separations": [{"bye": "club"}]}, "/separations/0/bye", "by"),
    (
        "PUT",
        "tournaments/spring/rounds/1/pairings",
        {"reason": "drawn", "pairings": [{"first": 1}, {"first": 2, "secnd": 3}]},
        "/pairings/1/secnd",
        "second",
    ),
    ("PATCH", "tournaments/spring/entries/{entry}", {"pairing_number": 1}, "/pairing_number", None),
    ("PATCH", "tournaments/spring/entries/{entry}", {"x" * 999: 1}, "/" + "x" * 40, None),
    ("POST", "rules/referee", {"recrd": ""}, "/recrd", "record"),
    ("POST", "rules/referee", {"record": "x", "a~b/c": 1}, "/a~0b~1c", None),
]


@pytest.mark.parametrize(("method", "path", "body", "pointer", "nearest"), NEAREST)
def test_the_refusal_names_the_nearest_member(
    organiser: Person, event: Event, method: str, path: str, body: Any, pointer: str, nearest: Any
) -> None:
    path = path.format(entry=event.tournament.entries.first().pk)
    problem = problem_in(organiser.send(method, path, body), 422, "unknown_member")

    error = problem["errors"][0]
    assert (error["pointer"], error.get("nearest")) == (pointer, nearest)


@pytest.mark.parametrize("body", [[], "x", 1, None])
def test_an_action_without_a_body_takes_an_object_only(
    organiser: Person, event: Event, body: Any
) -> None:
    content = b"null" if body is None else body
    problem_in(organiser.post("tournaments/spring/review", content), 422, "invalid")


def test_the_schema_closes_the_objects_of_requests(schema: dict[str, Any]) -> None:
    schemas = schema["components"]["schemas"]

    assert schemas["TournamentChangeInput"]["additionalProperties"] is False
    assert schemas["BoardInput"]["additionalProperties"] is False
    assert "additionalProperties" not in schemas["Tournament"]


@pytest.mark.parametrize(
    ("method", "path"),
    [("POST", "players"), ("PATCH", "tournaments/spring"), ("DELETE", "tokens/x"),
     ("POST", "tournaments/import"), ("POST", "tournaments/spring/review")],
)  # fmt: skip
def test_an_unknown_parameter_of_a_write_is_refused(
    organiser: Person, event: Event, method: str, path: str
) -> None:
    problem = problem_in(organiser.send(method, f"{path}?dryrun=1"), 422, "unknown_parameter")

    assert problem["valid"][0] == "dry_run"
