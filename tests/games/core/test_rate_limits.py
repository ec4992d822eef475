"""Rate limits by type of caller: what counts as dear, the fields of the response, addresses."""

from typing import Any

import pytest
from django.test import Client

from games.core.broker import clear
from games.core.limits import RateThrottle
from tests.events import FIRST_WINS, Event, make_event
from tests.games.core.oauth import make_program
from tests.people import Person, player_of, problem_in

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def small_limits(settings: Any) -> None:
    """Limits that a few requests use up; no other test has used anything of them."""
    clear()
    settings.RATE_LIMITS = {"anonymous": 3, "account": 5, "token": 4, "dear": 2, "login": 2}


@pytest.fixture
def event(organiser: Person, ada: Person, ben: Person) -> Event:
    event = make_event(organiser)
    event.enter(player_of(ada), player_of(ben))
    event.step("open", "start").publish()
    return event


def behind_proxies(settings: Any, number: int) -> None:
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "NUM_PROXIES": number}


def statuses_from(person: Person, addresses: list[str], path: str = "players") -> list[int]:
    """The status of a request from each address, as the proxies in front report it."""
    return [person.get(path, X_Forwarded_For=address).status_code for address in addresses]


def test_a_caller_without_a_token_counts_by_address(anonymous: Person, stranger: Person) -> None:
    responses = [anonymous.get("players") for _ in range(4)]

    assert [response.status_code for response in responses] == [200, 200, 200, 429]
    assert [response["RateLimit"].partition(";t=")[0] for response in responses] == [
        '"anonymous";r=2',
        '"anonymous";r=1',
        '"anonymous";r=0',
        '"anonymous";r=0',
    ]
    assert {response["RateLimit-Policy"] for response in responses} == {'"anonymous";q=3;w=60'}
    assert all(1 <= int(response["RateLimit"].partition(";t=")[2]) <= 60 for response in responses)
    problem_in(responses[3], 429, "throttled")
    assert 0 < int(responses[3]["Retry-After"]) <= 61
    assert stranger.get("players").status_code == 200


def test_a_minute_begins_with_the_first_request(
    anonymous: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1000.0]
    monkeypatch.setattr(RateThrottle, "timer", lambda _: now[0])
    found = []
    for seconds in (0, 20, 30, 9, 1):
        now[0] += seconds
        response = anonymous.get("players")
        found.append((response.status_code, response["RateLimit"]))

    assert found == [
        (200, '"anonymous";r=2;t=60'),
        (200, '"anonymous";r=1;t=40'),
        (200, '"anonymous";r=0;t=10'),
        (429, '"anonymous";r=0;t=1'),
        (200, '"anonymous";r=2;t=60'),
    ]


def test_a_token_leaves_something_for_the_others_of_its_account(
    stranger: Person, organiser: Person
) -> None:
    other = stranger.with_token("tournament:read")
    program = make_program(organiser)
    app = program.person(stranger, "tournament:read")
    clear()

    runaway = [stranger.get("me") for _ in range(6)]
    others = [person.get("me").status_code for person in (other, app)]

    assert [response.status_code for response in runaway] == [200] * 4 + [429] * 2
    assert runaway[0]["RateLimit-Policy"] == '"token";q=4;w=60, "account";q=5;w=60'
    assert [policy.partition(";t=")[0] for policy in runaway[0]["RateLimit"].split(", ")] == [
        '"token";r=3',
        '"account";r=4',
    ]
    assert others == [200, 429]
    assert organiser.get("me").status_code == 200


def test_the_tokens_of_an_app_count_as_one(stranger: Person, organiser: Person) -> None:
    program = make_program(organiser)
    tokens = program.tokens(stranger.account, "tournament:read")
    clear()
    first = [as_app(stranger, tokens).get("me").status_code for _ in range(3)]
    renewed = program.renew(tokens["refresh_token"])
    second = [as_app(stranger, renewed.json()).get("me").status_code for _ in range(2)]

    assert (first, second) == ([200] * 3, [200, 429])


def as_app(person: Person, tokens: dict[str, Any]) -> Person:
    return Person(person.name, person.account, None, tokens["access_token"])


def test_the_endpoint_of_tokens_counts_as_dear(client: Client) -> None:
    answers = [client.post("/oauth/token", {"client_id": "x"}) for _ in range(3)]

    assert [answer.status_code for answer in answers] == [400, 400, 429]
    assert (
        "2 requests a minute that take long" in problem_in(answers[2], 429, "throttled")["detail"]
    )
    assert int(answers[2]["Retry-After"]) > 0
    assert answers[0]["RateLimit"].startswith('"dear";r=1;')


