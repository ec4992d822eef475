"""The staff's pages of accounts, and what a person does with their own; the journal says it."""

from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from games.core.accounts.services import close_account, erase_due, reopen_account
from games.core.broker import clear
from games.models import Account, EmailLink, JournalLine, Player, Token
from games.tasks import delete_old_sessions
from tests.events import make_event
from tests.people import Person, add_second_factor, make_person, player_of
from tournament.events.verification import verify_stream
from tournament.models import Tournament, Webhook

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
PASSWORD = "moons of saturn"


@pytest.fixture(autouse=True)
def no_limits(db: None) -> None:
    clear()


@pytest.fixture
def kim(db: None) -> Account:
    return Account.objects.create_user("kim@example.org", PASSWORD, name="Kim")


def log_in(account: Account | None, *, password: str = "") -> Client:
    """A session of an account, which has just entered its password."""
    client = Client()
    if account is None:
        return client
    if password:
        client.post("/login", {"login": account.email, "password": password})
        return client
    account.set_password(PASSWORD)
    account.save()
    EmailAddress.objects.get_or_create(
        user=account, email=account.email, defaults={"verified": True, "primary": True}
    )
    client.force_login(account)
    client.post("/account/confirm", {"password": PASSWORD})
    return client


def kinds() -> list[str]:
    """Return what people did; the fixtures have created the staff."""
    lines = JournalLine.objects.filter(stream="site", actor__startswith="account/")
    lines = lines.order_by("sequence")
    return [line.kind.removeprefix("account.") for line in lines]


def page_of(account: Account) -> str:
    return f"/staff/accounts/{account.pk}"


def test_only_staff_administers_accounts(kim: Account, staff: Person) -> None:
    bare = make_person("Bare")
    clients = [log_in(None), log_in(make_person("Stig").account), log_in(bare.account)]
    Account.objects.filter(pk=bare.account.pk).update(is_staff=True)  # without a second factor

    assert [client.get(page_of(kim)).status_code for client in clients] == [302, 403, 303]
    sent = [client.post(page_of(kim), {"action": "close"}).status_code for client in clients]
    assert sent == [302, 403, 403]
    old = Client()  # staff who have not entered their password again
    old.force_login(staff.account)
    assert old.get(page_of(kim))["Location"].startswith("/account/confirm?next=")
    assert old.post(page_of(kim), {"action": "close"}).status_code == 302
    kim.refresh_from_db()
    assert kim.is_active


def test_an_account_is_closed_and_opened_again(kim: Account, staff: Person) -> None:
    own, client = log_in(kim), log_in(staff.account)
    Token.objects.create(kim, issued_by=kim)

    client.post(page_of(kim), {"action": "close"})
    assert own.get("/account").status_code == 303
    assert Client().post("/login", {"login": kim.email, "password": PASSWORD}).status_code == 302
    assert not Token.objects.filter(user=kim).exists()
    Client().post("/password", {"email": kim.email})
    assert client.post(page_of(kim), {"action": "close"}).status_code == 409

    client.post(page_of(kim), {"action": "reopen"})
    assert own.get("/account").status_code == 303, "sessions from before stay ended"
    assert log_in(kim, password=PASSWORD).get("/account").status_code == 200
    assert kinds() == ["closed", "reopened"]
    assert verify_stream("site") == []


def test_staff_changes_name_and_address(kim: Account, staff: Person) -> None:
    lou = Account.objects.create_user("lou@example.org", PASSWORD, name="Lou")
    client = log_in(staff.account)

    def change(name: str, email: str) -> int:
        fields = {"action": "change", "name": name, "email": email}
        return client.post(page_of(kim), fields).status_code

    assert change("Kim", "LOU@example.org") == 409
    assert change("Kim", "k\u0131m@example.org") == 422
    assert change("", "kim@example.org") == 422
    assert change("Kim", "kim@example.org") == 409
    assert change("Kim K", "Kim@BÜCHER.example") == 303

    kim.refresh_from_db()
    assert (kim.name, kim.email) == ("Kim K", "kim@xn--bcher-kva.example")
    assert log_in(kim, password=PASSWORD).get("/account").status_code == 200
    assert EmailAddress.objects.exclude(user=lou).filter(user=kim).count() == 1
    assert kinds() == ["changed"]


