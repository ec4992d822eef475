"""Imports of tournaments, entries and records by a task: same results, same errors."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.http import HttpResponse

from games import tasks
from games.core.uploads.csv import escape_formula
from games.core.uploads.services import SentFile
from games.models import Account, Game, JournalLine, Player, Role, Upload
from tests.events import SET_UP, Event, make_event, make_players
from tests.people import Person, make_person, problem_in
from tests.processes import Worker
from tests.tournament.imports import empty_tables, final_event, zip_bomb, zip_of
from tournament import tasks as event_tasks
from tournament.exchange.bundle_file import write_bundle
from tournament.exchange.trf import TRF_IMPORTER
from tournament.models import Entry, Tournament

MEBIBYTE = 1024 * 1024
BUNDLES = "tournaments/import/bundle"
TRF = (
    "012 Cup\n042 2026/05/01\n052 2026/05/01\nXXR 1\n"
    "001    1      Ada                               1900 POR                         1.0    1"
    "     2 w 1\n"
    "001    2      Ben                               1800 POR                         0.0    2"
    "     1 b 0\n"
)
RECORD = (
    f'[Game "star-star"]\n[Board "{SET_UP["board_size"]}"]\n[Round "1"]\n[Table "1"]\n\n'
    "S10 T10 agreed 11-10\n"
)


@dataclass(frozen=True, slots=True)
class ImportCase:
    """One kind of import: address, media type, a valid and an invalid file, what it creates."""

    path: str
    media_type: str
    valid: bytes
    invalid: bytes
    error: dict[str, Any]
    created: Callable[[], int]


def import_cases(event: Event) -> dict[str, ImportCase]:
    return {
        "entries": ImportCase(
            f"{event.path}/entries/import",
            "text/csv",
            b"name,country\nZoe,POR\nYan,CAN\n",
            b"name,country\nZoe,POR\nYan,Atlantis\n",
            {"line": 3, "pointer": "/3/country"},
            Entry.objects.filter(player__name__in=["Zoe", "Yan"]).count,
        ),
        "records": ImportCase(
            f"{event.path}/records/import",
            "text/plain",
            RECORD.encode(),
            RECORD.replace("T10", "S10").encode(),
            {"line": 1, "code": "occupied"},
            JournalLine.objects.filter(kind="report.ruling").count,
        ),
        "trf": ImportCase(
            "tournaments/import?ruleset=star-star&board_size=4&slug=cup",
            "text/plain",
            TRF.encode(),
            TRF.replace("1900", "none").encode(),
            {"line": 5, "code": "invalid_trf"},
            Tournament.objects.filter(slug="cup").count,
        ),
    }


@pytest.fixture
def event(organiser: Person) -> Event:
    event = make_event(organiser)
    event.enter(*make_players(4))
    event.step("open", "start").publish()
    return event


def post_later(person: Person, case: ImportCase, content: bytes | None = None) -> HttpResponse:
    body = case.valid if content is None else content
    return person.post(case.path, body, content_type=case.media_type, Prefer="respond-async")


def run_task(person: Person, answer: HttpResponse) -> dict[str, Any]:
    """Return the task after the next sweep."""
    assert answer.status_code == 202, answer.content
    tasks.import_due.run()
    task: dict[str, Any] = person.get(answer["Location"]).json()
    return task


@pytest.mark.parametrize("name", ["entries", "records", "trf"])
def test_a_task_imports_what_a_dry_run_shows(organiser: Person, event: Event, name: str) -> None:
    case = import_cases(event)[name]
    mark = "&" if "?" in case.path else "?"
    preview = organiser.post(
        f"{case.path}{mark}dry_run=1", case.valid, content_type=case.media_type
    ).json()
    answer = post_later(organiser, case)
    before = case.created()

    task = run_task(organiser, answer)

    assert (before, case.created() > 0, task["state"]) == (0, True, "done"), task
    result = task["result"]
    assert result.pop("dry_run") is False
    assert preview.pop("dry_run") is True
    for card in result.get("outdated", {}).get("cards", ()):
        if card["printed_number"] is None:
            card["entry"] = None
    for body in (result, preview):  # a dry run has no ids
        for line in (*body.get("lines", ()), *body.get("players", ())):
            line.pop("player")
    assert result == preview


@pytest.mark.parametrize("name", ["entries", "records", "trf"])
def test_an_invalid_file_is_rejected_with_its_line(
    organiser: Person, event: Event, name: str
) -> None:
    case = import_cases(event)[name]

    task = run_task(organiser, post_later(organiser, case, case.invalid))

    assert (task["state"], task["problem"]["status"]) == ("refused", 422)
    assert case.error.items() <= task["problem"]["errors"][0].items()
    assert case.created() == 0


def test_an_account_that_lost_its_role_imports_nothing(organiser: Person, event: Event) -> None:
    case = import_cases(event)["records"]
    answer = post_later(organiser, case)
    Role.objects.filter(account=organiser.account).delete()

    task = run_task(organiser, answer)

    assert (task["state"], task["problem"]["code"]) == ("refused", "role_missing")
    assert case.created() == 0


def test_a_repeated_message_does_nothing(organiser: Person, event: Event) -> None:
    case = import_cases(event)["trf"]
    run_task(organiser, post_later(organiser, case))
    lines, created = JournalLine.objects.count(), case.created()

    event_tasks.import_trf.run(Upload.objects.get().pk)
    tasks.import_due.run()

    assert (JournalLine.objects.count(), case.created()) == (lines, created)


def test_a_saved_tournament_is_compared_again_not_saved_twice(
    organiser: Person, event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker is killed while it pairs the rounds again."""
    answer = post_later(organiser, import_cases(event)["trf"])
    with monkeypatch.context() as patch:
        patch.setattr("tournament.exchange.trf.compare_rounds", lambda *_: 1 / 0)
        assert run_task(organiser, answer)["state"] == "waiting"
    lines = JournalLine.objects.count()
    assert Tournament.objects.filter(slug="cup").exists()

    tasks.import_due.run()

    task = organiser.get(answer["Location"]).json()
    assert (task["state"], task["result"]["rounds"][0]["agrees"]) == ("done", True)
    assert JournalLine.objects.count() == lines


