"""Roles of an event: offered by invitations, accepted or declined, removed, given up."""

import re
from typing import Any

import pytest
from django.core import mail
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games import tasks
from games.core.accounts.mail import token_of
from games.core.broker import clear
from games.core.permissions import needs_second_factor
from games.core.roles.services import require_second_factor
from games.models import Account, EmailLink, JournalLine, Player, Role
from tests.events import Event, make_event, make_players
from tests.people import Person, add_second_factor, make_person, problem_in, statuses
from tests.tournament.conftest import login
from tournament.players.custody import kept_players
from tournament.webhooks.services import create_webhook

NEW = {"email": "new@example.org", "role": "director"}


@pytest.fixture
def event(organiser: Person) -> Event:
    return make_event(organiser).step("open")


def offer(owner: Person, event: Event, person: Person, role: str) -> int:
    assert person.account is not None
    body = {"email": person.account.email, "role": role}
    return int(owner.post(f"{event.path}/roles", body).json()["id"])


def grant(owner: Person, event: Event, person: Person, role: str) -> int:
    """Offer a role and accept it; return its id."""
    number = offer(owner, event, person, role)
    return int(person.post(f"me/invitations/{number}/accept").json()["id"])


def invite(owner: Person, event: Event, **body: str) -> EmailLink:
    number = owner.post(f"{event.path}/roles", NEW | body).json()["id"]
    return EmailLink.objects.get(pk=number)


def kinds(event: Event) -> list[str]:
    lines = JournalLine.objects.filter(stream=event.stream).order_by("sequence")
    return [kind for kind in lines.values_list("kind", flat=True) if "tournament" not in kind]


def page_of(link: EmailLink) -> str:
    return f"/invitations/{token_of(link)}"


def text_of(response: HttpResponse) -> str:
    return str(response.content.decode())


def test_a_role_is_an_offer_until_its_person_accepts_it(
    organiser: Person, stranger: Person, event: Event
) -> None:
    number = offer(organiser, event, stranger, "director")

    assert stranger.patch(event.path, {"place": "Porto"}).status_code == 403
    (own,) = stranger.get("me/invitations").json()["results"]
    assert own == {
        "id": number,
        "tournament": "spring",
        "pool": None,
        "name": "Spring Open",
        "role": "director",
        "by": {"name": "Olga", "email": "olga@example.org"},
        "expires_at": own["expires_at"],
    }
    accepted = stranger.post(f"me/invitations/{number}/accept")
    assert accepted.status_code == 201
    role = accepted.json()["id"]
    assert accepted.json()["account"] == {"id": stranger.account.pk, "name": "Stig"}
    assert stranger.patch(event.path, {"place": "Porto"}).status_code == 200
    listed = organiser.get(f"{event.path}/roles").json()["results"]
    assert [(row["account"]["name"], row["role"]) for row in listed] == [
        ("Olga", "owner"),
        ("Stig", "director"),
    ]
    assert organiser.delete(f"{event.path}/roles/{role}").status_code == 204
    assert stranger.patch(event.path, {"place": "Faro"}).status_code == 403
    assert kinds(event) == ["role.invited", "role.granted", "role.removed"]
    problem_in(stranger.post(f"me/invitations/{number}/accept"), 404, "not_found")


@pytest.mark.parametrize("role", ["owner", "scorer"])
def test_the_answer_is_the_same_for_an_address_with_an_account_and_without_one(
    organiser: Person, stranger: Person, event: Event, role: str
) -> None:
    seen = []
    for address in ("stig@example.org", "STIG@example.org", "nemo@example.org", "olga@example.org"):
        EmailLink.objects.all().delete()
        with CaptureQueriesContext(connection) as queries:
            answer = organiser.post(f"{event.path}/roles", {"email": address, "role": role})
        body = answer.json()
        assert body.pop("email") == address.lower()
        assert {*body} == {"id", "role", "expires_at", "sends", "sent_at"}
        seen.append(
            (answer.status_code, body["role"], body["sends"], body["sent_at"], len(queries))
        )
        tasks.send_due_links.run()
    assert len(set(seen)) == 1
    assert [message.to for message in mail.outbox] == [
        ["stig@example.org"], ["stig@example.org"], ["nemo@example.org"], ["olga@example.org"],
    ]  # fmt: skip
    assert "Stig" not in text_of(login(organiser).get("/e/spring/run/roles"))


