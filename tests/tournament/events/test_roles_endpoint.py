"""`/tournaments/{slug}/roles` and `/invitations`: the people of an event."""

from typing import Any

import pytest
from django.core import mail

from games import tasks
from games.core.accounts.mail import token_of
from games.models import Account, EmailLink, JournalLine, Role
from tests.events import Event, make_event
from tests.people import Person, make_person, problem_in, statuses

PASSWORD = "correct horse battery"
NEW = {"email": "new@example.org", "role": "director"}


@pytest.fixture
def event(organiser: Person) -> Event:
    return make_event(organiser).step("open")


def grant(owner: Person, event: Event, person: Person, role: str) -> int:
    assert person.account is not None
    body = {"email": person.account.email, "role": role}
    return int(owner.post(f"{event.path}/roles", body).json()["role"]["id"])


def invite(owner: Person, event: Event) -> EmailLink:
    number = owner.post(f"{event.path}/roles", NEW).json()["invitation"]["id"]
    return EmailLink.objects.get(pk=number)


def kinds(event: Event) -> list[str]:
    lines = JournalLine.objects.filter(stream=event.stream).order_by("sequence")
    return [kind for kind in lines.values_list("kind", flat=True) if "tournament" not in kind]


def test_an_owner_grants_and_removes_a_role(
    organiser: Person, stranger: Person, event: Event
) -> None:
    role = grant(organiser, event, stranger, "director")

    listed = organiser.get(f"{event.path}/roles").json()["results"]
    assert [(row["account"]["name"], row["role"]) for row in listed] == [
        ("Olga", "owner"),
        ("Stig", "director"),
    ]
    assert stranger.patch(event.path, {"place": "Porto"}).status_code == 200
    assert organiser.delete(f"{event.path}/roles/{role}").status_code == 204
    assert stranger.patch(event.path, {"place": "Faro"}).status_code == 403
    assert kinds(event) == ["role.granted", "role.removed"]


def test_only_owners_administer_roles(everyone: dict[str, Person], event: Event) -> None:
    director = make_person("Dan")
    role = grant(everyone["organiser"], event, director, "director")
    link = invite(everyone["organiser"], event)
    people = everyone | {"director": director}
    expected = {"player": 403, "stranger": 403, "anonymous": 401, "director": 403}
    scorer = {"email": "olga@example.org", "role": "scorer"}

    for method, path, body, status in (
        ("GET", "roles", None, 200),
        ("POST", "roles?dry_run=1", scorer, 201),
        ("DELETE", f"roles/{role}?dry_run=1", None, 204),
        ("GET", "invitations", None, 200),
        ("POST", f"invitations/{link.pk}/resend?dry_run=1", None, 200),
        ("DELETE", f"invitations/{link.pk}?dry_run=1", None, 204),
    ):
        found = statuses(people, method, f"{event.path}/{path}", body)
        assert found == expected | {"organiser": status}, path


def test_the_last_owner_stays(organiser: Person, stranger: Person, event: Event) -> None:
    own = Role.objects.get(stream=event.stream)

    problem_in(organiser.delete(f"{event.path}/roles/{own.pk}"), 409, "last_owner")
    grant(organiser, event, stranger, "owner")
    assert organiser.delete(f"{event.path}/roles/{own.pk}").status_code == 204
    problem_in(organiser.get(f"{event.path}/roles"), 403, "role_missing")


def test_an_unknown_address_is_invited_and_gets_an_account(
    organiser: Person, anonymous: Person, event: Event
) -> None:
    invite(organiser, event)
    tasks.send_due_links.run()
    (message,) = mail.outbox
    assert (message.to, "director of Spring Open." in message.body) == ([NEW["email"]], True)
    token = message.body.partition("#")[2].split()[0]

    problem_in(anonymous.post("invitations/accept", {"token": token}), 422, "password_needed")
    body = {"token": token, "password": PASSWORD, "name": "Nora"}
    accepted = anonymous.post("invitations/accept", body)

    account = Account.objects.get(email="new@example.org")
    assert accepted.json() == {
        "account": account.pk,
        "stream": "tournament/spring",
        "role": "director",
    }
    assert (account.name, account.check_password(PASSWORD)) == ("Nora", True)
    assert kinds(event) == ["role.invited", "role.granted"]
    problem_in(anonymous.post("invitations/accept", body), 422, "invalid_link")


def test_an_account_made_after_the_invitation_takes_the_role(
    organiser: Person, anonymous: Person, event: Event
) -> None:
    link = invite(organiser, event)
    account = Account.objects.create_user("NEW@example.org", PASSWORD)

    response = anonymous.post("invitations/accept", {"token": token_of(link)})

    assert response.json()["account"] == account.pk


def test_an_invitation_is_resent_and_revoked(
    organiser: Person, anonymous: Person, event: Event
) -> None:
    link = invite(organiser, event)
    path, first = f"{event.path}/invitations/{link.pk}", token_of(link)

    assert organiser.post(f"{path}/resend").json()["sends"] == 2
    problem_in(anonymous.post("invitations/accept", {"token": first}), 422, "invalid_link")
    organiser.post(f"{path}/resend")
    problem_in(organiser.post(f"{path}/resend"), 409, "resend_limit")
    link.refresh_from_db()
    assert organiser.delete(path).status_code == 204

    problem_in(anonymous.post("invitations/accept", {"token": token_of(link)}), 422, "invalid_link")
    problem_in(organiser.delete(path), 409, "nothing_to_do")
    assert organiser.get(f"{event.path}/invitations").json()["results"] == []


def test_what_cannot_be_granted_is_refused(
    organiser: Person, stranger: Person, event: Event
) -> None:
    grant(organiser, event, stranger, "scorer")
    invite(organiser, event)
    other = make_event(organiser, slug="autumn")
    own = Role.objects.get(stream=other.stream)

    for body, status, code in (
        ({"email": "stig@example.org", "role": "scorer"}, 409, "role_held"),
        (NEW, 409, "invited_already"),
        ({"email": "stig@example.org", "role": "rating-officer"}, 422, "invalid"),
        ({"email": "stig", "role": "scorer"}, 422, "invalid"),
    ):
        problem_in(organiser.post(f"{event.path}/roles", body), status, code)
    problem_in(organiser.delete(f"{event.path}/roles/{own.pk}"), 404, "not_found")


def test_open_invitations_have_a_quota(organiser: Person, event: Event, settings: Any) -> None:
    settings.QUOTAS = settings.QUOTAS | {"invitations": 1}
    invite(organiser, event)

    other = {"email": "other@example.org", "role": "scorer"}
    problem_in(organiser.post(f"{event.path}/roles", other), 409, "quota_reached")
