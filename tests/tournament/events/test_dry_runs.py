"""While a dry run parses, compares or pairs, others can write: SQLite has one writer."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from django.db import connection

from games.models import Game, JournalHead, Player
from tests.events import FILLED_TWICE, FIRST_WINS, Event, make_event, make_players, make_running
from tests.people import Person, make_person, player_of
from tests.tournament.imports import HEADER, empty_tables, final_event, post_trf
from tests.tournament.standings.events import swiss
from tournament.exchange.bundle_file import write_bundle
from tournament.models import Tournament
from tournament.rounds.lookup import round_of
from tournament.rounds.pairing import compute_pairings, pair_round
from tournament.trf import TrfEdition, TrfFile, write_trf

pytestmark = pytest.mark.django_db(transaction=True)
PATIENCE = 60
"""Seconds to wait for a write, which fails before them if something holds the writer."""

NAMES = b"name,country\nZoe,POR\nYan,CAN\n"
TRF = (
    b"012 Cup\n042 2026/05/01\n052 2026/05/01\nXXR 1\n"
    b"001    1      Ada                               1900 POR                         1.0    1"
    b"     2 w 1\n"
    b"001    2      Ben                               1800 POR                         0.0    2"
    b"     1 b 0\n"
)
RECORD = f'[Round "1"]\n[Table "1"]\n{FIRST_WINS}'.encode()
CSV, TEXT, ZIP = "text/csv", "text/plain", "application/zip"


@pytest.fixture
def event(organiser: Person) -> Event:
    return make_running(organiser, 4, slug="running")


def by_hand(event: Event) -> dict[str, Any]:
    """Return a body that pairs the four players of round 1."""
    entries = event.tournament.entries.order_by("pairing_number").values_list("pk", flat=True)
    a, b, c, d = entries
    pairings = [{"first_id": a, "second_id": b}, {"first_id": c, "second_id": d}]
    return {"reason": "as agreed", "pairings": pairings}


@pytest.fixture
def send(organiser: Person, event: Event) -> Callable[[str, str], int]:
    """Return a function that sends a request of a kind, and returns its status."""

    def send(kind: str, query: str) -> int:
        person = make_person("Site", is_staff=True) if kind == "bundle" else organiser
        content = b""
        if kind == "records":
            event.publish(1)
        if kind == "bundle":
            content = write_bundle(final_event(organiser).tournament)
            empty_tables()
        path, media_type, body = {
            "players": ("players/import", CSV, NAMES),
            "entries": (f"{event.path}/entries/import", CSV, NAMES),
            "records": (f"{event.path}/records/import", TEXT, RECORD),
            "trf": ("tournaments/import?ruleset=star-star&board_size=4", TEXT, TRF),
            "bundle": ("tournaments/import/bundle", ZIP, content),
            "pair": (f"{event.path}/rounds/1/pair", "application/json", {}),
            "by hand": (f"{event.path}/rounds/1/pairings", "application/json", None),
            "settings": (event.path, "application/json", {"rounds": 2}),
        }[kind]
        joint = "&" if "?" in path else "?"
        if kind == "settings":
            return person.patch(f"{path}?{query}", body).status_code
        if kind == "by hand":
            return person.put(f"{path}?{query}", by_hand(event)).status_code
        return person.post(f"{path}{joint}{query}", body, content_type=media_type).status_code

    return send


def write_elsewhere() -> None:
    """Write with another connection, which must not have to wait."""

    def write() -> None:
        try:
            Player.objects.create(name="Written meanwhile")
        finally:
            connection.close()

    thread = Thread(target=write, daemon=True)
    thread.start()
    thread.join(PATIENCE)
    assert not thread.is_alive(), "the writer is held"


LONG_STEPS = {
    "players": "games.players.imports.read_rows",
    "entries": "tournament.entries.imports.read_list",
    "records": "games.core.uploads.records.split_records",
    "bundle": "tournament.exchange.bundle.verify_rows",
    "bundle, comparison": "tournament.exchange.bundle.check_conflicts",
    "trf": "tournament.exchange.trf.read_trf",
    "trf, comparison": "tournament.exchange.trf.compare_rounds",
    "pair": "tournament.rounds.pairing.pair_request",
    "by hand": "tournament.rounds.by_hand.pair_to_compare",
    "settings": "tournament.events.services.find_effect",
}
"""The function that takes long, by kind of request."""

DRY_RUN, REAL = "dry_run=1", ""
CASES = [
    ("bundle", DRY_RUN),
    ("bundle, comparison", DRY_RUN),
    # An import compares again while it holds the lock; for dry runs of the others, see below.
    *((step, REAL) for step in LONG_STEPS if "comparison" not in step),
    ("trf, comparison", REAL),
]


@pytest.mark.parametrize(("step", "query"), CASES)
def test_others_can_write_meanwhile(
    send: Callable[[str, str], int], monkeypatch: pytest.MonkeyPatch, step: str, query: str
) -> None:
    module_name, _, name = LONG_STEPS[step].rpartition(".")
    module = __import__(module_name, fromlist=[name])
    original = getattr(module, name)
    calls: list[str] = []

    def pause(*arguments: Any, **named: Any) -> Any:
        if not calls:
            write_elsewhere()
        calls.append(name)
        return original(*arguments, **named)

    monkeypatch.setattr(module, name, pause)

    assert send(step.partition(",")[0], query) in (200, 201)
    assert len(calls) == 1
    assert Player.objects.filter(name="Written meanwhile").count() == 1


def test_pairings_are_computed_again_if_a_player_enters(organiser: Person, event: Event) -> None:
    computed = compute_pairings(round_of(event.tournament, 1))
    event.enter(*make_players(1))

    this_round = pair_round(event.tournament, 1, by=organiser.account, computed=computed)

    assert this_round.pairings.filter(kind="pairing_bye").count() == 1


@contextmanager
def others_write() -> Iterator[None]:
    """Hold SQLite's writer with another connection; on PostgreSQL, lock the tables for reading.

    A request that writes fails at once.
    """
    tables = ", ".join(f'"{m._meta.db_table}"' for m in (Game, JournalHead, Player, Tournament))
    if connection.vendor == "sqlite":
        hurry, lock, wait = (
            "PRAGMA busy_timeout = 1",
            "BEGIN IMMEDIATE",
            "PRAGMA busy_timeout = 20000",
        )
    else:
        hurry, lock = "SET lock_timeout = 1", f"BEGIN; LOCK TABLE {tables} IN EXCLUSIVE MODE"
        wait = "RESET lock_timeout"
    other = connection.copy()
    with connection.cursor() as own_cursor, other.cursor() as cursor:
        own_cursor.execute(hurry)
        cursor.execute(lock)
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")
            own_cursor.execute(wait)
    other.close()


JSON = "application/json"
WITHOUT_ROW = {
    "players": ("organiser", "POST", "players/import", CSV, NAMES),
    "entries": ("organiser", "POST", "tournaments/running/entries/import", CSV, NAMES),
    "records": ("organiser", "POST", "tournaments/duel/records/import", TEXT, RECORD),
    "trf": ("organiser", "POST", "tournaments/import?ruleset=star-star&board_size=4", TEXT, TRF),
    "pair": ("organiser", "POST", "tournaments/running/rounds/1/pair", JSON, {}),
    "by hand": ("organiser", "PUT", "tournaments/running/rounds/1/pairings", JSON, "boards"),
    "illegal record": ("ada", "POST", "games/{game}/reports", JSON, {"record": FILLED_TWICE}),
}
"""Requests whose dry run takes long and writes no row, and one that is rejected before a write: the
person, method, address, media type and body."""


def test_dry_runs_do_not_wait_for_the_writer(
    organiser: Person, ada: Person, ben: Person, event: Event
) -> None:
    duel = make_event(organiser, slug="duel")
    duel.enter(player_of(ada), player_of(ben))
    (game,) = duel.step("open", "start").publish(1)
    ben.post(f"games/{game.pk}/reports", {"record": FIRST_WINS})
    entries = [entry.pk for entry in event.tournament.entries.order_by("pairing_number")]
    pairs = zip(entries[::2], entries[1::2], strict=True)
    boards = {"reason": "wish", "pairings": [{"first_id": a, "second_id": b} for a, b in pairs]}
    people = {"organiser": organiser, "ada": ada}
    statuses = {}

    with others_write():
        for name, (person, method, path, media_type, body) in WITHOUT_ROW.items():
            path = f"{path.format(game=game.pk)}{'&' if '?' in path else '?'}dry_run=1"
            content = boards if body == "boards" else body
            response = people[person].send(method, path, content, content_type=media_type)
            statuses[name] = response.status_code

    assert statuses == dict.fromkeys(WITHOUT_ROW, 200) | {"illegal record": 422}


def test_the_dry_run_of_a_draft_has_the_pairings_of_the_round(organiser: Person) -> None:
    event = make_event(organiser, system="dutch")
    *_, absent, first, second = event.enter(*make_players(6))
    event.step("open", "start")
    bye = {"entry_id": absent.pk, "round": 1, "kind": "half_bye"}
    assert organiser.post(f"{event.path}/byes", bye).status_code == 201
    entries = event.tournament.entries.exclude(pk=absent.pk).order_by("pairing_number")
    others = [entry.pk for entry in entries]
    pairs = [(second.pk, first.pk), (others[1], others[0]), (others[2], None)]
    boards = [{"first_id": a, "second_id": b} for a, b in pairs]
    path = f"{event.path}/rounds/1/pair"

    for method, address, body in (
        ("POST", path, {}),
        ("PUT", f"{path}ings", {"reason": "a wish", "pairings": boards}),
    ):
        preview = organiser.send(method, f"{address}?dry_run=1", body).json()
        assert len(preview["rows"]) == 4
        assert preview == {"dry_run": True, **organiser.send(method, address, body).json()}


FILES = {
    "byes and forfeits": write_trf(TrfFile(crosstable=swiss(3), header=HEADER)).encode(),
    "awarded points": write_trf(
        TrfFile(crosstable=swiss(2), header=HEADER), edition=TrfEdition.TRF26
    ).encode(),
    "a round in play": Path("tests/data/pairing/trf26/024.trf").read_bytes(),
}


@pytest.mark.parametrize("content", FILES.values(), ids=FILES)
def test_the_dry_run_of_a_trf_file_has_the_result_of_the_import(
    organiser: Person, content: bytes
) -> None:
    query = "&starts_on=2026-05-01&ends_on=2026-05-03"
    preview = post_trf(organiser, content, f"{query}&dry_run=1")
    found = post_trf(organiser, content, query)

    assert {player["player"]["id"] for player in preview["players"]} == {None}
    for body in (preview, found):
        del body["dry_run"]
        for player in body["players"]:
            del player["player"]["id"]
    assert preview == found
