"""The page of an account: its tokens, whose secret is shown once, and its sessions."""

import re
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from games import tasks
from games.models import Account, Token
from tests.people import Person, make_person

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada(client: Client) -> Person:
    """A person who is logged in."""
    person = make_person("Ada")
    assert person.account is not None
    client.force_login(person.account)
    return person


def text_of(response: Any) -> str:
    return str(response.content.decode())


def test_a_stranger_is_sent_to_the_login(client: Client) -> None:
    sent = client.get("/account")

    assert (sent.status_code, sent["Location"]) == (303, "/login?next=%2Faccount")
    assert client.post("/account", {"action": "end-sessions"}).status_code == 401


def test_the_secret_of_a_token_is_shown_once(client: Client, ada: Person) -> None:
    form = {
        "action": "create-token",
        "name": "laptop",
        "tournament": "",
        "scopes[]": ["result:write"],
    }
    page = text_of(client.post("/account", form))

    (secret,) = re.findall(r'class="secret">([^<]+)<', page)
    assert 'value="laptop"' not in page
    assert Person("Ada", secret=secret).get("me").json()["scopes"] == ["result:write"]
    assert secret not in text_of(client.get("/account"))
    assert "laptop" in text_of(client.get("/account"))


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({}, "required"),
        ({"scopes[]": ["everything"]}, "valid scopes are"),
        ({"scopes[]": ["result:write"], "tournament": "a b"}, "valid"),
        ({"scopes[]": ["result:write"], "tournament": "nowhere"}, "there is no event"),
        ({"scopes[]": ["result:write"], "name": "\0"}, "Null"),
    ],
)
def test_a_rejected_token(client: Client, ada: Person, fields: dict[str, Any], error: str) -> None:
    rejected = client.post("/account", {"action": "create-token", **fields})

    assert rejected.status_code == 422
    assert error in text_of(rejected)
    assert Token.objects.count() == 1


@pytest.mark.parametrize("page", ["/account", "/account/email"])
def test_an_account_without_an_address(client: Client, ada: Person, page: str) -> None:
    assert ada.account is not None
    Account.objects.filter(pk=ada.account.pk).update(email=None)

    assert re.search(r"<dt>Email</dt><dd>none\b", text_of(client.get(page)))


def test_a_token_is_revoked_by_its_account_only(client: Client, ada: Person) -> None:
    other = make_person("Ben").token
    own = Token.objects.get(user=ada.account)
    form = {"action": "revoke-token"}

    assert client.post("/account", form | {"token_id": other.token_key}).status_code == 404
    assert client.post("/account", form | {"token_id": "../x"}).status_code == 400
    assert client.post("/account", form | {"token_id": own.token_key}).status_code == 303
    assert not Token.objects.filter(user=ada.account).exists()


def test_all_sessions_of_an_account_end_at_once(client: Client, ada: Person) -> None:
    other = Client()
    other.force_login(ada.account)

    assert client.post("/account", {"action": "end-sessions"}).status_code == 303

    assert [session.get("/account").status_code for session in (client, other)] == [303, 303]
    assert ada.get("me").status_code == 200, "its tokens stay valid"


def test_a_session_survives_a_change_of_the_secret_key(
    client: Client, ada: Person, settings: Any
) -> None:
    earlier = settings.SECRET_KEY
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another secret key", [earlier]
    assert client.get("/account").status_code == 200

    settings.SECRET_KEY_FALLBACKS = []
    assert client.get("/account").status_code == 200, "it was renewed under the new key"

    settings.SECRET_KEY = "a third secret key"
    assert client.get("/account").status_code == 303


def test_expired_sessions_are_deleted(client: Client, ada: Person) -> None:
    Client().force_login(ada.account)
    Session.objects.filter(pk=client.cookies["sessionid"].value).update(expire_date=timezone.now())

    tasks.delete_old_sessions.run()

    assert Session.objects.count() == 1


@pytest.mark.parametrize(
    ("name", "status"), [("Ada Lovelace", 303), ("", 422), ("A\0", 422), ("A" * 121, 422)]
)
def test_the_name_is_changed(client: Client, ada: Person, name: str, status: int) -> None:
    answer = client.post("/account/name", {"action": "rename", "name": name})

    assert answer.status_code == status
    assert ada.get("me").json()["name"] == (name if status == 303 else "Ada")