def test_an_answer_after_waiting_has_the_address_of_the_tournament(
    worker: Worker, organiser: Person
) -> None:
    address = "tournaments/import?ruleset=star-star&board_size=4&slug=cup"
    headers = {"content_type": "text/plain", "Prefer": "wait=20"}

    answer = organiser.post(address, TRF, **headers)

    assert (answer.status_code, answer["Location"]) == (201, "/api/v1/tournaments/cup")
    assert answer.json()["rounds"] == [
        {"round": 1, "boards": 1, "agrees": True, "due": [], "held": [], "why": None}
    ]
    problem_in(organiser.post(address, TRF, **headers), 409, "slug_taken")


def test_an_invalid_query_is_rejected_at_once(organiser: Person) -> None:
    for query in ("", "?ruleset=star-star", "?ruleset=star-star&board_size=4&starts_on=soon"):
        answer = organiser.post(
            f"tournaments/import{query}", TRF, content_type="text/plain", Prefer="respond-async"
        )
        problem_in(answer, 422, "invalid_parameter")
    assert not Upload.objects.exists()


def test_progress_names_every_step(organiser: Person, event: Event) -> None:
    steps: list[str] = []

    def note(step: str, done: int, of: int) -> None:
        assert 0 <= done <= of
        if step not in steps:
            steps.append(step)

    sent = SentFile(
        content=TRF.encode(),
        by=organiser.account,
        parameters={"ruleset": "star-star", "board_size": "4", "slug": "cup"},
    )
    read = TRF_IMPORTER.read(sent, note)
    assert TRF_IMPORTER.complete is not None
    TRF_IMPORTER.complete(sent, read, TRF_IMPORTER.save(sent, read, note), note)

    assert steps == [
        "reading the file", "matching players", "registering players", "entering players",
        "writing rounds", "writing games", "writing results", "writing pairings",
        "storing standings", "pairing rounds again", "comparing ranks",
    ]  # fmt: skip


