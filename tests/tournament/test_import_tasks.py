"""Events, entries and records by a task: as at once, only later, and refused alike."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.conf import settings
from django.http import HttpResponse

from games import tasks
from games.imports.uploads import SentFile
from games.models import Account, Game, JournalLine, Player, Role, Upload
from ratings.systems.lists import without_formula
from tests.events import SET_UP, Event, make_event, make_players
from tests.people import Person, make_person, problem_in
from tests.processes import Worker
from tests.tournament.test_bundle import bomb, empty_the_house, played, zipped
from tournament import tasks as event_tasks
from tournament.imports import importers
from tournament.imports.bundle.writing import write_bundle
from tournament.models import Entry, Tournament

MEBIBYTE = 1024 * 1024
BUNDLES = "tournaments/import/bundle"
REPORT = (
    "012 Cup\n042 2026/05/01\n052 2026/05/01\nXXR 1\n"
    "001    1      Ada                               1900 POR                         1.0    1"
    "     2 w 1\n"
    "001    2      Ben                               1800 POR                         0.0    2"
    "     1 b 0\n"
)
RECORD = (
    f'[Game "star-star"]\n[Board "{SET_UP["board"]}"]\n[Round "1"]\n[Table "1"]\n\n'
    "S10 T10 agreed 11-10\n"
)


@dataclass(frozen=True, slots=True)
class Way:
    """One way in: where to, in which form, what is right and what is wrong, and what it makes."""

    path: str
    form: str
    right: bytes
    wrong: bytes
    fault: dict[str, Any]
    made: Callable[[], int]


def ways(event: Event) -> dict[str, Way]:
    return {
        "entries": Way(
            f"{event.path}/entries/import",
            "text/csv",
            b"name,country\nZoe,POR\nYan,CAN\n",
            b"name,country\nZoe,POR\nYan,Canada\n",
            {"line": 3, "pointer": "/3/country"},
            Entry.objects.filter(player__name__in=["Zoe", "Yan"]).count,
        ),
        "records": Way(
            f"{event.path}/records/import",
            "text/plain",
            RECORD.encode(),
            RECORD.replace("T10", "S10").encode(),
            {"line": 1, "code": "occupied"},
            JournalLine.objects.filter(kind="report.ruling").count,
        ),
        "report": Way(
            "tournaments/import?game=star-star&board=4&slug=cup",
            "text/plain",
            REPORT.encode(),
            REPORT.replace("1900", "none").encode(),
            {"line": 5, "code": "invalid_report"},
            Tournament.objects.filter(slug="cup").count,
        ),
    }


@pytest.fixture
def event(organiser: Person) -> Event:
    event = make_event(organiser)
    event.enter(*make_players(4))
    event.step("open", "start").publish()
    return event


def later(person: Person, way: Way, content: bytes | None = None) -> HttpResponse:
    body = way.right if content is None else content
    return person.post(way.path, body, content_type=way.form, Prefer="respond-async")


def carried_in(person: Person, answer: HttpResponse) -> dict[str, Any]:
    """What is told of a task after the next sweep."""
    assert answer.status_code == 202, answer.content
    tasks.import_due.run()
    told: dict[str, Any] = person.get(answer["Location"]).json()
    return told


@pytest.mark.parametrize("name", ["entries", "records", "report"])
def test_what_is_right_comes_in_as_it_would_at_once(
    organiser: Person, event: Event, name: str
) -> None:
    way = ways(event)[name]
    mark = "&" if "?" in way.path else "?"
    shown = organiser.post(f"{way.path}{mark}dry_run=1", way.right, content_type=way.form).json()
    answer = later(organiser, way)
    before = way.made()

    task = carried_in(organiser, answer)

    assert (before, way.made() > 0, task["state"]) == (0, True, "done"), task
    result = task["result"]
    assert result.pop("dry_run") is False
    assert shown.pop("dry_run") is True
    for told in (result, shown):  # a dry run has no ids
        for line in (*told.get("lines", ()), *told.get("players", ())):
            line.pop("player")
    assert result == shown


@pytest.mark.parametrize("name", ["entries", "records", "report"])
def test_what_is_wrong_is_refused_with_its_line(organiser: Person, event: Event, name: str) -> None:
    way = ways(event)[name]

    task = carried_in(organiser, later(organiser, way, way.wrong))

    assert (task["state"], task["problem"]["status"]) == ("refused", 422)
    assert way.fault.items() <= task["problem"]["errors"][0].items()
    assert way.made() == 0


@pytest.mark.parametrize("name", ["entries", "records", "report"])
def test_who_may(everyone: dict[str, Person], event: Event, name: str) -> None:
    way = ways(event)[name]
    found = {who: later(one, way).status_code for who, one in everyone.items()}

    others = 202 if name == "report" else 403  # whoever has an account makes events
    assert found == {"organiser": 202, "player": others, "stranger": others, "anonymous": 401}


@pytest.mark.parametrize("name", ["entries", "records"])
def test_a_role_lost_in_between_brings_nothing_in(
    organiser: Person, event: Event, name: str
) -> None:
    way = ways(event)[name]
    answer = later(organiser, way)
    Role.objects.filter(account=organiser.account).delete()

    task = carried_in(organiser, answer)

    assert (task["state"], task["problem"]["code"]) == ("refused", "role_missing")
    assert way.made() == 0


@pytest.mark.parametrize("name", ["entries", "records", "report"])
def test_a_message_that_comes_again_does_nothing(
    organiser: Person, event: Event, name: str
) -> None:
    way = ways(event)[name]
    carried_in(organiser, later(organiser, way))
    lines, made = JournalLine.objects.count(), way.made()
    by_name = {
        "entries": event_tasks.import_entries,
        "records": event_tasks.import_records,
        "report": event_tasks.import_report,
    }

    by_name[name].run(Upload.objects.get().pk)
    tasks.import_due.run()

    assert (JournalLine.objects.count(), way.made()) == (lines, made)


def test_a_report_that_is_in_is_compared_once_more_not_written_twice(
    organiser: Person, event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker was killed while it paired the rounds again."""
    answer = later(organiser, ways(event)["report"])
    with monkeypatch.context() as patch:
        patch.setattr("tournament.imports.importers.compare_report", lambda *_: 1 / 0)
        assert carried_in(organiser, answer)["state"] == "waiting"
    lines = JournalLine.objects.count()
    assert Tournament.objects.filter(slug="cup").exists()

    tasks.import_due.run()

    task = organiser.get(answer["Location"]).json()
    assert (task["state"], task["result"]["rounds"][0]["agrees"]) == ("done", True)
    assert JournalLine.objects.count() == lines


