"""The page on which a person allows an app: what it says, where it leads, what it refuses."""

import re
from html import unescape
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from django.conf import settings
from django.test import Client
from oauth2_provider.models import Grant

from games.core.broker import clear
from games.core.oauth.services import disable_app
from games.models import JournalLine
from tests.events import make_event
from tests.games.core.oauth import BACK, Program, make_program, returned
from tests.people import Person, make_person, player_of
from tournament.entries.links import open_session
from tournament.models import PersonalLink

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
READ = "tournament:read result:write"


@pytest.fixture(autouse=True)
def no_limits(db: None) -> None:
    clear()


@pytest.fixture
def program(db: None) -> Program:
    return make_program(make_person("Author"))


@pytest.fixture
def browser(ada: Person, client: Client) -> Client:
    """A browser in which Ada is logged in."""
    client.force_login(ada.account)
    return client


def text_of(answer: Any) -> str:
    return str(answer.content.decode())


def test_a_stranger_logs_in_first(client: Client, program: Program) -> None:
    address = program.address(READ)
    sent = client.get(address)

    assert sent["Location"].startswith("/login?next=%2Foauth%2Fauthorize%3F")
    assert client.post(address, {"answer": "allow"}).status_code == 401
    assert not Grant.objects.exists()


def test_the_page_says_who_wants_what(browser: Client, program: Program, ada: Person) -> None:
    page = browser.get(program.address("result:write tournament:read"))

    text = text_of(page)
    for part in (
        "Allow Pocket?",
        ada.account.name,
        'href="https://app.example/"',
        'Author <span class="quiet">not the staff of this site</span>',
        "<li>read what only the people of an event may see</li>"
        "<li>report, confirm and dispute results</li>",
        "all events",
        "Both buttons lead to app.example.",
    ):
        assert part in text, part
    policy = page["Content-Security-Policy"]
    assert "form-action 'self' https://app.example;" in policy
    assert "default-src 'none'" in policy
    assert page["Cache-Control"] == "private, no-store"


def test_the_page_names_the_event(organiser: Person, client: Client, program: Program) -> None:
    make_event(organiser, name="Harbour Open")
    client.force_login(organiser.account)

    text = text_of(client.get(program.address(f"{READ} tournament:spring")))

    assert 'href="/e/spring">Harbour Open</a>' in text
    assert "all events" not in text


def test_who_allows_goes_back_with_a_code(browser: Client, program: Program) -> None:
    sent = browser.post(program.address(READ), {"answer": "allow"})

    assert sent.status_code == 303
    assert sent["Location"].startswith(f"{BACK}?")
    query = returned(sent)
    assert query.keys() == {"code", "state", "iss"}
    assert (query["state"], query["iss"]) == ("s1", settings.PUBLIC_URL)
    assert JournalLine.objects.filter(kind="app.allowed").count() == 1


def test_nothing_is_remembered(browser: Client, program: Program, ada: Person) -> None:
    program.tokens(ada.account, READ)

    for more in ({}, {"approval_prompt": "auto"}, {"prompt": "none"}):
        assert "Allow Pocket?" in text_of(browser.get(program.address(READ, **more)))


@pytest.mark.parametrize("answer", ["refuse", "", "allowed"])
def test_who_does_not_allow_goes_back_without(
    browser: Client, program: Program, answer: str
) -> None:
    sent = browser.post(program.address(READ), {"answer": answer})

    assert returned(sent) == {
        "error": "access_denied",
        "state": "s1",
        "iss": settings.PUBLIC_URL,
    }
    assert not Grant.objects.exists()
    assert not JournalLine.objects.filter(kind="app.allowed").exists()


LOST: dict[str, dict[str, str | None]] = {
    "another address": {"redirect_uri": "https://evil.example/back"},
    "a longer address": {"redirect_uri": f"{BACK}/x"},
    "a query": {"redirect_uri": f"{BACK}?x=1"},
    "a name": {"redirect_uri": "https://x@app.example/back"},
    "an unknown app": {"client_id": "unknown"},
    "no app": {"client_id": None},
    "NUL": {"client_id": "\0"},
    "a huge state": {"state": "x" * 3000},
    "a huge nonce": {"nonce": "x" * 300},
    "a huge challenge": {"code_challenge": "x" * 3000},
}


@pytest.mark.parametrize("changed", LOST.values(), ids=LOST)
def test_nobody_is_sent_to_an_address_that_is_not_known(
    browser: Client, program: Program, changed: dict[str, str | None]
) -> None:
    address = program.address(READ, **changed)

    for answer in (browser.get(address), browser.post(address, {"answer": "allow"})):
        assert answer.status_code == 400
        assert "Location" not in answer
        assert "app" in text_of(answer) or "NUL" in text_of(answer)
    assert not Grant.objects.exists()