def test_an_offer_is_declined(organiser: Person, stranger: Person, event: Event) -> None:
    number = offer(organiser, event, stranger, "owner")

    assert stranger.post(f"me/invitations/{number}/decline").status_code == 204
    problem_in(stranger.post(f"me/invitations/{number}/accept"), 404, "not_found")
    assert organiser.get(f"{event.path}/invitations").json()["results"] == []
    assert kinds(event) == ["role.invited", "invitation.declined"]
    assert not Role.objects.filter(account=stranger.account).exists()


def test_nobody_else_answers_an_offer(
    organiser: Person, stranger: Person, ada: Person, anonymous: Person, event: Event
) -> None:
    number = offer(organiser, event, stranger, "director")
    people = {"organiser": organiser, "ada": ada, "anonymous": anonymous}

    for answer in ("accept", "decline"):
        found = statuses(people, "POST", f"me/invitations/{number}/{answer}")
        assert found == {"organiser": 404, "ada": 404, "anonymous": 401}
        narrow = stranger.with_token("tournament:read")
        problem_in(narrow.post(f"me/invitations/{number}/{answer}"), 403, "scope_missing")
        bound = stranger.with_token("tournament:write", stream="tournament/autumn")
        problem_in(bound.post(f"me/invitations/{number}/{answer}"), 403, "token_elsewhere")
    assert ada.get("me/invitations").json()["results"] == []


def test_another_role_replaces_the_one_that_is_offered(
    organiser: Person, stranger: Person, event: Event
) -> None:
    number = offer(organiser, event, stranger, "scorer")
    first = token_of(EmailLink.objects.get())

    assert offer(organiser, event, stranger, "director") == number
    (own,) = stranger.get("me/invitations").json()["results"]
    assert own["role"] == "director"
    assert login(stranger).get(f"/invitations/{first}").status_code == 404
    assert stranger.post(f"me/invitations/{number}/accept").json()["role"] == "director"
    assert kinds(event) == ["role.invited", "role.invited", "role.granted"]


def test_an_offer_of_a_role_that_is_held_changes_nothing(
    organiser: Person, stranger: Person, event: Event
) -> None:
    first = grant(organiser, event, stranger, "scorer")

    assert grant(organiser, event, stranger, "scorer") == first
    assert Role.objects.filter(account=stranger.account).count() == 1
    assert kinds(event) == ["role.invited", "role.granted", "role.invited"]


def test_only_owners_administer_roles(everyone: dict[str, Person], event: Event) -> None:
    director = make_person("Dan")
    role = grant(everyone["organiser"], event, director, "director")
    link = invite(everyone["organiser"], event)
    people = everyone | {"director": director}
    expected = {"player": 403, "stranger": 403, "anonymous": 401, "director": 403}
    scorer = {"email": "olga@example.org", "role": "scorer"}

    for method, path, body, status in (
        ("GET", "roles", None, 200),
        ("POST", "roles?dry_run=1", scorer, 200),
        ("DELETE", f"roles/{role}?dry_run=1", None, 200),
        ("GET", "invitations", None, 200),
        ("POST", f"invitations/{link.pk}/resend?dry_run=1", None, 200),
        ("DELETE", f"invitations/{link.pk}?dry_run=1", None, 200),
    ):
        found = statuses(people, method, f"{event.path}/{path}", body)
        assert found == expected | {"organiser": status}, path


def test_the_last_owner_stays(organiser: Person, stranger: Person, event: Event) -> None:
    own = Role.objects.get(stream=event.stream)

    problem_in(organiser.delete(f"{event.path}/roles/{own.pk}"), 409, "last_owner")
    problem_in(organiser.delete(f"me/roles/{own.pk}"), 409, "last_owner")
    offer(organiser, event, stranger, "owner")
    problem_in(organiser.delete(f"me/roles/{own.pk}"), 409, "last_owner")
    stranger.post(f"me/invitations/{EmailLink.objects.get().pk}/accept")
    assert organiser.delete(f"{event.path}/roles/{own.pk}").status_code == 204
    problem_in(organiser.get(f"{event.path}/roles"), 403, "role_missing")