def test_one_who_waits_is_told_where_the_event_is(worker: Worker, organiser: Person) -> None:
    address = "tournaments/import?game=star-star&board=4&slug=cup"
    headers = {"content_type": "text/plain", "Prefer": "wait=20"}

    answer = organiser.post(address, REPORT, **headers)

    assert (answer.status_code, answer["Location"]) == (201, "/api/v1/tournaments/cup")
    assert answer.json()["rounds"] == [
        {"round": 1, "boards": 1, "agrees": True, "due": [], "held": [], "why": ""}
    ]
    problem_in(organiser.post(address, REPORT, **headers), 409, "slug_taken")


def test_a_report_refused_for_its_address_is_refused_at_once(organiser: Person) -> None:
    for query in ("", "?game=star-star", "?game=star-star&board=4&starts_on=soon"):
        answer = organiser.post(
            f"tournaments/import{query}", REPORT, content_type="text/plain", Prefer="respond-async"
        )
        problem_in(answer, 422, "invalid")
    assert not Upload.objects.exists()


def test_progress_names_every_step(organiser: Person, event: Event) -> None:
    told: list[str] = []

    def note(step: str, done: int, of: int) -> None:
        assert 0 <= done <= of
        if step not in told:
            told.append(step)

    sent = SentFile(
        content=REPORT.encode(),
        by=organiser.account,
        parameters={"game": "star-star", "board": "4", "slug": "cup"},
    )
    read = importers.REPORT.read(sent, note)
    assert importers.REPORT.complete is not None
    importers.REPORT.complete(sent, read, importers.REPORT.save(sent, read, note), note)

    assert told == [
        "reading the report", "matching players", "registering players", "entering players",
        "writing rounds", "writing games", "writing results", "writing pairings",
        "keeping standings", "pairing rounds again", "comparing places",
    ]  # fmt: skip


