"""Single sign-on at a provider of OpenID Connect, which runs in a thread of the tests."""

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

import jwt
import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount, SocialLogin
from allauth.socialaccount.signals import pre_social_login
from django.conf import settings as django_settings
from django.test import Client, RequestFactory

from games.core.accounts.adapter import SignOnAdapter
from games.core.broker import clear
from games.models import Account

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
PASSWORD = "moons of saturn"


class Provider(HTTPServer):
    """A provider that knows one person; `says` is what its answers have that others have not."""

    person: Any = {}
    says: dict[str, Any] = {}
    asked: list[str] = []

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def id_token(self) -> str:
        claims = {"iss": self.address, "aud": "perihelion", "exp": 2**33, "sub": "17"}
        return jwt.encode({**claims, **self.says.get("id_token", {})}, "k" * 32)


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
                **self.server.says.get("configuration", {}),
            },
            "/userinfo": self.server.person,
        }
        self.answer(answers[self.path])

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.server.asked.append(body)
        answer = {"access_token": "secret", "token_type": "Bearer"}
        answer["id_token"] = self.server.id_token()
        self.answer({**answer, **self.server.says.get("token", {})})

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
    Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
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
    server.says = {}
    yield server
    server.shutdown()
    server.server_close()


def link_by_email(settings: Any) -> None:
    settings.SOCIALACCOUNT_PROVIDERS["openid_connect"]["APPS"][0]["settings"][
        "email_authentication"
    ] = True


def sign_on(client: Client, following: str = "/my", process: str = "login") -> Any:
    """Go to the provider and come back; the answer to the way back."""
    sent = client.get("/account/oidc/sign-on/login/", {"process": process, "next": following})
    if sent.status_code != 302:
        return sent
    query = parse_qs(urlsplit(sent["Location"]).query)
    assert query["code_challenge_method"] == ["S256"]
    back = {"code": "x", "state": query["state"][0]}
    return client.get("/account/oidc/sign-on/login/callback/", back)