def test_staff_ends_sessions_tokens_and_factors(kim: Account, staff: Person) -> None:
    own, client = log_in(kim), log_in(staff.account)
    add_second_factor(kim)
    Token.objects.create(kim, issued_by=kim)

    for action in ("end-sessions", "revoke-tokens", "remove-factor"):
        assert client.post(page_of(kim), {"action": action}).status_code == 303

    assert own.get("/account").status_code == 303
    assert not Token.objects.filter(user=kim).exists()
    assert log_in(kim, password=PASSWORD).get("/account").status_code == 200
    assert kinds() == ["sessions_ended", "tokens_revoked", "factor_removed"]


def test_staff_appoints_and_dismisses_staff_but_not_themselves(kim: Account, staff: Person) -> None:
    client = log_in(staff.account)

    assert client.post(page_of(kim), {"action": "appoint"}).status_code == 303
    kim.refresh_from_db()
    assert (kim.is_staff, kim.acts_as_staff) == (True, False)
    assert client.post(page_of(kim), {"action": "dismiss"}).status_code == 303
    assert client.post(page_of(staff.account), {"action": "dismiss"}).status_code == 409
    assert kinds() == ["staff_appointed", "staff_dismissed"]
    assert verify_stream("site") == []


def test_staff_whose_account_is_closed_is_staff_no_more(staff: Person) -> None:
    other = make_person("Otto", is_staff=True).account
    close_account(other, by=staff.account)
    reopen_account(other, by=staff.account)
    other.refresh_from_db()
    assert (other.is_active, other.is_staff) == (True, False)
    assert verify_stream("site") == []


def test_new_staff_has_no_token_or_session_from_before(kim: Account, staff: Person) -> None:
    own, client = log_in(kim), log_in(staff.account)
    Token.objects.create(kim, issued_by=kim)

    client.post(page_of(kim), {"action": "appoint"})

    assert own.get("/account").status_code == 303
    assert not Token.objects.filter(user=kim).exists()
    again = log_in(kim, password=PASSWORD)
    asked = {"action": "create-token", "name": "x", "scopes[]": ["tournament:write"]}
    assert again.post("/account", asked).status_code == 403, "not before the second factor"
    assert not Token.objects.filter(user=kim).exists()


def test_a_person_sees_and_ends_their_sessions(kim: Account) -> None:
    first, second = (log_in(kim, password=PASSWORD) for _ in "ab")
    second.defaults["HTTP_USER_AGENT"] = "Phone"

    assert first.get("/account/sessions").content.decode().count('scope="row"') == 2
    first.post("/account/sessions")

    assert [client.get("/account").status_code for client in (first, second)] == [200, 303]
    assert kinds() == ["sessions_ended"]


def test_a_person_closes_their_account_after_entering_the_password(kim: Account) -> None:
    client, other = log_in(kim), log_in(kim, password=PASSWORD)
    unconfirmed = Client()
    unconfirmed.force_login(kim)

    assert unconfirmed.post("/account/close")["Location"].startswith("/account/confirm?next=")
    assert client.post("/account/close")["Location"] == "/account/closed"

    kim.refresh_from_db()
    assert not kim.is_active
    assert [each.get("/account").status_code for each in (client, other)] == [303, 303]
    assert kinds() == ["closed"]


def test_the_export_has_no_secrets(ada: Person) -> None:
    tournament = make_event(ada).tournament
    Tournament.objects.update(application_key="key of the link")
    Webhook.objects.create(
        owner=ada.account,
        stream=tournament.stream,
        url="https://example.org/",
        kinds=[],
        secret="secret of today",
        previous_secret="secret of before",
    )

    text = log_in(ada.account).get("/account/export.json").content.decode()

    assert "https://example.org/" in text
    for secret in ("key of the link", "secret of today", "secret of before"):
        assert secret not in text


def test_a_person_exports_what_is_held_about_them(ada: Person, ben: Person) -> None:
    client = log_in(ada.account)
    unconfirmed = Client()
    unconfirmed.force_login(ada.account)
    assert unconfirmed.get("/account/export.json").status_code == 302
    assert Client().get("/account/export.json")["Location"].startswith("/login")

    answer = client.get("/account/export.json")
    held: dict[str, Any] = answer.json()

    assert answer["Content-Type"] == "application/json"
    assert answer["Cache-Control"] == "private, no-store"
    assert held["accounts"][0]["email"] == "ada@example.org"
    assert held["players"][0]["name"] == "Ada"
    assert len(held["games.token (user)"]) == 1
    text = answer.content.decode()
    assert ada.account.password not in text
    assert ada.token.digest not in text
    assert "Ben" not in text
    assert kinds() == ["exported"]


