"""Imports on their way: 202 and a task, what it tells and to whom, and what cuts it short."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.http import HttpResponse
from django.utils import timezone

from games import queries, tasks
from games.broker import connect
from games.imports import uploads
from games.imports.task_progress import TaskProgress, read_progress
from games.imports.uploads import MAX_SYNC_SIZE, MAX_WAITING, RETENTION
from games.models import Account, JournalLine, Player, Upload
from games.services import players
from tests.people import Person, problem_in, statuses
from tests.processes import celery_with_broker_at

CSV = {"content_type": "text/csv"}
LATER = {"Prefer": "respond-async", **CSV}
PATH = "players/import"
TWO = "name,country\nAda,POR\nBen,CAN\n"
WRONG = "name,country\nAda,POR\n,POR\nDora,Spain\n"


def thousand() -> str:
    """A thousand players, by nothing but short names."""
    return "name\n" + "".join(f"Player {n}\n" for n in range(1000))


def ask(person: Person, content: str = TWO) -> str:
    """Leave a file to a task; where it is told of."""
    answer = person.post(PATH, content, **LATER)
    assert answer.status_code == 202, answer.content
    return str(answer["Location"])


def sweep() -> None:
    """What the clock sends every ten seconds."""
    tasks.import_due.run()


def told(person: Person, place: str) -> dict[str, Any]:
    answer = person.get(place)
    assert answer.status_code == 200
    found: dict[str, Any] = answer.json()
    return found


def test_an_import_is_accepted_carried_in_and_told_of(organiser: Person) -> None:
    answer = organiser.post(PATH, TWO, **LATER)

    upload = Upload.objects.get()
    task = {"id": f"import-{upload.pk}", "state": "waiting"}
    task |= {"progress": None, "result": None, "problem": None}
    assert (answer.status_code, answer.json()) == (202, {"task": task})
    assert answer["Location"] == f"/api/v1/tasks/import-{upload.pk}"
    assert told(organiser, answer["Location"]) == task
    assert not Player.objects.exists()

    sweep()

    done = told(organiser, answer["Location"])
    lines = [
        {"line": n, "name": one.name, "action": "created", "player": one.pk}
        for n, one in enumerate(Player.objects.order_by("pk"), start=2)
    ]
    assert done == task | {"state": "done", "result": {"dry_run": False, "lines": lines}}
    upload.refresh_from_db()
    assert (bytes(upload.content), upload.attempts) == (b"", 1)


@pytest.mark.parametrize(
    ("prefer", "status"),
    [
        ("respond-async", 202),
        ("Respond-Async", 202),
        ("return=minimal, respond-async", 202),
        ("respond-async; wait=0", 202),
        ("wait=0", 202),
        ("handling=lenient,wait=0;x", 202),
        ("", 201),
        ("wait", 201),
        ("wait=soon", 201),
        ("wait=-1", 201),
        ("wait=99999999", 201),
        ("no-respond-async", 201),
        ("return=representation", 201),
    ],
)
def test_who_prefers_it_gets_a_task(organiser: Person, prefer: str, status: int) -> None:
    assert organiser.post(PATH, TWO, Prefer=prefer, **CSV).status_code == status


def test_a_thousand_players_are_left_to_a_task(organiser: Person) -> None:
    assert len(thousand()) > MAX_SYNC_SIZE
    assert organiser.post(PATH, thousand(), **CSV).status_code == 202

    sweep()

    assert Player.objects.count() == 1000


def test_a_dry_run_is_answered_at_once(organiser: Person) -> None:
    for headers in (CSV, LATER):
        answer = organiser.post(f"{PATH}?dry_run=1", thousand(), **headers)
        assert (answer.status_code, len(answer.json()["lines"])) == (200, 1000)
    assert not Upload.objects.exists()


def without_id(problem: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in problem.items() if name != "request_id"}


@pytest.mark.parametrize(
    "content",
    [WRONG, "", "name,title\nAda,GM\n", 'name\n"Ada\n', "name\n" + "x" * 200_000],
    ids=["wrong lines", "empty", "an unknown column", "an open quote", "a value without an end"],
)
def test_a_refused_file_is_told_as_it_would_have_been_at_once(
    organiser: Person, content: str
) -> None:
    if not content:  # nothing was sent, so there is nothing to be left to a task
        problem_in(organiser.post(PATH, content, **LATER), 400, "no_file")
        return
    at_once = organiser.post(f"{PATH}?dry_run=1", content, **CSV).json()
    place = ask(organiser, content)

    sweep()

    task = told(organiser, place)
    assert (task["state"], task["result"]) == ("refused", None)
    assert without_id(task["problem"]) == without_id(at_once)
    assert not Player.objects.exists()
    assert not JournalLine.objects.exists()


def test_bytes_that_cannot_be_are_refused_at_once(organiser: Person) -> None:
    for content in (b"name\nA\0da\n", "name\nAda\n".encode("utf-16")):
        problem_in(organiser.post(PATH, content, **LATER), 400, "parse_error")
    assert not Upload.objects.exists()


def test_it_is_told_to_whoever_sent_the_file_alone(everyone: dict[str, Person]) -> None:
    organiser = everyone["organiser"]
    place = ask(organiser)

    assert statuses(everyone, "GET", place) == {
        "organiser": 200,
        "player": 404,
        "stranger": 404,
        "anonymous": 404,
    }
    narrower = {
        "result:write": organiser.with_token("result:write"),
        "elsewhere": organiser.with_token("tournament:write", stream="tournament/autumn"),
    }
    assert set(statuses(narrower, "GET", place).values()) == {404}


def test_who_may_ask_for_one(everyone: dict[str, Person]) -> None:
    found = {n: p.post(PATH, TWO, **LATER).status_code for n, p in everyone.items()}

    assert found == {"organiser": 202, "player": 202, "stranger": 202, "anonymous": 401}
    assert Upload.objects.count() == 3


def test_an_account_closed_in_between_brings_nothing_in(organiser: Person) -> None:
    place = ask(organiser)
    Account.objects.filter(pk=organiser.account.pk).update(is_active=False)

    sweep()
    Account.objects.filter(pk=organiser.account.pk).update(is_active=True)

    assert told(organiser, place)["problem"]["code"] == "account_inactive"
    assert not Player.objects.exists()


def test_an_account_erased_in_between_takes_its_files_along(organiser: Person) -> None:
    ask(organiser)
    organiser.account.delete()

    sweep()

    assert not Upload.objects.exists()
    assert not Player.objects.exists()


def test_a_doubled_message_changes_nothing(organiser: Person) -> None:
    place = ask(organiser)
    upload = Upload.objects.get()
    tasks.import_players.run(upload.pk)
    before = told(organiser, place)

    tasks.import_players.run(upload.pk)
    tasks.import_players.run(10**9)
    sweep()

    assert told(organiser, place) == before
    assert JournalLine.objects.filter(kind="players.imported").count() == 1
    assert Upload.objects.get().attempts == 1


def test_one_that_finds_it_done_behind_its_back_undoes_its_own(organiser: Person) -> None:
    """Two at it at once, since the broker lost the lease: the later one leaves no trace."""
    ask(organiser)
    upload = Upload.objects.get()
    slow = Upload.objects.get()
    tasks.import_players.run(upload.pk)

    uploads._import_upload(players.IMPORT, slow, lambda *_: None)

    assert JournalLine.objects.filter(kind="players.imported").count() == 1


def test_what_somebody_is_at_is_left_to_them(organiser: Person) -> None:
    place = ask(organiser)
    progress = TaskProgress.begin("import-" + place.rpartition("-")[2])
    assert progress is not None
    progress("reading lines", 400, 1000)

    sweep()

    task = told(organiser, place)
    step = {"step": "reading lines", "done": 400, "of": 1000}
    assert (task["state"], task["progress"]) == ("running", step)
    assert Upload.objects.get().attempts == 0

    progress.end()
    sweep()
    assert told(organiser, place)["state"] == "done"


def test_one_that_always_breaks_down_is_given_up(
    organiser: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = ask(organiser)

    def break_down(*_: Any) -> None:
        raise RuntimeError("a fault of ours")

    with monkeypatch.context() as patch:
        patch.setattr("games.services.players.save_players", break_down)
        for _ in range(queries.MAX_ATTEMPTS):
            assert told(organiser, place)["state"] == "waiting"
            sweep()

    sweep()
    task = told(organiser, place)
    assert (task["state"], task["problem"]["code"]) == ("failed", "given_up")
    assert Upload.objects.get().attempts == queries.MAX_ATTEMPTS
    assert not Player.objects.exists()


def test_one_that_breaks_down_once_is_tried_again(
    organiser: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = ask(organiser)
    with monkeypatch.context() as patch:
        patch.setattr("games.services.players.append_line", lambda *_, **__: 1 / 0)
        sweep()
    assert not Player.objects.exists()

    sweep()

    assert told(organiser, place)["state"] == "done"
    assert Player.objects.count() == 2


def test_answers_are_kept_for_a_day(organiser: Person) -> None:
    done, waits = ask(organiser), ask(organiser)
    sweep()
    given_up = ask(organiser)
    number = int(given_up.rpartition("-")[2])
    Upload.objects.filter(pk=number).update(attempts=queries.MAX_ATTEMPTS)
    long_ago = timezone.now() - RETENTION - timedelta(minutes=1)
    Upload.objects.filter(pk=number).update(created_at=long_ago)
    Upload.objects.filter(pk=int(done.rpartition("-")[2])).update(finished_at=long_ago)

    sweep()

    found = [organiser.get(place).status_code for place in (done, waits, given_up)]
    assert found == [404, 200, 404]


def test_a_queue_of_ones_own_has_an_end(organiser: Person, stranger: Person) -> None:
    for _ in range(MAX_WAITING):
        ask(organiser)

    problem_in(organiser.post(PATH, TWO, **LATER), 409, "too_many_imports")
    ask(stranger)
    sweep()
    ask(organiser)


def test_without_a_broker_there_are_no_numbers_and_nothing_else_changes(
    organiser: Person, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"unix://{tmp_path}/nobody.sock"
    monkeypatch.setattr(settings, "REDIS_URL", address)
    with celery_with_broker_at(address):
        place = ask(organiser)
        assert told(organiser, place)["state"] == "waiting"
        sweep()

    assert told(organiser, place)["state"] == "done"


@pytest.mark.usefixtures("broker")
def test_numbers_that_follow_too_fast_are_left_out() -> None:
    progress = TaskProgress.begin("import-of-a-test")
    assert progress is not None
    for done in range(1000):
        progress("reading lines", done, 1000)

    told = read_progress("import-of-a-test")
    assert told is not None
    assert told["done"] < 999
    progress("writing", 0, 1)
    assert read_progress("import-of-a-test") == {"step": "writing", "done": 0, "of": 1}
    assert 0 < connect().ttl("perihelion:progress:import-of-a-test") <= 30
    progress.end()
    assert read_progress("import-of-a-test") is None


def test_a_task_that_is_none(organiser: Person) -> None:
    for number in ("0", "1", "9" * 18, "9" * 30, "-1", "x", "²"):
        problem_in(organiser.get(f"tasks/import-{number}"), 404, "not_found")


def test_a_wait_that_ends_before_the_task_answers_202(organiser: Person) -> None:
    answer: HttpResponse = organiser.post(PATH, TWO, Prefer="wait=1", **CSV)

    assert (answer.status_code, answer.json()["task"]["state"]) == (202, "waiting")
