"""The second factor: an authenticator app, recovery codes, and what a password alone may not."""

import re

import pytest
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.test import Client

from games.core.accounts.forms import KEEP_TOKENS
from games.core.accounts.services import revoke_tokens_of_password
from games.core.accounts.tokens import issue_token
from games.core.broker import clear
from games.models import Account, JournalLine, Token
from tests.people import code_of_app

pytestmark = pytest.mark.django_db
PASSWORD = "moons of saturn"
PAGES = "/account/second-factor/"


@pytest.fixture(autouse=True)
def no_limits(db: None) -> None:
    clear()


@pytest.fixture
def kim(db: None) -> Account:
    return Account.objects.create_user("kim@example.org", PASSWORD, name="Kim")


def enter_password(client: Client, following: str = "/") -> str:
    fields = {"login": "kim@example.org", "password": PASSWORD, "next": following}
    return str(client.post("/login", fields)["Location"])


def add_app(client: Client, *, asks: bool = False, **fields: str) -> str:
    """Add an app on the page, which asks for the password again; its secret.

    `asks` says whether the page asks about the tokens.
    """
    client.post("/account/confirm", {"password": PASSWORD})
    page = client.get(f"{PAGES}totp/activate/").content.decode()
    (secret,) = re.findall(r'class="secret">(\w+)<', page)
    assert (f'name="{KEEP_TOKENS}"' in page) is asks
    assert client.post(f"{PAGES}totp/activate/", {"code": "000000"}).status_code == 200
    added = client.post(f"{PAGES}totp/activate/", {"code": code_of_app(secret)} | fields)
    assert added["Location"] == f"{PAGES}recovery-codes/"
    return secret


def test_an_app_is_added_and_then_needed(kim: Account, client: Client) -> None:
    assert enter_password(client) == "/"
    secret = add_app(client)
    clear()  # a code works once

    other = Client()
    assert enter_password(other, "/my") == f"{PAGES}authenticate/"
    assert other.get("/account").status_code == 303, "not logged in yet"
    assert other.post(f"{PAGES}authenticate/", {"code": "000000"}).status_code == 200
    code = code_of_app(secret)
    done = other.post(f"{PAGES}authenticate/", {"code": code})

    assert done["Location"] == "/my"
    assert other.get("/account").status_code == 200
    again = Client()
    enter_password(again)
    again.post(f"{PAGES}authenticate/", {"code": code})
    assert again.get("/account").status_code == 303, "a code works once"


@pytest.mark.django_db(transaction=True)
def test_a_new_second_factor_ends_the_sessions_of_the_password_alone(
    kim: Account, client: Client
) -> None:
    thief = Client()
    for visitor in (client, thief):
        enter_password(visitor)
    assert thief.get("/account").status_code == 200

    add_app(client)

    assert client.get("/account").status_code == 200
    assert UserSession.objects.count() == 1
    assert thief.get("/account").status_code == 303


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_kept", [False, True])
def test_the_first_second_factor_ends_the_tokens_unless_they_are_kept(
    kim: Account, client: Client, is_kept: bool
) -> None:
    director = Account.objects.create_user("dina@example.org", PASSWORD)
    own, _ = issue_token(kim, ["tournament:write"])
    given, _ = issue_token(kim, ["result:write"], stream="tournament/spring", by=director)
    enter_password(client)

    add_app(client, asks=True, **({KEEP_TOKENS: "on"} if is_kept else {}))

    left = {own.pk, given.pk} if is_kept else {given.pk}
    assert set(Token.objects.values_list("pk", flat=True)) == left
    kinds = list(JournalLine.objects.values_list("kind", flat=True))
    assert kinds.count("account.tokens_revoked") == (not is_kept)


@pytest.mark.django_db(transaction=True)
def test_a_further_second_factor_leaves_the_tokens(kim: Account, client: Client) -> None:
    enter_password(client)
    add_app(client)
    issue_token(kim, ["tournament:write"])
    page = client.get(f"{PAGES}webauthn/add/").content.decode()
    assert KEEP_TOKENS not in page

    Authenticator.objects.create(user=kim, type=Authenticator.Type.WEBAUTHN, data={})
    revoke_tokens_of_password(kim)

    assert Token.objects.count() == 1


def test_recovery_codes_are_no_second_factor_of_their_own(kim: Account) -> None:
    """They come with the first app or passkey, whose addition ends the tokens of the password."""
    issue_token(kim, ["tournament:write"])
    Authenticator.objects.create(user=kim, type=Authenticator.Type.RECOVERY_CODES, data={})
    revoke_tokens_of_password(kim)
    assert Token.objects.count() == 1
    Authenticator.objects.create(user=kim, type=Authenticator.Type.TOTP, data={})
    revoke_tokens_of_password(kim)
    assert not Token.objects.exists()
    assert JournalLine.objects.get().kind == "account.tokens_revoked"


def test_a_command_makes_the_first_staff_account(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    from django.core.management import call_command

    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", PASSWORD)
    call_command("createsuperuser", "--noinput", "--email", "Kim@Example.org")

    account = Account.objects.get()
    assert (account.email, account.is_staff) == ("kim@example.org", True)
    assert list(JournalLine.objects.values_list("kind")) == [("account.staff_appointed",)]
    assert enter_password(client) == "/"
    assert client.get("/staff")["Location"] == PAGES