def test_staff_exports_what_is_held_about_an_account_or_a_player(
    staff: Person, organiser: Person, ada: Person
) -> None:
    client = log_in(staff.account)
    guest = Player.objects.create(name="Guest", club="Club of the guest")
    paths = [page_of(ada.account), f"/players/{player_of(ada).pk}", f"/players/{guest.pk}"]

    ada_by_account, ada_by_player, of_guest = (
        client.get(f"{path}/export.json").json() for path in paths
    )

    assert ada_by_account["accounts"] == ada_by_player["accounts"]
    assert ada_by_player["players"][0]["name"] == "Ada"
    assert (of_guest["accounts"], of_guest["players"][0]["club"]) == ([], "Club of the guest")
    lines = JournalLine.objects.filter(kind__endswith=".exported").order_by("sequence")
    assert {line.actor for line in lines} == {f"account/{staff.account.pk}"}
    assert [line.kind for line in lines] == [
        "account.exported", "account.exported", "player.exported",
    ]  # fmt: skip
    for stranger in (organiser, ada):
        others = log_in(stranger.account)
        assert [others.get(f"{path}/export.json").status_code for path in paths] == [403] * 3
    assert client.get("/players/999/export.json").status_code == 404


def test_a_closed_account_is_erased_by_staff_or_after_its_time(
    kim: Account, staff: Person, settings: Any
) -> None:
    staff_client = log_in(staff.account)
    post = {"action": "erase"}
    assert staff_client.post(page_of(kim), post).status_code == 409
    close_account(kim, by=kim)
    assert erase_due() == 0
    settings.CLOSED_ACCOUNT_DAYS = 0
    other = make_person("Lea").account
    close_account(other, by=other)
    EmailLink.objects.create(
        kind=EmailLink.Kind.INVITATION, email=kim.email, expires_at=kim.created_at
    )

    assert staff_client.post(page_of(kim), post).status_code == 303
    delete_old_sessions()

    for account in (kim, other):
        account.refresh_from_db()
        assert (account.email, account.name, account.is_active) == (None, "", False)
        assert not EmailAddress.objects.filter(user=account).exists()
        assert staff_client.post(page_of(account), {"action": "reopen"}).status_code == 409
    assert not EmailLink.objects.exists()
    erased = JournalLine.objects.filter(kind="account.erased").order_by("sequence")
    assert [line.actor for line in erased] == [f"account/{staff.account.pk}", "system"]
    assert verify_stream("site") == []


def test_an_account_without_an_address_is_reopened_and_erased(staff: Person) -> None:
    account = Account.objects.create_user(name="Kim")  # made with the token of a player
    close_account(account, by=staff.account)
    client = log_in(staff.account)
    for action in ("reopen", "close", "erase"):
        assert f'value="{action}"' in client.get(page_of(account)).content.decode()
        assert client.post(page_of(account), {"action": action}).status_code == 303

    account.refresh_from_db()
    assert (account.name, account.is_active) == ("", False)
    page = client.get(page_of(account)).content.decode()
    assert 'value="reopen"' not in page
    assert 'value="erase"' not in page


def test_addresses_of_sessions_go_with_them(kim: Account) -> None:
    client = Client()
    client.post("/login", {"login": kim.email, "password": PASSWORD})
    (session,) = UserSession.objects.filter(user=kim)
    UserSession.objects.update(created_at=timezone.now() - timedelta(days=15))
    delete_old_sessions()
    assert UserSession.objects.filter(pk=session.pk).exists()

    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    delete_old_sessions()

    assert not UserSession.objects.filter(pk=session.pk).exists()


def test_the_page_of_the_staff_shows_what_they_did(
    kim: Account, staff: Person, ada: Person, ben: Person
) -> None:
    client = log_in(staff.account)
    client.post(page_of(kim), {"action": "close"})
    staff.patch(f"players/{player_of(ada).pk}", {"club": "New club"})
    ben.patch(f"players/{player_of(ben).pk}", {"club": "Not by staff"})

    page = client.get("/staff/journal").content.decode()

    rows = [row for row in page.split("<tr>")[2:] if staff.account.name in row]
    assert f"player {player_of(ada).pk}" in rows[0]
    assert kim.name in rows[1]
    assert "Not by staff" not in page
    assert f"/players/{player_of(ben).pk}" not in page
    assert log_in(ada.account).get("/staff/journal").status_code == 403
    assert Client().get("/staff/journal")["Location"].startswith("/login")
