"""Single sign-on at a provider of OpenID Connect, which runs in a thread of the tests."""

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.conf import settings as django_settings
from django.test import Client

from games.core.broker import clear
from games.models import Account

pytestmark = pytest.mark.django_db
PASSWORD = "moons of saturn"


class Provider(HTTPServer):
    """A provider that knows one person."""

    person: dict[str, Any] = {}
    asked: list[str] = []

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Answers(BaseHTTPRequestHandler):
    server: Provider

    def do_GET(self) -> None:
        root = self.server.address
        answers = {
            "/.well-known/openid-configuration": {
                "issuer": root,
                "authorization_endpoint": f"{root}/authorize",
                "token_endpoint": f"{root}/token",
                "userinfo_endpoint": f"{root}/userinfo",
                "jwks_uri": f"{root}/jwks",
            },
            "/userinfo": self.server.person,
        }
        self.answer(answers[self.path])

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.server.asked.append(body)
        self.answer({"access_token": "secret", "token_type": "Bearer"})

    def answer(self, content: Any) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(content).encode())

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def provider(db: None, settings: Any) -> Iterator[Provider]:
    clear()
    server = Provider(("127.0.0.1", 0), Answers)
    Thread(target=server.serve_forever, daemon=True).start()
    app = django_settings.OIDC_APP
    app = app | {"name": "Club", "client_id": "perihelion", "secret": "$ecret"}
    app["settings"] = app["settings"] | {"server_url": server.address}
    settings.SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"APPS": [app]}}
    server.person = {
        "sub": "17",
        "name": "Kim",
        "email": "kim@example.org",
        "email_verified": True,
    }
    yield server
    server.shutdown()
    server.server_close()


def link_by_email(settings: Any) -> None:
    settings.SOCIALACCOUNT_PROVIDERS["openid_connect"]["APPS"][0]["settings"][
        "email_authentication"
    ] = True


def sign_on(client: Client, following: str = "/my") -> Any:
    """Go to the provider and come back; the answer to the way back."""
    sent = client.get("/account/oidc/sign-on/login/", {"process": "login", "next": following})
    assert sent.status_code == 302
    query = parse_qs(urlsplit(sent["Location"]).query)
    assert query["code_challenge_method"] == ["S256"]
    back = {"code": "x", "state": query["state"][0]}
    return client.get("/account/oidc/sign-on/login/callback/", back)


@pytest.mark.parametrize(("sent", "stored"), [("Zoe\u0308  K", "Zo\u00eb K"), ("K\u200bim", "")])
def test_a_name_is_stored_as_that_of_a_sign_up(
    provider: Provider, client: Client, sent: str, stored: str
) -> None:
    provider.person["name"] = sent
    sign_on(client)
    assert Account.objects.get().name == stored


def test_a_person_of_the_provider_gets_an_account(provider: Provider, client: Client) -> None:
    assert sign_on(client)["Location"] == "/my"

    account = Account.objects.get()
    assert (account.name, account.email) == ("Kim", "kim@example.org")
    assert not account.has_usable_password()
    assert client.get("/account").status_code == 200
    assert "client_secret=%24ecret" in provider.asked[-1]
    again = Client()
    assert sign_on(again)["Location"] == "/my"
    assert Account.objects.count() == 1


def test_an_account_with_the_address_is_not_taken(provider: Provider, client: Client) -> None:
    kim = Account.objects.create_user("kim@example.org", PASSWORD, name="Kim")

    sign_on(client)

    assert client.get("/account").status_code == 303
    assert not SocialAccount.objects.filter(user=kim).exists()


@pytest.mark.parametrize(
    ("email", "is_verified", "is_linked"),
    [
        ("KIM@Example.org", True, True),
        ("kim@example.org", False, False),
        ("k\u0131m@example.org", True, False),
        (["kim@example.org"], True, False),
        (None, True, False),
    ],
)
def test_accounts_are_linked_by_confirmed_addresses_if_a_setting_says_so(
    provider: Provider,
    client: Client,
    settings: Any,
    email: Any,
    is_verified: bool,
    is_linked: bool,
) -> None:
    link_by_email(settings)
    kim = Account.objects.create_user("kim@example.org", PASSWORD, name="Kim")
    provider.person |= {"email": email, "email_verified": is_verified}

    assert sign_on(client).status_code in (200, 302)

    assert SocialAccount.objects.filter(user=kim).exists() == is_linked
    assert (client.get("/account").status_code == 200) == is_linked


def test_an_address_that_somebody_is_going_to_have_links_nothing(
    provider: Provider, client: Client, settings: Any
) -> None:
    link_by_email(settings)
    thief = Account.objects.create_user("thief@example.org", PASSWORD, name="T")
    EmailAddress.objects.create(user=thief, email="kim@example.org")

    sign_on(client)

    assert not SocialAccount.objects.filter(user=thief).exists()


def test_a_provider_that_does_not_respond_is_an_ordinary_page(
    provider: Provider, client: Client
) -> None:
    client.get("/account/oidc/sign-on/login/")
    state = next(iter(client.session["socialaccount_states"]))
    provider.shutdown()
    provider.server_close()

    for path, query in (("", {}), ("callback/", {"code": "c", "state": state})):
        assert client.get(f"/account/oidc/sign-on/login/{path}", query).status_code == 401