REFUSED: dict[str, tuple[dict[str, str | None], str]] = {
    "no challenge": ({"code_challenge": None}, "invalid_request"),
    "a plain challenge": ({"code_challenge_method": "plain"}, "invalid_request"),
    "a short challenge": ({"code_challenge": "x" * 42}, "invalid_request"),
    "the implicit grant": ({"response_type": "token"}, "unsupported_response_type"),
    "no response type": ({"response_type": None}, "invalid_request"),
    "no scope": ({"scope": None}, "invalid_scope"),
    "an unknown scope": ({"scope": f"{READ} everything"}, "invalid_scope"),
    "an event alone": ({"scope": "tournament:spring"}, "invalid_scope"),
    "two events": ({"scope": f"{READ} tournament:spring tournament:autumn"}, "invalid_scope"),
    "a wrong event": ({"scope": f"{READ} tournament:a/b"}, "invalid_scope"),
}


@pytest.mark.parametrize("slug", ["winter", "spring"])
def test_an_app_does_not_learn_whether_a_person_sees_an_event(
    browser: Client, program: Program, organiser: Person, slug: str
) -> None:
    make_event(organiser)
    address = program.address(f"{READ} tournament:{slug}")

    for answer in (browser.get(address), browser.post(address, {"answer": "allow"})):
        assert (answer.status_code, answer.headers.get("Location")) == (400, None)
        assert "an event that does not exist, or that you may not see" in text_of(answer)
    assert not Grant.objects.exists()


@pytest.mark.parametrize(("changed", "error"), REFUSED.values(), ids=REFUSED)
def test_nobody_is_sent_to_an_app_for_what_it_may_not_ask(
    browser: Client, program: Program, organiser: Person, changed: dict[str, str | None], error: str
) -> None:
    make_event(organiser)
    make_event(organiser, slug="autumn")
    address = program.address(READ, **changed)

    sent = browser.post(address, {"answer": "allow"})
    for answer in (browser.get(address), sent, Client().get(address)):
        assert (answer.status_code, answer.headers.get("Location")) == (400, None)
        (link,) = re.findall(
            r'href="(https://app\.example/back[^"]*)".*>app\.example<', text_of(answer)
        )
        query = dict(parse_qsl(urlsplit(unescape(link)).query))
        assert (query["error"], query["state"]) == (error, "s1")
        assert f"<code>{error} " in text_of(answer)
    assert not Grant.objects.exists()


def test_a_parameter_is_given_once(browser: Client, program: Program) -> None:
    address = f"{program.address(READ)}&scope=rating%3Aadmin"

    assert browser.get(address).status_code == 422
    assert browser.post(address, {"answer": "allow"}).status_code == 422


def test_a_disabled_app_asks_nobody(browser: Client, program: Program, staff: Person) -> None:
    disable_app(program.app, by=staff.account)

    page = browser.get(program.address(READ))

    assert page.status_code == 400
    assert "No app is registered with this client id, or it is disabled" in text_of(page)


def test_another_site_cannot_allow_an_app(ada: Person, program: Program) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(ada.account)

    assert client.post(program.address(READ), {"answer": "allow"}).status_code == 403
    assert not Grant.objects.exists()


def test_a_personal_link_allows_no_app(
    organiser: Person, ada: Person, program: Program, client: Client
) -> None:
    event = make_event(organiser)
    (entry,) = event.enter(player_of(ada))
    link = PersonalLink.objects.create(entry=entry, issued_by=organiser.account)
    token, _ = open_session(link)
    session = client.session
    session["token"] = token.pk
    session.save()

    assert client.get(program.address(READ)).status_code == 403
    assert client.post(program.address(READ), {"answer": "allow"}).status_code == 403


def test_an_app_on_a_device_listens_at_any_port(browser: Client, ada: Person) -> None:
    native = make_program(
        ada, "native", back="http://127.0.0.1/back org.example.pocket:/back http://[::1]/x"
    )
    for redirect in ("http://127.0.0.1:43210/back", "http://[::1]:9/x"):
        sent = browser.post(native.address(READ, redirect_uri=redirect), {"answer": "allow"})
        assert sent["Location"].startswith(f"{redirect}?code=")
    own = native.address(READ, redirect_uri="org.example.pocket:/back")
    page = browser.get(own)
    assert "form-action 'self' org.example.pocket:;" in page["Content-Security-Policy"]
    assert "Both buttons lead to the installed app." in text_of(page)
    sent = browser.post(own, {"answer": "allow"})
    assert sent["Location"].startswith("org.example.pocket:/back?code=")
    for wrong in ("http://127.0.0.1:43210/other", "http://localhost:1/back"):
        assert browser.get(native.address(READ, redirect_uri=wrong)).status_code == 400


def test_a_form_that_is_sent_twice_gives_one_code(browser: Client, program: Program) -> None:
    fields = {"answer": "allow", "csrfmiddlewaretoken": "x" * 64}

    first = browser.post(program.address(READ), fields)
    second = browser.post(program.address(READ), fields)

    assert returned(first)["code"] == returned(second)["code"]
    assert Grant.objects.count() == 1


def test_an_account_has_so_many_logins_of_apps(
    browser: Client, program: Program, ada: Person, settings: Any
) -> None:
    settings.QUOTAS = {**settings.QUOTAS, "app_logins": 1}
    program.tokens(ada.account, READ)

    answer = browser.post(program.address(READ), {"answer": "allow"})

    assert answer.status_code == 409
    assert "revoke some first" in text_of(answer)