def test_an_unknown_token_counts_by_address(anonymous: Person, stranger: Person) -> None:
    guesses = [anonymous.get("me", Authorization=f"Bearer peri_{n}") for n in range(4)]

    assert [response.status_code for response in guesses] == [401, 401, 401, 429]
    assert anonymous.get("players").status_code == 429
    assert stranger.get("me").status_code == 200


REQUESTS = {
    "a PDF of a table": ("GET", "{event}/standings.pdf?paper=x", None, True),
    "a pairing": ("POST", "{event}/rounds/2/pair", {}, True),
    "an import of players": ("POST", "players/import", b"name\n", True),
    "a file of games": ("GET", "{event}/games.sgf", None, True),
    "the referee": ("POST", "rules/referee", {"record": FIRST_WINS}, True),
    "the standings": ("GET", "{event}/standings", None, False),
}


@pytest.mark.parametrize(("method", "path", "body", "is_dear"), REQUESTS.values(), ids=REQUESTS)
def test_what_takes_long_counts_as_dear(
    event: Event, organiser: Person, method: str, path: str, body: Any, is_dear: bool
) -> None:
    """A request for paper that is not known counts, and nothing is printed."""
    clear()

    response = organiser.send(method, path.format(event=event.path), body)

    policy = '"token";q=4;w=60, "account";q=5;w=60'
    assert response["RateLimit-Policy"] == policy + ', "dear";q=2;w=60' * is_dear, response.content


def test_a_limit_that_is_used_up_is_named(anonymous: Person) -> None:
    dear = [anonymous.post("rules/referee", {"record": FIRST_WINS}) for _ in range(3)]

    assert [response.status_code for response in dear] == [200, 200, 429]
    assert "2 requests a minute that take long" in problem_in(dear[2], 429, "throttled")["detail"]
    rest = [field.partition(";t=")[0] for field in dear[2]["RateLimit"].split(", ")]
    assert rest == ['"anonymous";r=0', '"dear";r=0']
    assert int(dear[2]["Retry-After"]) > 0


def test_a_form_counts_as_dear_once(event: Event, organiser: Person) -> None:
    clear()
    browser = Client()
    browser.force_login(organiser.account)
    pages = [
        browser.post(f"/e/{event.tournament.slug}/run/rounds/2", {"action": "pair"})
        for _ in range(3)
    ]

    assert [page.status_code == 429 for page in pages] == [False, False, True]
    assert "2 requests a minute that take long" in pages[2].content.decode()


def test_x_forwarded_for_is_ignored_without_a_proxy(anonymous: Person) -> None:
    forged = [f"203.0.113.{n}" for n in range(4)]

    assert statuses_from(anonymous, forged) == [200, 200, 200, 429]


ADDRESSES = {
    "another client": (1, ["192.0.2.1"] * 3 + ["192.0.2.2"], 200),
    "forged before the proxy's": (1, [f"203.0.113.{n}, 192.0.2.1" for n in range(4)], 429),
    "forged before two proxies'": (2, [f"10.0.0.{n}, 192.0.2.1, 10.1.1.1" for n in range(4)], 429),
    "one client of IPv6": (1, [f"2001:db8:0:7::{n}" for n in range(1, 5)], 429),
    "clients of IPv6": (1, [f"2001:db8:0:{n}::1" for n in range(1, 5)], 200),
    "IPv4 in IPv6": (1, ["192.0.2.1"] * 3 + ["::ffff:192.0.2.1"], 429),
    "no address": (1, ["unknown"] * 4, 429),
}


@pytest.mark.parametrize(("proxies", "addresses", "last"), ADDRESSES.values(), ids=ADDRESSES)
def test_the_address_behind_a_proxy_counts(
    settings: Any, anonymous: Person, proxies: int, addresses: list[str], last: int
) -> None:
    behind_proxies(settings, proxies)

    assert statuses_from(anonymous, addresses) == [200, 200, 200, last]


def test_health_is_never_limited(anonymous: Person) -> None:
    statuses = [anonymous.get("/health/live").status_code for _ in range(10)]

    assert statuses == [200] * 10
    assert "RateLimit" not in anonymous.get("/health/live")
