"""Who asks for all that is dear at once, and goes away, makes nobody wait."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median
from urllib.parse import urlsplit

import httpx
import pytest
from pytest_django import DjangoDbBlocker

from tests.deploy.clients import start_event
from tests.deploy.event_checks import connected_to
from tests.deploy.service import Service
from tests.events import FIRST_WINS, make_event, make_players
from tests.people import make_person
from tests.processes import Program, eventually

pytestmark = [pytest.mark.processes, pytest.mark.long]

ATTACKERS = [f"127.0.0.{number}" for number in range(2, 10)]
VISITOR = "127.0.1.1"
ORGANISER = "127.0.1.2"
PATHS = ("/", "/players", "/api/v1/tournaments/lantern-masters/standings")


@pytest.fixture(scope="module")
def large(service: Service, database: str, django_db_blocker: DjangoDbBlocker) -> str:
    """The slug of an event of 2,400 players, whose first round is published."""
    with django_db_blocker.unblock(), connected_to(service, database):
        event = make_event(make_person("Olga"), slug="large", rounds=9, system="monrad")
        event.enter(*make_players(2_400, first_rating=2_600))
        event.step("open", "start").publish()
    assert service.get("/e/large/standings")[0] == 200
    return "large"


@contextmanager
def attacked(service: Service, slug: str, addresses: int) -> Iterator[None]:
    """Let a program ask for what is dear, from so many addresses."""
    program = "tests.deploy.outages.attacker"
    sources = ",".join(ATTACKERS[:addresses])
    command = [sys.executable, "-m", program, str(service.port), slug, sources]
    log = service.folder / "attack.log"
    attack = Program(["nice", *command], log=log, environment={}).start()
    try:
        time.sleep(10)
        yield
        assert attack.running, attack.output()
    finally:
        attack.kill()


def client_from(service: Service, address: str, token: str = "") -> httpx.Client:
    headers = {"Host": "localhost"} | ({"Authorization": f"Bearer {token}"} if token else {})
    return httpx.Client(
        base_url=f"http://127.0.0.1:{service.port}",
        transport=httpx.HTTPTransport(local_address=address),
        headers=headers,
        timeout=60,
    )


def visit(service: Service, rounds: int) -> list[float]:
    """The seconds of a visitor's requests, none of which is refused."""
    times = []
    with client_from(service, VISITOR) as http:
        for _ in range(rounds):
            for path in PATHS:
                start = time.monotonic()
                response = http.get(path)
                assert response.status_code == 200, response.text
                times.append(time.monotonic() - start)
    return times


def settled_after(service: Service, game: int, tokens: list[str]) -> float:
    """The seconds until a game is confirmed that both of its players report."""
    start = time.monotonic()
    for token in tokens:
        with client_from(service, ORGANISER, token) as http:
            answer = http.post(f"/api/v1/games/{game}/reports", json={"record": FIRST_WINS})
            assert answer.status_code < 300, answer.text
    with client_from(service, ORGANISER, service.token) as http:
        eventually(lambda: http.get(f"/api/v1/games/{game}").json()["state"] == "confirmed")
    return time.monotonic() - start


def started_after(service: Service) -> float:
    """The seconds until a worker has begun an import that is not done in its request."""
    rows = "".join(f"Import {time.time()} {n},POR\n" for n in range(1_500))
    with client_from(service, ORGANISER, service.token) as http:
        start = time.monotonic()
        answer = http.post(
            "/api/v1/players/import",
            content=f"name,country\n{rows}",
            headers={"Content-Type": "text/csv", "Prefer": "respond-async"},
        )
        assert answer.status_code == 202, answer.text
        task = urlsplit(answer.headers["Location"]).path
        eventually(lambda: http.get(task).json()["state"] != "waiting")
    return time.monotonic() - start


@pytest.mark.parametrize(("addresses", "worst"), [(1, 1), (8, 3)])
def test_an_attack_makes_no_visitor_wait(
    service: Service, large: str, addresses: int, worst: int
) -> None:
    game, tokens = start_event(service, f"away-{addresses}")
    visit(service, 2)
    alone = visit(service, 20)
    with attacked(service, large, addresses):
        beside = visit(service, 20)
        settled, started = settled_after(service, game, tokens), started_after(service)

    found = {
        "alone": [median(alone), max(alone)],
        "beside": [median(beside), max(beside)],
        "settled": settled,
        "import": started,
    }
    assert median(beside) < 5 * median(alone), found
    assert max(beside) < worst, found
    assert settled < 5, found
    assert started < 10, found
