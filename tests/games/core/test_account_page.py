"""The page of an account: its tokens, whose secret is shown once, and its sessions."""

import re
from typing import Any

import pytest
from django.test import Client

from games.models import Account, Token
from tests.people import Person, make_person

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.fixture
def ada(client: Client) -> Person:
    """A person who is logged in."""
    person = make_person("Ada")
    assert person.account is not None
    client.force_login(person.account)
    return person


def text_of(response: Any) -> str:
    return str(response.content.decode())


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


def test_a_rejected_token_and_name_come_back(client: Client, ada: Person) -> None:
    for path, form in (("", {"action": "create-token"}), ("/name", {"action": "rename"})):
        assert client.post(f"/account{path}", form).status_code == 422
    assert Token.objects.count() == 1


@pytest.mark.parametrize("page", ["/account", "/account/email"])
def test_an_account_without_an_address_has_pages(client: Client, ada: Person, page: str) -> None:
    Account.objects.update(email=None)
    assert client.get(page).status_code == 200


def test_a_token_is_revoked_by_its_account_only(client: Client, ada: Person) -> None:
    other = make_person("Ben").token
    own = Token.objects.get(user=ada.account)
    form = {"action": "revoke-token"}

    assert client.post("/account", form | {"token_id": other.token_key}).status_code == 404
    assert client.post("/account", form | {"token_id": "../x"}).status_code == 400
    assert client.post("/account", form | {"token_id": own.token_key}).status_code == 303
    assert not Token.objects.filter(user=ada.account).exists()