def test_a_removed_owner_does_not_return_by_an_invitation(
    organiser: Person, stranger: Person, event: Event
) -> None:
    number = grant(organiser, event, stranger, "owner")
    accomplice = make_person("Accomplice")
    left = offer(stranger, event, accomplice, "owner")
    kept = offer(organiser, event, make_person("Ava"), "director")

    assert organiser.delete(f"{event.path}/roles/{number}").status_code == 204

    problem_in(accomplice.post(f"me/invitations/{left}/accept"), 404, "not_found")
    (still,) = organiser.get(f"{event.path}/invitations").json()["results"]
    assert still["id"] == kept
    assert kinds(event)[-2:] == ["role.removed", "invitation.revoked"]


@pytest.mark.parametrize("role", ["owner", "director", "scorer"])
def test_everybody_gives_up_their_own_role(
    organiser: Person, stranger: Person, event: Event, role: str
) -> None:
    grant(organiser, event, stranger, role)
    (own,) = stranger.get("me").json()["roles"]

    assert organiser.delete(f"me/roles/{own['id']}").status_code == 404
    assert stranger.delete(f"me/roles/{own['id']}").status_code == 204
    assert stranger.get("me").json()["roles"] == []
    assert kinds(event)[-1] == "role.removed"


def test_a_person_without_an_account_accepts_after_they_sign_up(
    organiser: Person, anonymous: Person, event: Event
) -> None:
    link = invite(organiser, event)
    page = text_of(Client().get(page_of(link)))
    assert "new@example.org" in page
    assert 'value="accept"' not in page
    assert f"/login?next=%2Finvitations%2F{token_of(link).split(':')[0]}" in page

    person = make_person("New")
    browser = login(person)
    accepted = browser.post(page_of(link), {"action": "accept"})

    assert accepted["Location"] == "/my?done=accept-invitation"
    assert "You have the role now." in text_of(browser.get(accepted["Location"]))
    assert Role.objects.get(account=person.account).role == "director"


def test_an_invited_address_signs_up_where_nobody_else_can(
    organiser: Person, event: Event, settings: Any
) -> None:
    settings.SIGN_UP = "closed"
    link = invite(organiser, event)
    form = {"name": "Nora", "password1": "correct horse battery"}
    assert Client().post("/sign-up", form | {"email": link.email}).status_code == 200
    browser = Client()
    browser.get(page_of(link))

    assert 'name="email"' in text_of(browser.get("/sign-up"))
    other = browser.post("/sign-up", form | {"email": "else@example.org"})
    assert "Use the address to which the invitation was sent." in text_of(other)
    assert not Account.objects.filter(email__in=[link.email, "else@example.org"]).exists()
    sent = browser.post("/sign-up", form | {"email": link.email})
    assert sent.status_code == 302
    assert Account.objects.get(email=link.email).name == "Nora"
    organiser.delete(f"{event.path}/invitations/{link.pk}")
    assert 'name="email"' not in text_of(browser.get("/sign-up"))


def test_the_page_of_an_invitation(organiser: Person, stranger: Person, event: Event) -> None:
    link = invite(organiser, event)
    path, nobody, other = page_of(link), Client(), login(stranger)

    page = text_of(other.get(path))
    assert "The invitation is for new@example.org." in page
    assert 'value="accept"' not in page
    assert other.post(path, {"action": "accept"}).status_code == 403
    assert nobody.post(path, {"action": "accept"}).status_code == 401
    assert not Role.objects.filter(account=stranger.account).exists()
    declined = nobody.post(path, {"action": "decline"})
    assert declined.status_code == 303
    assert "The invitation is declined." in text_of(nobody.get(declined["Location"]))
    for action in ("accept", "decline"):
        assert other.post(path, {"action": action}).status_code == 404
    assert other.get(path).status_code == 404
    assert JournalLine.objects.filter(stream=event.stream).last().actor == "system"


