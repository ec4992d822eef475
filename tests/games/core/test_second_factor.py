"""The second factor: an authenticator app, recovery codes, and what a password alone may not."""

import hmac
import json
import re
import time
from base64 import b32decode
from hashlib import sha256
from typing import Any

import pytest
from allauth.account.utils import user_pk_to_url_str
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from django.core import mail
from django.test import Client
from fido2.cose import ES256
from fido2.utils import websafe_encode
from fido2.webauthn import (
    AttestationObject,
    AttestedCredentialData,
    AuthenticatorData,
    CollectedClientData,
)

from games import tasks
from games.core.accounts.forms import KEEP_TOKENS
from games.core.accounts.guesses import MOST_CODES
from games.core.accounts.services import revoke_tokens_of_password
from games.core.accounts.tokens import issue_token
from games.core.broker import clear
from games.models import Account, JournalLine, Token

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
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


def code_of_app(secret: str, *, seconds: float = 3) -> str:
    """What an authenticator app with this secret shows now (RFC 6238, with its defaults).

    So many seconds before its end a code would be too late: as a person, wait for the next one.
    """
    left = 30 - time.time() % 30
    if left < seconds:
        time.sleep(left)
    moment = int(time.time()) // 30
    digest = hmac.digest(b32decode(secret), moment.to_bytes(8), "sha1")
    start = digest[-1] & 15  # RFC 4226, 5.3
    number = int.from_bytes(digest[start : start + 4]) & 0x7FFFFFFF
    return f"{number % 10**6:06}"


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


def test_wrong_codes_are_bounded_a_day_and_told_to_the_owner(kim: Account, client: Client) -> None:
    enter_password(client)
    secret = add_app(client)
    clear()
    client.post("/logout")

    def log_in(browser: Client, code: str) -> bool:
        enter_password(browser)
        return bool(browser.post(f"{PAGES}authenticate/", {"code": code}).status_code == 302)

    for _ in range(MOST_CODES):
        assert not log_in(Client(), "000000")
    tasks.send_due_links.run()
    told = [message.subject for message in mail.outbox if message.to == [kim.email]]
    assert told.count("Somebody may know your password") == 1

    assert not log_in(Client(), code_of_app(secret))
    assert log_in(client, code_of_app(secret))  # a browser that is known


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


class Passkey:
    """A passkey in software, whose counter is set before each use."""

    def __init__(self, account: Account, counter: int) -> None:
        self.key, self.account = ec.generate_private_key(ec.SECP256R1()), account
        public = ES256.from_cryptography_key(self.key.public_key())
        credential = AttestedCredentialData.create(bytes(16), b"blue", public)
        attested = self.data(counter, AuthenticatorData.FLAG.AT, credential)
        attestation = AttestationObject.create("none", attested, {})
        answer = self.answer("webauthn.create", "eHh4", attestationObject=attestation)
        stored = {"name": "Blue key", "credential": answer}
        Authenticator.objects.create(user=account, type=Authenticator.Type.WEBAUTHN, data=stored)

    def data(self, counter: int, flags: int = 0, credential: bytes = b"") -> AuthenticatorData:
        flags |= AuthenticatorData.FLAG.UP | AuthenticatorData.FLAG.UV
        host = sha256(b"testserver").digest()
        return AuthenticatorData.create(host, AuthenticatorData.FLAG(flags), counter, credential)

    def answer(self, kind: str, challenge: str, **parts: bytes) -> dict[str, Any]:
        said = CollectedClientData.create(kind, challenge, "http://testserver")
        if "authenticatorData" in parts:
            signed = parts["authenticatorData"] + said.hash
            parts["signature"] = self.key.sign(signed, ec.ECDSA(hashes.SHA256()))
        encoded = {name: websafe_encode(value) for name, value in parts.items()}
        number = websafe_encode(b"blue")
        return {
            "id": number,
            "rawId": number,
            "type": "public-key",
            "clientExtensionResults": {},
            "response": {"clientDataJSON": websafe_encode(said), **encoded},
        }

    def log_in(self, counter: int) -> bool:
        """Log in by the passkey alone."""
        client = Client()
        client.get(f"{PAGES}webauthn/login/", headers={"X-Requested-With": "XMLHttpRequest"})
        challenge = client.session["mfa.webauthn.state"]["challenge"]
        user = user_pk_to_url_str(self.account).encode()
        answer = self.answer(
            "webauthn.get", challenge, authenticatorData=self.data(counter), userHandle=user
        )
        client.post(f"{PAGES}webauthn/login/", {"credential": json.dumps(answer)})
        return client.get("/account").status_code == 200


@pytest.mark.parametrize(
    ("counters", "logs_in"),
    [
        ((5, 6, 8), (True, True)),
        ((5, 5), (False,)),
        ((5, 4), (False,)),
        ((5, 7, 6, 8), (True, False, True)),
        ((0, 0, 0), (True, True)),
        ((0, 3, 0), (True, False)),
    ],
)
def test_a_passkey_whose_counter_does_not_grow_is_refused(
    kim: Account, counters: tuple[int, ...], logs_in: tuple[bool, ...]
) -> None:
    passkey = Passkey(kim, counters[0])

    assert tuple(map(passkey.log_in, counters[1:])) == logs_in


@pytest.mark.parametrize("credential", ["9" * 100_000, "[" * 100_000])
def test_a_credential_that_no_browser_sends_is_refused(client: Client, credential: str) -> None:
    refused = client.post(f"{PAGES}webauthn/login/", {"credential": credential})

    assert refused.status_code == 422
    assert "browser has sent this of a passkey" in refused.content.decode()


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