class TestBundles:
    @pytest.fixture
    def staff(self, db: None) -> Person:
        return make_person("Site", is_staff=True)

    def post(self, person: Person, content: bytes, **headers: str) -> HttpResponse:
        return person.post(BUNDLES, content, content_type="application/zip", **headers)

    def test_in_by_a_task(self, organiser: Person, staff: Person) -> None:
        out = write_bundle(played(organiser).tournament)
        empty_the_house()

        task = carried_in(staff, self.post(staff, out, Prefer="respond-async"))

        assert (task["state"], task["result"]["slug"]) == ("done", "spring")
        assert write_bundle(Tournament.objects.get()) == out

    @pytest.mark.parametrize("make", [lambda: bomb()[:2000], bomb, lambda: zipped(b'{"kind":1}\n')])
    def test_what_is_none_is_refused(self, staff: Person, make: Callable[[], bytes]) -> None:
        task = carried_in(staff, self.post(staff, make(), Prefer="respond-async"))

        assert (task["state"], task["problem"]["code"]) == ("refused", "invalid_bundle")
        assert not Tournament.objects.exists()

    def test_staff_no_longer(self, organiser: Person, staff: Person) -> None:
        out = write_bundle(played(organiser).tournament)
        empty_the_house()
        answer = self.post(staff, out, Prefer="respond-async")
        Account.objects.filter(pk=staff.account.pk).update(is_staff=False)

        assert carried_in(staff, answer)["problem"]["code"] == "role_missing"
        assert (Tournament.objects.count(), Game.objects.count()) == (0, 0)

    def test_larger_than_other_bodies_and_no_larger_than_that(self, staff: Person) -> None:
        two = self.post(staff, bytes(2 * MEBIBYTE))
        assert carried_in(staff, two)["problem"]["code"] == "invalid_bundle"
        most = self.post(staff, bytes(32 * MEBIBYTE), Prefer="respond-async")
        assert most.status_code == 202

        for size in (32 * MEBIBYTE + 1, 33 * MEBIBYTE):
            problem_in(self.post(staff, bytes(size)), 413, "body_too_large")
        problem_in(staff.post("players/import", bytes(2 * MEBIBYTE)), 413, "body_too_large")

    def test_the_limit_is_a_setting(self, staff: Person, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(settings, "LARGEST_BUNDLE", MEBIBYTE)

        problem_in(self.post(staff, bytes(2 * MEBIBYTE)), 413, "body_too_large")

    def test_a_strangers_is_not_even_read(
        self, everyone: dict[str, Person], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("tournament.views.bundles.ZipParser.parse", lambda *_: 1 / 0)
        found = {n: self.post(one, bytes(100)).status_code for n, one in everyone.items()}

        assert found == {"organiser": 403, "player": 403, "stranger": 403, "anonymous": 401}


def test_players_of_a_file_are_found_however_they_are_written(
    organiser: Person, event: Event
) -> None:
    """Out of an export, where names that read as formulas are disarmed, and in again."""
    names = ["=SUM(A1)", "'quoted", "-Minus", "'=both"]
    kept = [Player.objects.create(name=name, country="POR") for name in names]
    rows = [without_formula(name) for name in names]
    assert rows == ["'=SUM(A1)", "'quoted", "'-Minus", "''=both"]

    lines = "name,country\n" + "".join(f'"{row}",POR\n' for row in rows)
    for path in ("players/import", f"{event.path}/entries/import"):
        answer = organiser.post(path, lines, content_type="text/csv")
        told = answer.json()["lines"]
        assert [line["name"] for line in told] == names
        assert [line["player"] for line in told] == [one.pk for one in kept]