class TestBundles:
    @pytest.fixture
    def staff(self, db: None) -> Person:
        return make_person("Site", is_staff=True)

    def post(self, person: Person, content: bytes, **headers: str) -> HttpResponse:
        return person.post(BUNDLES, content, content_type="application/zip", **headers)

    def test_a_task_imports_a_bundle(self, organiser: Person, staff: Person) -> None:
        out = write_bundle(final_event(organiser).tournament)
        empty_tables()

        task = run_task(staff, self.post(staff, out, Prefer="respond-async"))

        assert (task["state"], task["result"]["slug"]) == ("done", "spring")
        assert write_bundle(Tournament.objects.get()) == out

    @pytest.mark.parametrize(
        ("make", "code"),
        [
            (lambda: zip_bomb()[:2000], "invalid_bundle"),
            (zip_bomb, "bundle_ratio"),
            (lambda: zip_of(b'{"kind":1}\n'), "invalid_bundle"),
        ],
    )
    def test_an_invalid_bundle_is_rejected(
        self, staff: Person, make: Callable[[], bytes], code: str
    ) -> None:
        task = run_task(staff, self.post(staff, make(), Prefer="respond-async"))

        assert (task["state"], task["problem"]["code"]) == ("refused", code)
        assert not Tournament.objects.exists()

    def test_an_account_that_is_no_longer_staff_imports_nothing(
        self, organiser: Person, staff: Person
    ) -> None:
        out = write_bundle(final_event(organiser).tournament)
        empty_tables()
        answer = self.post(staff, out, Prefer="respond-async")
        Account.objects.filter(pk=staff.account.pk).update(is_staff=False)

        assert run_task(staff, answer)["problem"]["code"] == "role_missing"
        assert (Tournament.objects.count(), Game.objects.count()) == (0, 0)

    def test_a_bundle_has_a_larger_limit_than_other_bodies(self, staff: Person) -> None:
        two = self.post(staff, bytes(2 * MEBIBYTE))
        assert run_task(staff, two)["problem"]["code"] == "invalid_bundle"
        most = self.post(staff, bytes(32 * MEBIBYTE), Prefer="respond-async")
        assert most.status_code == 202

        for size in (32 * MEBIBYTE + 1, 33 * MEBIBYTE):
            problem_in(self.post(staff, bytes(size)), 413, "body_too_large")
        problem_in(staff.post("players/import", bytes(2 * MEBIBYTE)), 413, "body_too_large")

    def test_the_body_of_a_stranger_is_not_read(
        self, everyone: dict[str, Person], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("tournament.exchange.views.ZipParser.parse", lambda *_: 1 / 0)
        found = {n: self.post(person, bytes(100)).status_code for n, person in everyone.items()}

        assert found == {"organiser": 403, "player": 403, "stranger": 403, "anonymous": 401}


def test_names_escaped_by_an_export_are_found_again(organiser: Person, event: Event) -> None:
    """An export escapes names that a spreadsheet would read as formulas."""
    names = ["=SUM(A1)", "'quoted", "-Minus", "'=both"]
    players = [Player.objects.create(name=name, country="POR") for name in names]
    rows = [escape_formula(name) for name in names]
    assert rows == ["'=SUM(A1)", "'quoted", "'-Minus", "''=both"]

    lines = "name,country\n" + "".join(f'"{row}",POR\n' for row in rows)
    for path in ("players/import", f"{event.path}/entries/import"):
        answer = organiser.post(path, lines, content_type="text/csv")
        lines_read = answer.json()["lines"]
        assert [line["player"]["name"] for line in lines_read] == names
        assert [line["player"]["id"] for line in lines_read] == [player.pk for player in players]
