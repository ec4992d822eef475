"""An app that a person allows: the requests of its side, by Django's client (RFC 6749, 7636)."""

import base64
import hashlib
import secrets
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from django.http import HttpResponse
from django.test import Client

from games.core.oauth.services import register_app
from games.models import Account, App
from tests.people import Person

BACK = "https://app.example/back"


def s256(verifier: str) -> str:
    """The challenge of a verifier."""
    digest = hashlib.sha256(verifier.encode()).digest()
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")


@dataclass(slots=True)
class Program:
    """A program of somebody else, with what it keeps of a login."""

    app: App
    secret: str = ""
    verifier: str = field(default_factory=lambda: secrets.token_urlsafe(48))

    def address(self, scope: str, /, **changed: str | None) -> str:
        """Where it sends the person."""
        parameters = {
            "response_type": "code",
            "client_id": self.app.client_id,
            "redirect_uri": self.app.redirect_uris.split()[0],
            "scope": scope,
            "state": "s1",
            "code_challenge": s256(self.verifier),
            "code_challenge_method": "S256",
        } | changed
        return (
            f"/oauth/authorize?{urlencode({k: v for k, v in parameters.items() if v is not None})}"
        )

    def code(self, account: Account, scope: str, /, **changed: str | None) -> str:
        """The code that it gets after the person has allowed it."""
        client = Client()
        client.force_login(account)
        sent = client.post(self.address(scope, **changed), {"answer": "allow"})
        assert sent.status_code == 303, sent.content[:400]
        return returned(sent)["code"]

    def send(self, path: str, **fields: str) -> HttpResponse:
        """A request to the endpoint of tokens or of revocation."""
        known = {"client_id": self.app.client_id}
        if self.secret:
            known["client_secret"] = self.secret
        return Client().post(f"/oauth/{path}", known | fields)

    def exchange(self, code: str, /, **changed: str) -> HttpResponse:
        """The code for tokens."""
        fields = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self.app.redirect_uris.split()[0],
            "code_verifier": self.verifier,
        }
        return self.send("token", **(fields | changed))

    def renew(self, refresh_token: str, **more: str) -> HttpResponse:
        """The refresh token for new tokens."""
        return self.send("token", grant_type="refresh_token", refresh_token=refresh_token, **more)

    def tokens(self, account: Account, scope: str) -> dict[str, Any]:
        """The tokens after the whole flow."""
        answer = self.exchange(self.code(account, scope))
        assert answer.status_code == 200, answer.content
        return dict(answer.json())

    def person(self, person: Person, scope: str) -> Person:
        """The person, who acts by this app."""
        assert person.account is not None
        tokens = self.tokens(person.account, scope)
        return Person(person.name, person.account, None, tokens["access_token"])


def make_program(
    author: Person, kind: str = "browser", *, name: str = "Pocket", back: str = BACK
) -> Program:
    """A program that its author has registered."""
    assert author.account is not None
    app, secret = register_app(
        author.account,
        name=name,
        homepage="https://app.example/",
        kind=kind,
        redirect_uris=back.split(),
    )
    return Program(app, secret)


def returned(sent: HttpResponse) -> dict[str, str]:
    """What the app reads of the address to which the person is sent back."""
    return {name: values[0] for name, values in parse_qs(urlsplit(sent["Location"]).query).items()}
