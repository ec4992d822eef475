"""The pages of apps: who registers, sees, changes, revokes and disables which."""

import json
import re
from typing import Any

import pytest
from django.test import Client

from deploy.held import held_about
from games.core.broker import clear
from games.models import App, JournalLine
from tests.games.core.oauth import Program, make_program
from tests.games.core.test_account_administration import log_in
from tests.people import Person, make_person

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
FORM = {
    "action": "register",
    "name": "Pocket",
    "homepage": "https://app.example/",
    "kind": "browser",
    "redirect_uris": "https://app.example/back\r\nhttps://app.example/other?x=1,2;3",
}


@pytest.fixture(autouse=True)
def no_limits(db: None) -> None:
    clear()


@pytest.fixture
def author(client: Client) -> Person:
    """Somebody who is logged in and writes programs."""
    person = make_person("Author")
    client.force_login(person.account)
    return person


def text_of(response: Any) -> str:
    return str(response.content.decode())


def lines() -> list[tuple[str, str]]:
    found = JournalLine.objects.filter(stream="site", kind__startswith="app.")
    return [(line.kind, line.actor) for line in found.order_by("sequence")]


def test_an_author_registers_an_app(client: Client, author: Person) -> None:
    page = text_of(client.post("/account/apps", FORM))

    app = App.objects.get()
    assert app.client_id in page
    assert "Client secret" not in page
    assert (app.name, app.kind, app.client_type) == ("Pocket", "browser", "public")
    assert app.redirect_uris.split() == FORM["redirect_uris"].split()
    assert lines() == [("app.registered", f"account/{author.account.pk}")]


def test_the_secret_is_shown_once(client: Client, author: Person) -> None:
    page = text_of(client.post("/account/apps", FORM | {"kind": "server"}))

    app = App.objects.get()
    secret = re.findall(r'class="secret">([^<]+)<', page)[1]
    path = f"/account/apps/{app.pk}"
    assert secret not in text_of(client.get("/account/apps")) + text_of(client.get(path))
    renewed = text_of(client.post(path, {"action": "renew-secret"}))
    (_, other, _) = re.findall(r'class="secret">([^<]+)<', renewed)
    assert Program(app, secret).renew("x").status_code == 401
    assert Program(app, other).renew("x").status_code == 400


WRONG = {
    "a long name": {"name": "x" * 61},
    "a homepage that is a script": {"homepage": "javascript:alert(1)"},
    "too many addresses": {"redirect_uris": "\n".join(f"https://a.example/{n}" for n in range(11))},
    "a huge address": {"redirect_uris": f"https://a.example/{'x' * 500}"},
    "http beside https": {"redirect_uris": "https://a.example/ http://b.example/"},
    "a fragment": {"redirect_uris": "https://app.example/#x"},
    "a wildcard": {"redirect_uris": "https://*.app.example/"},
    "a backslash": {"redirect_uris": "https://app.example\\@evil.example/"},
    "a scheme of a browser app": {"redirect_uris": "org.example.app:/back"},
    "a script": {"kind": "native", "redirect_uris": "javascript:alert(1)"},
    "a short scheme": {"kind": "native", "redirect_uris": "pocket:/back"},
}

WRONG |= {
    f"the name {name}": {"name": name}
    for name in (
        "Perihelion Plus",
        "Pеri Helion",
        "Site \N{CYRILLIC CAPITAL LETTER A}dmin",
        "localhost app",
        "PERIHELI0N",
        "Peri-helion",
        "ADMIN",
        "StaffLogin",
        "Modérateur 2",
    )
}


@pytest.mark.parametrize("changed", WRONG.values(), ids=WRONG)
def test_a_wrong_app_is_not_registered(
    client: Client, author: Person, changed: dict[str, str]
) -> None:
    page = client.post("/account/apps", FORM | changed)

    assert page.status_code == 422
    assert not App.objects.exists()


@pytest.mark.parametrize(
    ("kind", "addresses"),
    [
        ("server", "https://a.example:8443/back?x=1 http://127.0.0.1:3000/"),
        ("browser", "http://localhost:5173/ http://[::1]:80/x"),
        ("native", "org.example.app:/back com.example.app://host/back https://a.example/"),
    ],
)
def test_these_addresses_are_possible(
    client: Client, author: Person, kind: str, addresses: str
) -> None:
    form = {"name": "Staffel 24", "kind": kind, "redirect_uris": addresses}
    page = client.post("/account/apps", FORM | form)

    assert page.status_code == 200
    assert App.objects.get().redirect_uris == addresses


