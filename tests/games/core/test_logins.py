"""Failed logins, on pages and in the API: limited by account and by address, in one count."""

import base64
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from allauth.account import app_settings
from allauth.mfa.models import Authenticator
from django.core import mail
from django.db import connection
from django.test import Client
from django.utils.http import int_to_base36

from games import tasks
from games.core.broker import clear
from games.models import Account
from tests.people import Person, problem_in

pytestmark = pytest.mark.django_db
PASSWORD = "harbour lights at ten"
WRONG = "harbour lights"
HOME, CLUB = "192.0.2.1", "192.0.2.2"
STREET = [f"198.51.100.{n}" for n in range(4)]


@pytest.fixture(autouse=True)
def small_limits(db: None, settings: Any) -> None:
    """Two failed logins a minute; behind a proxy, so that a request can name its address."""
    clear()
    settings.ACCOUNT_RATE_LIMITS = {"login_failed": "2/m/ip,3/5m/key"}
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "NUM_PROXIES": 1}
    for name in ("kim", "lou"):
        Account.objects.create_user(f"{name}@example.org", PASSWORD, name=name)


def by_token(name: str, password: str, address: str, method: str = "GET") -> Any:
    """Log in to the API."""
    word = base64.b64encode(f"{name}@example.org:{password}".encode()).decode()
    headers = {"Authorization": f"Basic {word}", "X_Forwarded_For": address}
    body = {"scopes": ["tournament:read"]} if method == "POST" else None
    return Person(name).send(method, "tokens", body, **headers)


def by_form(name: str, password: str, address: str, browser: Client | None = None) -> int:
    """Log in on the page, in a new browser; return the status that the API would have."""
    fields = {"login": f"{name}@example.org", "password": password}
    answer = (browser or Client()).post("/login", fields, headers={"X-Forwarded-For": address})
    is_limited = "Too many failed login attempts" in answer.content.decode()
    return 200 if answer.status_code == 302 else 429 if is_limited else 401


CASES = {
    "all accounts from an address": (
        [("kim", WRONG, CLUB), ("lou", WRONG, CLUB), ("kim", PASSWORD, CLUB)],
        [401, 401, 429],
    ),
    "logins that succeed do not count": (
        [("kim", PASSWORD, HOME)] * 4 + [("kim", WRONG, HOME), ("kim", PASSWORD, HOME)],
        [200, 200, 200, 200, 401, 200],
    ),
    "the owner, from another address": (
        [("kim", WRONG, CLUB)] * 3 + [("kim", PASSWORD, HOME)],
        [401, 401, 429, 200],
    ),
    "an account from many addresses": (
        [("kim", WRONG, address) for address in STREET] + [("kim", PASSWORD, HOME)],
        [401, 401, 401, 429, 429],
    ),
    "an account that does not exist": (
        [("nobody", WRONG, address) for address in STREET],
        [401, 401, 401, 429],
    ),
    "an email in another case": (
        [("kim", WRONG, STREET[0]), ("KIM", WRONG, STREET[1]), ("Kim", WRONG, STREET[2])] * 2,
        [401, 401, 401, 429, 429, 429],
    ),
}


WAYS = [
    *(("page", case) for case in CASES),
    ("read", "all accounts from an address"),
    ("write", "an account from many addresses"),
]


@pytest.mark.parametrize(("way", "case"), WAYS)
def test_failed_logins_are_limited(way: str, case: str) -> None:
    attempts, statuses = CASES[case]
    if way == "page":
        found = [by_form(*attempt) for attempt in attempts]
    else:
        method = "POST" if way == "write" else "GET"
        found = [by_token(*attempt, method).status_code for attempt in attempts]

    assert [200 if status == 201 else status for status in found] == statuses


def test_pages_and_api_count_together() -> None:
    assert by_form("kim", WRONG, STREET[0]) == 401
    assert by_token("kim", WRONG, STREET[1]).status_code == 401
    assert by_form("kim", WRONG, STREET[2]) == 401

    problem_in(by_token("kim", PASSWORD, HOME), 429, "throttled")


def test_a_new_password_ends_the_lock() -> None:
    for address in STREET:
        by_form("kim", WRONG, address)
    client = Client(headers={"X-Forwarded-For": HOME})
    client.post("/password", {"email": "kim@example.org"})
    tasks.send_due_links.run()
    (link,) = [word for word in mail.outbox[0].body.split() if "/password/" in word]
    path = client.get(link.removeprefix("http://localhost:8000"))["Location"]
    client.post(path, {"password1": PASSWORD[::-1], "password2": PASSWORD[::-1]})

    assert by_form("kim", PASSWORD[::-1], HOME) == 200


