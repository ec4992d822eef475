"""`If-Match` of every write: required, or the reason why its object has no version."""

from itertools import islice
from typing import Any

import pytest
from django.conf import settings
from django.urls import resolve

from games.core.accounts.tokens import issue_token
from games.core.permissions import SCOPES
from games.models import Game, JournalLine, Player
from tests.api.operations import Operation, operations
from tests.events import Event, make_event
from tests.people import Person, player_of, problem_in
from tests.tournament.actions import objects_of, states_of

WITHOUT_VERSION = {
    "It creates an object; one that exists already is refused.": """
        POST claims
        POST games
        POST games/import
        POST merges
        POST players
        POST players/import
        POST pools
        POST pools/{code}/analyses
        POST pools/{code}/handicap-tables
        POST pools/{code}/lists
        POST pools/{code}/officers
        POST tokens
        POST tournaments
        POST tournaments/import
        POST tournaments/import/bundle
        POST tournaments/{slug}/byes
        POST tournaments/{slug}/entries
        POST tournaments/{slug}/entries/apply
        POST tournaments/{slug}/entries/import
        POST tournaments/{slug}/roles
        POST webhooks
    """,
    "It deletes, or ends, an object that does not change until then.": """
        DELETE me/roles/{role_id}
        DELETE players/{player_id}
        DELETE pools/{code}/officers/{account_id}
        DELETE tokens/{token_id}
        DELETE tournaments/{slug}
        DELETE tournaments/{slug}/application-link
        DELETE tournaments/{slug}/byes/{bye_id}
        DELETE tournaments/{slug}/invitations/{invitation_id}
        DELETE tournaments/{slug}/links/{entry_id}
        DELETE tournaments/{slug}/roles/{role_id}
        DELETE tournaments/{slug}/tokens/{token_id}
        DELETE webhooks/{webhook_id}
        POST claims/{claim_id}/withdraw
        POST me/invitations/{invitation_id}/accept
        POST me/invitations/{invitation_id}/decline
        POST players/{player_id}/erase
    """,
    "It requests a message; the same request is refused while that waits, or too many do.": """
        POST webhooks/{webhook_id}/ping
        POST webhooks/{webhook_id}/deliveries/{delivery_id}/replay
    """,
    "It decides once: a second decision is refused.": """
        POST claims/{claim_id}/accept
        POST claims/{claim_id}/refuse
        POST merges/{merge_id}/undo
        POST tournaments/{slug}/corrections/{correction}/undo
        POST pools/{code}/batches/{batch_id}/restore
        POST pools/{code}/batches/{batch_id}/withdraw
    """,
    "The last one holds, as its journal says; it depends on nothing that was read.": """
        POST pools/{code}/batches/{batch_id}/backdate
        POST pools/{code}/tournaments/{slug}/approve
        POST pools/{code}/tournaments/{slug}/refuse
        POST pools/{code}/organisers/{account_id}/approve
        POST pools/{code}/organisers/{account_id}/refuse
        POST tournaments/{slug}/application-link
        POST tournaments/{slug}/entries/{entry_id}/token
        POST tournaments/{slug}/invitations/{invitation_id}/resend
        POST tournaments/{slug}/links
        PUT tournaments/{slug}/second-factor
        PATCH webhooks/{webhook_id}
        POST webhooks/{webhook_id}/rotate-secret
    """,
    "People write it, about themselves; each report is a version of its own.": """
        PATCH me
        POST games/{game_id}/accept
        POST games/{game_id}/cancel
        POST games/{game_id}/confirm
        POST games/{game_id}/decline
        POST games/{game_id}/dispute
        POST games/{game_id}/reports
        PUT tournaments/{slug}/entries/{entry_id}/availability
        POST tournaments/{slug}/entries/{entry_id}/agree
        POST tournaments/{slug}/entries/{entry_id}/consent
        POST tournaments/{slug}/entries/{entry_id}/decline
        POST tournaments/{slug}/links/session
    """,
    "The same result again changes nothing, and another one is refused.": """
        POST tournaments/{slug}/records/import
        POST tournaments/{slug}/rounds/{number}/results
    """,
    "It is refused unless the last report is the account's own.": """
        POST tournaments/{slug}/rounds/{number}/results/revoke
    """,
    "It names the tied players, and is refused unless exactly these are tied.": """
        POST tournaments/{slug}/ties
    """,
    "The digest of the dry run takes its place.": """
        POST tournaments/{slug}/corrections
    """,
    "It changes nothing.": """
        POST rules/referee
        POST tournaments/{slug}/rounds/{number}/check
        POST tournaments/{slug}/rounds/{number}/explain
    """,
}
"""The writes without `If-Match`, by the reason."""


def needs_version(operation: Operation) -> bool:
    """Return True if the operation needs `If-Match`."""
    return operation.action is not None and operation.action.has_precondition


def test_every_write_needs_a_version_or_says_why_not() -> None:
    writes = [operation for operation in operations() if not operation.is_read]
    without = {str(operation) for operation in writes if not needs_version(operation)}
    declared = [
        line.strip() for lines in WITHOUT_VERSION.values() for line in lines.strip().splitlines()
    ]

    assert sorted(without - set(declared)) == [], "add If-Match (games/core/preconditions.py)"
    assert sorted(set(declared) - without) == [], "these have If-Match, or do not exist"
    assert len(declared) == len(set(declared))


def test_the_schema_names_the_writes_that_need_one(schema: dict[str, Any]) -> None:
    described = {
        f"{method.upper()} {path.removeprefix('/api/v1/')}"
        for path, item in schema["paths"].items()
        for method, operation in item.items()
        if any(parameter["name"] == "If-Match" for parameter in operation.get("parameters", ()))
    }

    assert described == {str(operation) for operation in operations() if needs_version(operation)}


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
            action["action"]
            for action in organiser.get(path).json()["allowed_actions"]
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
    assert organiser.delete(event.path).status_code < 300