@pytest.mark.parametrize("token", ["wrong", "x" * 300, "1:2:3", "Wzcs MV0", "ä"])
def test_a_wrong_link_is_rejected(organiser: Person, token: str) -> None:
    assert login(organiser).get(f"/invitations/{token}").status_code == 404
    assert login(organiser).post(f"/invitations/{token}", {"action": "accept"}).status_code == 404


def test_the_own_page_shows_offers_and_roles(
    organiser: Person, stranger: Person, event: Event
) -> None:
    browser = login(stranger)
    assert "Invitations" not in text_of(browser.get("/my"))
    number = offer(organiser, event, stranger, "owner")
    page = text_of(browser.get("/my"))
    assert "Role in the event <strong>Spring Open</strong>: <strong>owner</strong>." in page
    assert "Offered by Olga (olga@example.org)." in page

    form = {"action": "accept-invitation", "invitation_id": str(number)}
    assert browser.post("/my", form)["Location"] == "/my?done=accept-invitation"
    role = Role.objects.get(account=stranger.account)
    assert "My roles" in text_of(browser.get("/my"))
    form = {"action": "drop-role", "role_id": str(role.pk)}
    assert browser.post("/my", form)["Location"] == "/my?done=drop-role"
    number = offer(organiser, event, stranger, "scorer")
    form = {"action": "decline-invitation", "invitation_id": str(number)}
    assert browser.post("/my", form)["Location"] == "/my?done=decline-invitation"
    assert not Role.objects.filter(account=stranger.account).exists()
    form = {"action": "drop-role", "role_id": str(Role.objects.get().pk)}
    assert browser.post("/my", form).status_code == 404


def test_an_invitation_is_resent_and_revoked(organiser: Person, event: Event) -> None:
    link = invite(organiser, event)
    path, first = f"{event.path}/invitations/{link.pk}", page_of(link)
    person = login(make_person("New"))

    assert organiser.post(f"{path}/resend").json()["sends"] == 2
    assert person.get(first).status_code == 404
    organiser.post(f"{path}/resend")
    problem_in(organiser.post(f"{path}/resend"), 409, "resend_limit")
    link.refresh_from_db()
    assert organiser.delete(path).status_code == 204

    assert person.post(page_of(link), {"action": "accept"}).status_code == 404
    problem_in(organiser.delete(path), 409, "nothing_to_do")
    assert organiser.get(f"{event.path}/invitations").json()["results"] == []