@pytest.mark.parametrize(
    ("sent", "stored"), [("Zoe\u0308  K", "Zo\u00eb K"), ("K\u200bim", ""), ({"first": "Kim"}, "")]
)
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
        ("kim@example.org", "true", True),
        *(("kim@example.org", odd, False) for odd in (False, "false", "no", "0", 1, [0], None)),
        ("k\u0131m@example.org", True, False),
        (["kim@example.org"], True, False),
        (None, True, False),
    ],
)
def test_accounts_are_linked_by_confirmed_addresses_if_a_setting_says_so(
    provider: Provider, client: Client, settings: Any, email: Any, is_verified: Any, is_linked: bool
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


@pytest.mark.parametrize("is_linked", [False, True])
def test_who_began_with_an_address_does_not_keep_it_from_its_person(
    provider: Provider, client: Client, settings: Any, is_linked: bool
) -> None:
    if is_linked:
        link_by_email(settings)
    stranger = Account.objects.create(email="kim@example.org", name="Stranger")
    EmailAddress.objects.create(user=stranger, email="kim@example.org", primary=True)
    other = Account.objects.create_user("other@example.org", PASSWORD, name="Other")
    EmailAddress.objects.create(user=other, email="kim@example.org")

    assert sign_on(client)["Location"] == "/my"

    kim = SocialAccount.objects.get().user
    assert (kim.name, kim.email, kim.has_confirmed_address) == ("Kim", "kim@example.org", True)
    assert set(Account.objects.all()) == {kim, other}
    assert client.get("/account").status_code == 200


@pytest.mark.parametrize(
    "email", ["kim", "", 5, {"@": 1}, "kim@example.org\0", "\ud800@example.org", "missing"]
)
def test_without_a_usable_address_a_form_asks_for_one(
    provider: Provider, client: Client, email: Any
) -> None:
    provider.person["email"] = email
    if email == "missing":
        del provider.person["email"]

    form = sign_on(client)["Location"]

    assert "Club" in client.get(form).content.decode()
    sent = client.post(form, {"email": "Kim@Example.org", "name": "Kim"})
    assert sent["Location"] == "/sign-up/sent"
    kim = SocialAccount.objects.get().user
    assert (kim.email, kim.has_confirmed_address) == ("kim@example.org", False)
    assert client.get("/account").status_code == 303


ODD: list[tuple[str, Any]] = [
    *(("person", {"sub": sub}) for sub in (None, {}, 17, "", " ", "1\0", "x" * 192, "18")),
    ("person", []),
    ("id_token", {"sub": "18"}),
    ("id_token", {"sub": 17}),
    ("id_token", {"iss": "https://login.example.org"}),
    ("id_token", {"aud": "another"}),
    ("id_token", {"exp": 1}),
    ("id_token", {"exp": "9" * 10, "jti": "1"}),
    ("token", {"access_token": None}),
    ("token", {"access_token": "\u2603"}),
    ("token", {"id_token": 5}),
    ("token", {"id_token": "a.b.c"}),
    ("configuration", {"issuer": None}),
    ("configuration", {"token_endpoint": 5}),
]


@pytest.mark.parametrize(("part", "content"), ODD)
def test_an_odd_answer_of_the_provider_is_an_ordinary_page(
    provider: Provider, client: Client, part: str, content: Any
) -> None:
    if part == "person":
        provider.person = {**provider.person, **content} if content else content
    else:
        provider.says = {part: content}

    answer = sign_on(client)

    assert answer.status_code == 401
    assert "The login at Club has not worked" in answer.content.decode()
    assert not Account.objects.exists()


def test_of_two_first_logins_at_once_the_second_has_the_same_account(
    provider: Provider, client: Client, rf: RequestFactory
) -> None:
    sign_on(client)

    identity = SocialAccount(provider="sign-on", uid="17")
    login = SocialLogin(Account(email="kim@example.org"), identity)
    SignOnAdapter().save_user(rf.get("/"), login)

    assert login.user == Account.objects.get()


@pytest.mark.django_db(transaction=True)
def test_of_two_links_by_email_at_once_one_says_to_try_again(
    provider: Provider, client: Client, settings: Any
) -> None:
    link_by_email(settings)
    kim = Account.objects.create_user("kim@example.org", PASSWORD, name="Kim")

    def other(**_: Any) -> None:
        """Log in between the look at what is there and the change."""
        pre_social_login.disconnect(other)
        assert sign_on(Client())["Location"] == "/my"

    pre_social_login.connect(other)

    assert sign_on(client).status_code == 401
    assert sign_on(client)["Location"] == "/my"
    assert SocialAccount.objects.get().user == kim


def test_an_identity_is_linked_by_a_form_that_names_it(provider: Provider, client: Client) -> None:
    kim = Account.objects.create_user("kim@example.com", PASSWORD, name="Kim Ash")
    client.post("/login", {"login": "kim@example.com", "password": PASSWORD})
    client.post("/account/confirm", {"password": PASSWORD})

    question = sign_on(client, process="connect")["Location"]

    assert question == "/account/logins/link"
    assert "At Club you are Kim, kim@example.org." in client.get(question).content.decode()
    assert not SocialAccount.objects.exists()
    assert client.post(question)["Location"] == "/account/logins/"
    assert SocialAccount.objects.get().user == kim
    assert client.get(question).status_code == 404
    assert 'href="/account/logins/"' in client.get("/account").content.decode()
    assert "Club: Kim, kim@example.org" in client.get("/account/logins/").content.decode()
    client.post("/account/logins/", {"account": SocialAccount.objects.get().pk})
    assert not SocialAccount.objects.exists()


def test_the_only_login_of_an_account_without_a_password_stays(
    provider: Provider, client: Client
) -> None:
    sign_on(client)

    kept = client.post("/account/logins/", {"account": SocialAccount.objects.get().pk})

    assert "no password set up" in kept.content.decode()
    assert SocialAccount.objects.exists()


def test_a_provider_that_does_not_respond_is_an_ordinary_page(
    provider: Provider, client: Client
) -> None:
    client.get("/account/oidc/sign-on/login/")
    state = next(iter(client.session["socialaccount_states"]))
    provider.shutdown()
    provider.server_close()

    for path, query in (("", {}), ("callback/", {"code": "c", "state": state})):
        assert client.get(f"/account/oidc/sign-on/login/{path}", query).status_code == 401
