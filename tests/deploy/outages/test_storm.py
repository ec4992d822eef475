"""One account that does its worst, with all long work at once, does not stop the others."""

import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from statistics import median

import httpx
import pytest
from pytest_django import DjangoDbBlocker

from games.models import Player
from tests.deploy.event_checks import connected_to
from tests.deploy.service import Service
from tests.events import FIRST_WINS, SECOND_WINS, make_published, make_running
from tests.people import make_person, make_player

pytestmark = [pytest.mark.processes, pytest.mark.long]

LARGE = 900
"""The players of the events that the account has."""

THREADS = 12
WORST_ADDRESS = "127.0.0.2"
"""Where the account is: who is behind the same address shares its threads."""

REFUSALS = {409, 429, 503}
FOR_STRANGERS = ("/", "/e/quiet", "/api/v1/tournaments/quiet/standings", "/players")
UPLOAD = "name,country,seed_rating\n" + "".join(f"Upload {n},POR,{1000 + n}\n" for n in range(3000))


@dataclass
class Figures:
    """What the account and the others were answered, and after how many seconds."""

    worst: Counter[int] = field(default_factory=Counter)
    pages: list[float] = field(default_factory=list)
    page_statuses: Counter[int] = field(default_factory=Counter)
    settled: list[float] = field(default_factory=list)

    def __str__(self) -> str:
        pages = f"pages: median {median(self.pages):.2f} s, longest {max(self.pages):.2f} s"
        results = f"results: longest {max(self.settled):.1f} s of {len(self.settled)}"
        return f"{pages}; {results}; the account: {dict(self.worst)}"


@dataclass(frozen=True, slots=True)
class People:
    """The tokens of the account that does its worst and of a player, and the player's game."""

    worst: str
    player: str
    game: int


@pytest.fixture(scope="module")
def people(service: Service, database: str, django_db_blocker: DjangoDbBlocker) -> People:
    """Two events of 900 players of two clubs, one of them before its first round; a small one."""
    with django_db_blocker.unblock(), connected_to(service, database):
        worst, quiet = make_person("Worst"), make_person("Quiet")
        apart = [{"by": "country"}]
        for slug in ("open", "paired"):
            event = make_running(worst, LARGE, slug=slug, rounds=9, separations=apart)
            lower = event.tournament.entries.filter(pairing_number__gt=LARGE // 2)
            Player.objects.filter(pk__in=lower.values("player")).update(country="ESP")
            if slug == "paired":
                event.publish(1)
        ada, ben = make_player("Ada"), make_player("Ben")
        small = make_published(quiet, ada, ben, slug="quiet")
        (game,) = small.games()
        return People(worst.secret, ada.secret, game.pk)


def worst_requests(http: httpx.Client, source: Random) -> list[Callable[[], httpx.Response]]:
    """Return everything that makes the service compute for long."""
    events = "/api/v1/tournaments"
    numbers = source.sample(range(1, LARGE + 1), 2)
    return [
        lambda: http.post(f"{events}/open/rounds/1/pair?dry_run=1", json={}),
        lambda: http.post(f"{events}/open/rounds/1/check", json={}),
        lambda: http.post(
            f"{events}/paired/rounds/1/explain",
            json={"first_number": numbers[0], "second_number": numbers[1]},
        ),
        lambda: http.get(f"{events}/paired/rounds/1/pairings?explain=1"),
        lambda: http.post(f"{events}/paired/forecast"),
        lambda: http.get(f"{events}/paired/standings.pdf"),
        lambda: http.get(f"{events}/paired/rounds/1/slips.pdf"),
        lambda: http.get(f"{events}/paired/crosstable.csv"),
        lambda: http.post(
            "/api/v1/players/import",
            content=UPLOAD,
            headers={"Content-Type": "text/csv", "Prefer": "respond-async"},
        ),
        lambda: http.post("/api/v1/rules/referee", json={"record": FIRST_WINS}),
    ]


def do_worst(address: str, token: str, seed: int, ended: threading.Event, found: Figures) -> None:
    source = Random(seed)
    headers = {"Authorization": f"Bearer {token}"}
    address = address.replace("localhost", "127.0.0.1")
    transport = httpx.HTTPTransport(local_address=WORST_ADDRESS)
    with httpx.Client(base_url=address, headers=headers, transport=transport, timeout=120) as http:
        while not ended.is_set():
            request = source.choice(worst_requests(http, source))
            try:
                found.worst[request().status_code] += 1
            except httpx.HTTPError:
                found.worst[0] += 1


def read_pages(address: str, ended: threading.Event, found: Figures) -> None:
    with httpx.Client(base_url=address, trust_env=False, timeout=60) as http:
        while not ended.is_set():
            for path in FOR_STRANGERS:
                start = time.monotonic()
                query = {} if path.startswith("/api/") else {"at": start}
                found.page_statuses[http.get(path, params=query).status_code] += 1
                found.pages.append(time.monotonic() - start)
            time.sleep(0.2)


def report_results(address: str, people: People, end: float, pause: float, found: Figures) -> None:
    """Report results until a time, and until two are settled."""
    headers = {"Authorization": f"Bearer {people.player}"}
    with httpx.Client(base_url=address, headers=headers, trust_env=False, timeout=60) as http:
        for number in range(25):
            if time.monotonic() > end and len(found.settled) > 1:
                return
            record = (FIRST_WINS, SECOND_WINS)[number % 2]
            start = time.monotonic()
            sent = http.post(f"/api/v1/games/{people.game}/reports", json={"record": record})
            assert sent.status_code < 300, sent.text
            task = sent.headers["Location"]
            while http.get(task).json()["state"] == "waiting":
                assert time.monotonic() - start < 60, "the report is not settled"
                time.sleep(0.1)
            found.settled.append(time.monotonic() - start)
            time.sleep(pause)


def storm(service: Service, people: People, seconds: float) -> Figures:
    """Let the account do its worst for so many seconds while others read and report.

    It goes on until two results are settled, which may take longer on a busy machine.
    """
    found, ended = Figures(), threading.Event()
    worst = [
        threading.Thread(
            target=do_worst, args=(service.address, people.worst, seed, ended, found), daemon=True
        )
        for seed in range(THREADS)
    ]
    reader = threading.Thread(target=read_pages, args=(service.address, ended, found), daemon=True)
    for thread in (*worst, reader):
        thread.start()
    end = time.monotonic() + seconds
    try:
        report_results(service.address, people, end, max(1.0, seconds / 25), found)
        time.sleep(max(0.0, end - time.monotonic()))
    finally:
        ended.set()
        for thread in (*worst, reader):
            thread.join(120)
    return found


def test_a_storm_of_five_minutes_is_not_noticed(service: Service, people: People) -> None:
    found = storm(service, people, 300)
    assert set(found.page_statuses) == {200}, found
    assert median(found.pages) < 0.5, found
    assert max(found.settled) < 5, found