def test_an_account_registers_so_many_apps(client: Client, author: Person, settings: Any) -> None:
    settings.QUOTAS = {**settings.QUOTAS, "apps": 1}
    make_program(author)

    assert client.post("/account/apps", FORM).status_code == 409


def test_an_author_changes_and_deletes_only_their_own(
    client: Client, author: Person, ada: Person
) -> None:
    own, other = make_program(author).app, make_program(ada, name="Other").app
    change = {**FORM, "action": "change", "name": "Purse"}
    del change["kind"]

    for action in (change, {"action": "delete"}, {"action": "renew-secret"}):
        assert client.post(f"/account/apps/{other.pk}", action).status_code == 404
    assert client.get(f"/account/apps/{other.pk}").status_code == 404
    assert "Other" not in text_of(client.get("/account/apps"))

    path = f"/account/apps/{own.pk}"
    assert client.post(path, change)["Location"] == f"{path}?done=change"
    assert client.post(path, change).status_code == 409
    wrong = client.post(path, change | {"redirect_uris": "http://app.example/"})
    assert wrong.status_code == 422
    assert App.objects.get(pk=own.pk).name == "Purse"
    assert client.post(path, {"action": "renew-secret"}).status_code == 409
    assert client.post(path, {"action": "delete"})["Location"] == "/account/apps?done=delete"
    assert [app.pk for app in App.objects.all()] == [other.pk]
    kinds = [kind for kind, _ in lines()]
    assert kinds == ["app.registered"] * 2 + ["app.changed", "app.deleted"]


def test_a_person_sees_and_revokes_what_apps_may_do(
    client: Client, author: Person, ada: Person
) -> None:
    program, other = make_program(ada), make_program(ada, name="Other")
    program.tokens(author.account, "tournament:read")
    other.tokens(author.account, "result:write")

    page = text_of(client.get("/account/apps"))
    assert page.count('value="revoke"') == 2

    form = {"action": "revoke", "app_id": program.app.pk}
    assert client.post("/account/apps", form)["Location"] == "/account/apps?done=revoke"
    assert client.post("/account/apps", form).status_code == 409
    assert client.post("/account/apps", form | {"app_id": 10**6}).status_code == 404
    assert client.post("/account/apps", form | {"app_id": "x"}).status_code == 400

    assert text_of(client.get("/account/apps")).count('value="revoke"') == 1
    assert lines()[-1] == ("app.revoked", f"account/{author.account.pk}")


def test_staff_disables_an_app(staff: Person, author: Person, ada: Person) -> None:
    app = make_program(author).app
    form = {"action": "disable", "app_id": app.pk}
    of_author, of_staff = log_in(author.account), log_in(staff.account)
    assert of_author.get("/staff/apps").status_code == 403
    assert of_author.post("/staff/apps", form).status_code == 403
    assert "Pocket" in text_of(of_staff.get("/staff/apps"))

    assert of_staff.post("/staff/apps", form)["Location"] == "/staff/apps?done=disable"
    assert of_staff.post("/staff/apps", form).status_code == 409
    assert not App.objects.get().is_usable(None)
    assert of_staff.post("/staff/apps", form | {"action": "enable"}).status_code == 303
    assert App.objects.get().is_usable(None)


def test_the_export_has_apps_and_logins_without_secrets(author: Person, ada: Person) -> None:
    server = make_program(author, "server")
    server.code(author.account, "tournament:read")
    tokens = server.tokens(author.account, "tournament:read")

    held = held_about(author.account, None)

    assert [row["name"] for row in held["games.app (user)"]] == ["Pocket"]
    for table in ("accesstoken", "refreshtoken", "grant"):
        assert held[f"oauth2_provider.{table} (user)"]
    text = json.dumps(held, default=str)
    for secret in (server.secret, tokens["access_token"], tokens["refresh_token"]):
        assert secret not in text
    for column in ('"client_secret"', '"code"', "token_checksum", 'code_challenge"'):
        assert column not in text
