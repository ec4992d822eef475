"""Failed logins: limited by account and address, while the account's owner can log in."""

import base64
from typing import Any

import pytest

from games.core.broker import clear
from games.models import Account
from tests.people import Person, problem_in

pytestmark = pytest.mark.django_db
PASSWORD = "harbour lights at ten"
WRONG = "harbour lights"
HOME, CLUB, ELSEWHERE = "192.0.2.1", "192.0.2.2", "192.0.2.3"
STREET = [f"198.51.100.{n}" for n in range(4)]


@pytest.fixture(autouse=True)
def small_limits(db: None, settings: Any) -> None:
    """Two failed logins a minute; behind a proxy, so that a request can name its address."""
    clear()
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "login": 2}
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "NUM_PROXIES": 1}
    for name in ("kim", "lou"):
        Account.objects.create_user(f"{name}@example.org", PASSWORD, name=name)


def login(name: str, password: str, address: str) -> Any:
    word = base64.b64encode(f"{name}@example.org:{password}".encode()).decode()
    person = Person(name)
    return person.get("tokens", Authorization=f"Basic {word}", X_Forwarded_For=address)


CASES = {
    "the account from this address": (
        [("kim", WRONG, HOME)] * 2 + [("kim", PASSWORD, HOME)],
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
    "the owner, while many addresses guess": (
        [("kim", WRONG, address) for address in STREET] + [("kim", PASSWORD, HOME)],
        [401, 401, 401, 401, 200],
    ),
    "an address that guesses with many, once": (
        [("kim", WRONG, address) for address in STREET] + [("kim", WRONG, STREET[3])],
        [401, 401, 401, 401, 429],
    ),
    "the owner at an address that they used, while many guess": (
        [("kim", PASSWORD, HOME)]
        + [("kim", WRONG, address) for address in STREET]
        + [("kim", WRONG, HOME), ("kim", PASSWORD, HOME)],
        [200, 401, 401, 401, 401, 401, 200],
    ),
    "all accounts from one address": (
        [("ada", WRONG, CLUB), ("ben", WRONG, CLUB), ("kim", PASSWORD, CLUB)],
        [401, 401, 429],
    ),
    "an owner who used the address of one who guesses": (
        [("lou", PASSWORD, CLUB)]
        + [("kim", WRONG, CLUB)] * 3
        + [("lou", PASSWORD, CLUB), ("kim", PASSWORD, CLUB), ("kim", PASSWORD, ELSEWHERE)],
        [200, 401, 401, 429, 200, 429, 200],
    ),
    "an account that does not exist": ([("nobody", WRONG, HOME)] * 3, [401, 401, 429]),
    "an email in another case": (
        [("kim", WRONG, HOME), ("KIM", WRONG, HOME), ("kim", PASSWORD, HOME)],
        [401, 401, 429],
    ),
}


@pytest.mark.parametrize(("attempts", "statuses"), CASES.values(), ids=CASES)
def test_failed_logins_are_limited(
    attempts: list[tuple[str, str, str]], statuses: list[int]
) -> None:
    assert [login(*attempt).status_code for attempt in attempts] == statuses


def test_a_limited_login_states_the_limit() -> None:
    first, _, third = (login("kim", WRONG, HOME) for _ in range(3))

    assert first["RateLimit-Policy"] == third["RateLimit-Policy"] == '"login";q=2;w=60'
    assert first["RateLimit"].startswith('"login";r=1;t=')
    assert third["RateLimit"].startswith('"login";r=0;t=')
    problem = problem_in(third, 429, "throttled")
    assert problem["detail"].startswith(
        "At most 2 logins a minute may fail, for one account and from one address."
    )
    assert 0 < int(third["Retry-After"]) <= 61


def test_a_token_works_while_the_logins_of_its_account_are_limited(stranger: Person) -> None:
    for _ in range(3):
        login("stig", WRONG, HOME)

    assert stranger.get("me", X_Forwarded_For=HOME).status_code == 200