def test_what_cannot_be_offered_is_refused(organiser: Person, event: Event) -> None:
    invite(organiser, event)
    other = make_event(organiser, slug="autumn")
    own = Role.objects.get(stream=other.stream)

    for body, status, code in (
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


def test_an_event_can_require_a_second_factor_of_its_directors(
    organiser: Person, stranger: Person, ben: Person, event: Event
) -> None:
    grant(organiser, event, stranger, "director")
    owner, director = login(organiser), login(stranger)
    page, fields = "/e/spring/run/roles", {"action": "second-factor", "needed": "true"}

    assert owner.post(page, fields).status_code == 403, "the owner has none"
    add_second_factor(organiser.account)
    assert director.post(page, fields).status_code == 403
    assert owner.post(page, fields).status_code == 303
    assert owner.post(page, fields).status_code == 409
    grant(organiser, event, ben, "director")

    for person in (stranger, ben):
        answer = person.patch(event.path, {"place": "B"})
        problem_in(answer, 403, "second_factor_needed")
    assert director.get("/e/spring/run/roles")["Location"] == "/account/second-factor/"
    assert organiser.patch(event.path, {"place": "B"}).status_code == 200
    add_second_factor(ben.account)
    assert ben.patch(event.path, {"place": "C"}).status_code == 200

    assert owner.post(page, fields | {"needed": "false"}).status_code == 303
    assert stranger.patch(event.path, {"place": "D"}).status_code == 200
    assert kinds(event).count("roles.second_factor") == 2


def test_an_owner_requires_a_second_factor_by_the_api(
    everyone: dict[str, Person], organiser: Person, stranger: Person, event: Event
) -> None:
    path, body = f"{event.path}/second-factor", {"needed": True}
    found = statuses(everyone, "PUT", path, body)
    assert found == {"organiser": 403, "player": 403, "stranger": 403, "anonymous": 401}
    problem_in(organiser.put(path, body), 403, "second_factor_needed")
    add_second_factor(organiser.account)
    grant(organiser, event, stranger, "director")
    for wrong in ({}, {"needed": None}, {"needed": "perhaps"}, {"needed": []}):
        problem_in(organiser.put(path, wrong), 422)
    assert organiser.put(f"{path}?dry_run=1", body).json() == {"dry_run": True, **body}
    assert stranger.patch(event.path, {"place": "A"}).status_code == 200

    assert organiser.put(path, body).json() == body

    problem_in(stranger.patch(event.path, {"place": "B"}), 403, "second_factor_needed")
    problem_in(stranger.put(path, {"needed": False}), 403, "second_factor_needed")
    rows = organiser.get(f"{event.path}/roles").json()["results"]
    assert [row["needs_second_factor"] for row in rows] == [True, True]
    problem_in(organiser.put(path, body), 409, "nothing_to_do")
    assert organiser.put(path, {"needed": False}).json() == {"needed": False}
    assert stranger.patch(event.path, {"place": "C"}).status_code == 200
    assert kinds(event).count("roles.second_factor") == 2


def test_who_needs_a_second_factor_is_no_director_until_they_have_one(
    organiser: Person, stranger: Person, event: Event
) -> None:
    grant(organiser, event, stranger, "director")
    organiser.patch(event.path, {"public": False})
    assert event.owner.account is not None
    assert stranger.account is not None
    create_webhook(event.stream, url="https://hooks.example.org/", kinds=[], by=event.owner.account)
    own = create_webhook(
        event.stream, url="https://hooks.example.org/", kinds=[], by=stranger.account
    )
    (player,) = make_players(1, by=event.owner)
    Player.objects.filter(pk=player.pk).update(registered_in=event.stream)

    def seen() -> dict[str, Any]:
        """What the stranger sees as a director only."""
        webhooks = stranger.get("webhooks").json()["results"]
        return {
            "tournaments": len(stranger.get("tournaments").json()["results"]),
            "webhooks": {row["id"]: row["entitled"] for row in webhooks},
            "players": list(kept_players(stranger.account)),
        }

    assert seen()["tournaments"] == 1
    assert len(seen()["webhooks"]) == 2
    assert player in seen()["players"]
    add_second_factor(organiser.account)
    require_second_factor(event.stream, is_required=True, by=organiser.account)

    assert seen() == {"tournaments": 0, "webhooks": {own.pk: False}, "players": []}
    for path in (event.path, f"{event.path}/journal", f"{event.path}/entries"):
        problem_in(stranger.get(path), 403, "second_factor_needed")
    problem_in(stranger.with_token("result:write").get(event.path), 404, "not_found")

    add_second_factor(stranger.account)
    assert stranger.get(event.path).status_code == 200
    assert len(seen()["webhooks"]) == 2


def test_a_director_who_needs_a_second_factor_makes_no_token_with_a_password(
    organiser: Person, stranger: Person, event: Event
) -> None:
    grant(organiser, event, stranger, "director")
    assert not needs_second_factor(stranger.account)
    add_second_factor(organiser.account)
    require_second_factor(event.stream, is_required=True, by=organiser.account)

    assert needs_second_factor(stranger.account)


def test_who_signs_up_by_an_invitation_answers_it_without_another_login(
    organiser: Person, event: Event
) -> None:
    clear()  # another test may have sent a message to the same address
    link = invite(organiser, event)
    page = page_of(link)
    browser = Client()
    browser.get(page)
    form = {"name": "Nora", "email": link.email, "password1": "correct horse battery"}
    browser.post(f"/sign-up?next={page}", form)
    tasks.send_due_links.run()
    texts = " ".join(str(message.body) for message in mail.outbox)
    (confirm,) = set(re.findall(r"/sign-up/confirm/\S+", texts))
    confirmed = browser.post(confirm)

    assert confirmed["Location"] == page
    assert 'value="accept"' in text_of(browser.get(confirmed["Location"]))
    accepted = browser.post(page, {"action": "accept"})
    assert accepted["Location"] == "/my?done=accept-invitation"
