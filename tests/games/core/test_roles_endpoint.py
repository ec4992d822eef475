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
from tests.people import Person, add_second_factor, make_person, problem_in
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
        "tournament": {"slug": "spring", "name": "Spring Open"},
        "pool": None,
        "name": "Spring Open",
        "role": "director",
        "by": {"id": organiser.account.pk, "name": "Olga", "email": "olga@example.org"},
        "expires_at": own["expires_at"],
        "url": f"http://localhost:8000/api/v1/me/invitations/{number}",
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


def test_the_answer_is_the_same_for_an_address_with_an_account_and_without_one(
    organiser: Person, stranger: Person, event: Event
) -> None:
    seen = []
    for address in ("stig@example.org", "STIG@example.org", "nemo@example.org", "olga@example.org"):
        EmailLink.objects.all().delete()
        with CaptureQueriesContext(connection) as queries:
            answer = organiser.post(f"{event.path}/roles", {"email": address, "role": "scorer"})
        body = answer.json()
        assert body.pop("email") == address.lower()
        assert {*body} == {"id", "role", "expires_at", "sends", "sent_at", "url"}
        seen.append(
            (answer.status_code, body["role"], body["sends"], body["sent_at"], len(queries))
        )
        tasks.send_due_links.run()
    assert len(set(seen)) == 1
    assert [message.to for message in mail.outbox] == [
        ["stig@example.org"], ["stig@example.org"], ["nemo@example.org"], ["olga@example.org"],
    ]  # fmt: skip


def test_an_offer_is_declined(organiser: Person, stranger: Person, event: Event) -> None:
    number = offer(organiser, event, stranger, "owner")

    assert stranger.post(f"me/invitations/{number}/decline").status_code == 204
    problem_in(stranger.post(f"me/invitations/{number}/accept"), 404, "not_found")
    assert organiser.get(f"{event.path}/invitations").json()["results"] == []
    assert kinds(event) == ["role.invited", "invitation.declined"]
    assert not Role.objects.filter(account=stranger.account).exists()


def test_nobody_else_answers_an_offer(
    organiser: Person, stranger: Person, ada: Person, event: Event
) -> None:
    number = offer(organiser, event, stranger, "director")

    for answer in ("accept", "decline"):
        for person in (organiser, ada):
            problem_in(person.post(f"me/invitations/{number}/{answer}"), 404)
        bound = stranger.with_token("account:write", stream="tournament/autumn")
        problem_in(bound.post(f"me/invitations/{number}/{answer}"), 403, "token_elsewhere")
    assert ada.get("me/invitations").json()["results"] == []


def test_everybody_gives_up_their_own_role(
    organiser: Person, stranger: Person, event: Event
) -> None:
    grant(organiser, event, stranger, "scorer")
    (own,) = stranger.get("me").json()["roles"]

    assert organiser.delete(f"me/roles/{own['id']}").status_code == 404
    assert stranger.delete(f"me/roles/{own['id']}").status_code == 204
    assert stranger.get("me").json()["roles"] == []
    assert kinds(event)[-1] == "role.removed"


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
    assert other.status_code == 200
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
    assert 'value="accept"' not in page
    assert other.post(path, {"action": "accept"}).status_code == 403
    assert nobody.post(path, {"action": "accept"}).status_code == 401
    assert not Role.objects.filter(account=stranger.account).exists()
    declined = nobody.post(path, {"action": "decline"})
    assert declined.status_code == 303
    for action in ("accept", "decline"):
        assert other.post(path, {"action": action}).status_code == 404
    assert other.get(path).status_code == 404
    assert JournalLine.objects.filter(stream=event.stream).last().actor == "system"


@pytest.mark.parametrize("token", ["1:2:3", "ä"])
def test_a_wrong_link_is_rejected(organiser: Person, token: str) -> None:
    assert login(organiser).get(f"/invitations/{token}").status_code == 404
    assert login(organiser).post(f"/invitations/{token}", {"action": "accept"}).status_code == 404


def test_the_own_page_answers_offers_and_gives_up_roles(
    organiser: Person, stranger: Person, event: Event
) -> None:
    browser = login(stranger)
    number = offer(organiser, event, stranger, "owner")
    form = {"action": "accept-invitation", "invitation_id": str(number)}
    assert browser.post("/my", form)["Location"] == "/my?done=accept-invitation"
    role = Role.objects.get(account=stranger.account)
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
    link.refresh_from_db()
    assert organiser.delete(path).status_code == 204

    assert person.post(page_of(link), {"action": "accept"}).status_code == 404
    problem_in(organiser.delete(path), 409, "nothing_to_do")


def test_what_cannot_be_offered_is_refused(organiser: Person, event: Event) -> None:
    invite(organiser, event)
    other = make_event(organiser, slug="autumn")
    own = Role.objects.get(stream=other.stream)

    problem_in(organiser.post(f"{event.path}/roles", NEW), 409, "invited_already")
    officer = {"email": "stig@example.org", "role": "rating_officer"}
    problem_in(organiser.post(f"{event.path}/roles", officer), 422, "invalid")
    problem_in(organiser.delete(f"{event.path}/roles/{own.pk}"), 404, "not_found")


def test_an_owner_requires_a_second_factor_by_the_api(
    organiser: Person, stranger: Person, event: Event
) -> None:
    path, body = f"{event.path}/second-factor", {"needed": True}
    problem_in(organiser.put(path, body), 403, "second_factor_needed")
    add_second_factor(organiser.account)
    grant(organiser, event, stranger, "director")
    assert organiser.put(f"{path}?dry_run=1", body).json() == {"dry_run": True, **body}
    assert stranger.patch(event.path, {"place": "A"}).status_code == 200

    assert organiser.put(path, body).json() == body

    problem_in(stranger.patch(event.path, {"place": "B"}), 403, "second_factor_needed")
    problem_in(stranger.put(path, {"needed": False}), 403, "second_factor_needed")
    rows = organiser.get(f"{event.path}/roles").json()["results"]
    assert [row["needs_second_factor"] for row in rows] == [True, True]
    problem_in(organiser.put(path, body), 409, "nothing_to_do")
    page, form = "/e/spring/run/roles", {"action": "second-factor", "needed": "false"}
    assert login(stranger).get(page)["Location"] == "/account/second-factor/"
    assert login(organiser).post(page, form).status_code == 303
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