def test_a_browser_that_is_known_logs_in_while_the_others_are_locked_out(settings: Any) -> None:
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "login": 2}
    own, of_lou = Client(), Client()
    for name, browser in (("kim", own), ("lou", own), ("lou", of_lou)):
        assert by_form(name, PASSWORD, HOME, browser) == 200
        browser.post("/logout")
    for address in STREET:
        by_form("kim", WRONG, address)
    forged = Client()
    forged.cookies["known"] = own.cookies["known"].value.replace(":", "0:", 1)

    found = [by_form("kim", PASSWORD, HOME, each) for each in (Client(), of_lou, forged, own)]
    assert found == [429, 429, 429, 200]
    own.post("/logout")
    guesses = [by_form("kim", each, HOME, own) for each in (WRONG, PASSWORD)]
    assert guesses == [401, 429], "there it is limited, too"
    lou = Account.objects.get(email="lou@example.org")
    lou.set_password(PASSWORD[::-1])
    lou.save()
    for address in STREET:
        by_form("lou", WRONG, address)
    assert by_form("lou", PASSWORD[::-1], HOME, of_lou) == 429, "it knew the password of before"


@pytest.mark.django_db(transaction=True)
def test_a_link_of_a_reset_sets_one_password_by_six_requests_at_once() -> None:
    kim = Account.objects.get(email="kim@example.org")
    key = app_settings.PASSWORD_RESET_TOKEN_GENERATOR().make_token(kim)
    page = f"/password/{int_to_base36(kim.pk)}-{key}"
    browsers = [Client() for _ in range(6)]
    forms = [browser.get(page)["Location"] for browser in browsers]

    def send(number: int) -> bool:
        try:
            fields = dict.fromkeys(("password1", "password2"), f"{PASSWORD} {number}")
            return bool(browsers[number].post(forms[number], fields).status_code == 302)
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        done = list(pool.map(send, range(6)))

    kim.refresh_from_db()
    assert done == [kim.check_password(f"{PASSWORD} {number}") for number in range(6)]
    assert sum(done) == 1
    nobody = Client().post("/password/zzzzzzzzzzzzz-set-password", {"password1": PASSWORD})
    assert "token_fail" in nobody.context


def test_a_token_works_while_the_logins_of_its_account_are_limited(stranger: Person) -> None:
    for address in STREET:
        by_token("stig", WRONG, address)

    assert stranger.get("me", X_Forwarded_For=HOME).status_code == 200


@pytest.mark.parametrize("is_staff", [False, True])
def test_a_password_alone_makes_no_token_for_an_account_with_a_second_factor(
    is_staff: bool,
) -> None:
    kim = Account.objects.get(name="kim")
    if is_staff:
        Account.objects.filter(pk=kim.pk).update(is_staff=True)
    else:
        Authenticator.objects.create(user=kim, type="totp", data={"secret": "x"})

    assert by_token("kim", WRONG, HOME, "POST").status_code == 401
    for method in ("GET", "POST"):
        problem_in(by_token("kim", PASSWORD, HOME, method), 403, "second_factor_needed")


def test_a_closed_account_does_not_log_in() -> None:
    Account.objects.filter(name="kim").update(is_active=False)

    assert by_token("kim", PASSWORD, HOME).status_code == 401


def test_what_was_typed_without_a_login_is_in_the_form_after_it() -> None:
    browser = Client()
    fields = {"action": "register", "name": "Łukasz Żak", "club": "Rooks", "password": "hidden"}
    rejected = browser.post("/players/new", fields)
    assert rejected.status_code == 401
    assert "hidden" not in str(dict(browser.session))

    login = {"login": "kim@example.org", "password": PASSWORD, "next": "/players/new"}
    sent = browser.post("/login", login)
    assert (sent.status_code, sent["Location"]) == (302, "/players/new")
    assert browser.session.get_expiry_age() > 86_400

    page = browser.get("/players/new").content.decode()
    assert 'value="Łukasz Żak"' in page
    assert 'value="Rooks"' in page
    assert 'value="Łukasz Żak"' not in browser.get("/players/new").content.decode()


def test_a_form_of_no_page_or_of_excessive_length_is_not_kept() -> None:
    browser = Client()
    for fields in ({"action": "unknown"}, {"action": "register", "name": "x" * 200_000}, {}):
        browser.post("/players/new", fields)
        assert not browser.session.items()
