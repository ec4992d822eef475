"""Imports of tournaments, entries and records by a task: same results, same errors."""

from typing import Any

import pytest
from django.http import HttpResponse

from games.core.uploads.csv import escape_formula
from games.models import JournalLine, Player, Role, Upload
from tests.events import SET_UP, Event, make_event, make_players, run_due
from tests.people import URL, Person, make_person, problem_in
from tests.processes import Worker
from tests.tournament.imports import empty_tables, final_event
from tournament import tasks as event_tasks
from tournament.exchange.bundle_file import write_bundle
from tournament.models import Tournament

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


@pytest.fixture
def event(organiser: Person) -> Event:
    event = make_event(organiser)
    event.enter(*make_players(4))
    event.step("open", "start").publish()
    return event


TRF_ADDRESS = "tournaments/import?ruleset=star-star&board_size=4&slug=cup"


def post_later(person: Person, content: str = TRF) -> HttpResponse:
    return person.post(TRF_ADDRESS, content, content_type="text/plain", Prefer="respond-async")


def run_task(person: Person, answer: HttpResponse) -> dict[str, Any]:
    """Return the task after its turn."""
    assert answer.status_code == 202, answer.content
    run_due()
    task: dict[str, Any] = person.get(answer["Location"]).json()
    return task


def test_a_task_imports_what_a_dry_run_shows(organiser: Person) -> None:
    preview = organiser.post(f"{TRF_ADDRESS}&dry_run=1", TRF, content_type="text/plain").json()
    answer = post_later(organiser)
    assert not Tournament.objects.exists()

    task = run_task(organiser, answer)

    assert (task["state"], Tournament.objects.get().slug) == ("done", "cup"), task
    for line in (*preview["players"], *task["response"]["players"]):
        line.pop("player")  # a dry run has no ids
    assert task["response"] | {"dry_run": True} == preview


def test_an_invalid_file_is_rejected_with_its_line(organiser: Person) -> None:
    task = run_task(organiser, post_later(organiser, TRF.replace("1900", "none")))

    assert (task["state"], task["problem"]["status"]) == ("refused", 422)
    (error,) = task["problem"]["errors"]
    assert (error["line"], error["code"]) == (5, "invalid_trf")
    assert not Tournament.objects.exists()


def test_an_account_that_lost_its_role_imports_nothing(organiser: Person, event: Event) -> None:
    path, later = f"{event.path}/records/import", {"Prefer": "respond-async"}
    answer = organiser.post(path, RECORD, content_type="text/plain", **later)
    Role.objects.filter(account=organiser.account).delete()

    task = run_task(organiser, answer)

    assert (task["state"], task["problem"]["code"]) == ("refused", "role_missing")
    assert not JournalLine.objects.filter(kind="report.ruling").exists()


def test_a_repeated_message_does_nothing(organiser: Person) -> None:
    run_task(organiser, post_later(organiser))
    lines = JournalLine.objects.count()

    event_tasks.import_trf.run(Upload.objects.get().pk)
    run_due()

    assert (JournalLine.objects.count(), Tournament.objects.count()) == (lines, 1)


def test_a_saved_tournament_is_compared_again_not_saved_twice(
    organiser: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker is killed while it pairs the rounds again."""
    answer = post_later(organiser)
    with monkeypatch.context() as patch:
        patch.setattr("tournament.exchange.trf.compare_rounds", lambda *_: 1 / 0)
        assert run_task(organiser, answer)["state"] == "waiting"
    lines = JournalLine.objects.count()
    assert Tournament.objects.filter(slug="cup").exists()

    run_due()

    task = organiser.get(answer["Location"]).json()
    assert (task["state"], task["response"]["rounds"][0]["agrees"]) == ("done", True)
    assert JournalLine.objects.count() == lines


def test_an_answer_after_waiting_has_the_address_of_the_tournament(
    worker: Worker, organiser: Person
) -> None:
    headers = {"content_type": "text/plain", "Prefer": "wait=20"}

    answer = organiser.post(TRF_ADDRESS, TRF, **headers)

    assert (answer.status_code, answer["Location"]) == (201, f"{URL}tournaments/cup")
    assert organiser.get("tournaments/cup")["ETag"].startswith(answer["ETag"][:-1])
    assert answer.json()["rounds"] == [
        {"round": 1, "boards": 1, "agrees": True, "due": [], "held": [], "why": None}
    ]
    problem_in(organiser.post(TRF_ADDRESS, TRF, **headers), 409, "slug_taken")


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

        assert (task["state"], task["response"]["slug"]) == ("done", "spring")
        assert write_bundle(Tournament.objects.get()) == out

    def test_a_bundle_has_a_larger_limit_than_other_bodies(self, staff: Person) -> None:
        two = self.post(staff, bytes(2 * MEBIBYTE))
        assert run_task(staff, two)["problem"]["code"] == "invalid_bundle"
        most = self.post(staff, bytes(32 * MEBIBYTE), Prefer="respond-async")
        assert most.status_code == 202

        for size in (32 * MEBIBYTE + 1, 33 * MEBIBYTE):
            problem_in(self.post(staff, bytes(size)), 413, "body_too_large")
        problem_in(staff.post("players/import", bytes(2 * MEBIBYTE)), 413, "body_too_large")


def test_names_escaped_by_an_export_are_found_again(organiser: Person, event: Event) -> None:
    """An export escapes names that a spreadsheet would read as formulas."""
    names = ["=SUM(A1)", "'quoted", "-Minus", "'=both"]
    players = [Player.objects.create(name=name, country="POR") for name in names]
    rows = [escape_formula(name) for name in names]
    assert rows == ["'=SUM(A1)", "'quoted", "'-Minus", "''=both"]

    lines = "name,country\n" + "".join(f'"{row}",POR\n' for row in rows)
    for path in ("players/import", f"{event.path}/entries/import"):
        answer = organiser.post(path, lines, content_type="text/csv")
        lines_read = answer.json()["rows"]
        assert [line["player"]["name"] for line in lines_read] == names
        assert [line["player"]["id"] for line in lines_read] == [player.pk for player in players]
