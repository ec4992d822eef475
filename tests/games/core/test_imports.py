"""Imports by a task: 202, the task and who may see it, failures and limits."""

import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.utils import timezone

from games import tasks
from games.core.broker import connect
from games.core.journal.chain import format_time
from games.core.turns import TaskProgress, read_progress
from games.core.uploads.services import MAX_SYNC_SIZE, import_upload
from games.core.waits import waiting_requests
from games.models import Account, JournalLine, Player, Upload
from games.models.attempts import MAX_ATTEMPTS
from games.players.imports import IMPORT
from tests.events import run_due
from tests.people import URL, Person, problem_in, statuses
from tests.processes import celery_with_broker_at

CSV = {"content_type": "text/csv"}
LATER = {"Prefer": "respond-async", **CSV}
PATH = "players/import"
TWO = "name,country\nAda,POR\nBen,CAN\n"
WRONG = "name,country\nAda,POR\n,POR\nDora,Spain\n"


@pytest.fixture
def all_slots_taken() -> Iterator[None]:
    """As many requests as possible wait for tasks."""
    for _ in range(settings.MAX_WAITING_REQUESTS):
        waiting_requests.acquire()
    yield
    for _ in range(settings.MAX_WAITING_REQUESTS):
        waiting_requests.release()


def thousand() -> str:
    """Return a file of a thousand players."""
    return "name\n" + "".join(f"Player {n}\n" for n in range(1000))


def send_file(person: Person, content: str = TWO) -> str:
    """Send a file for a task and return the task's address."""
    response = person.post(PATH, content, **LATER)
    assert response.status_code == 202, response.content
    return str(response["Location"])


def sweep() -> None:
    """Import what is due, as beat and the worker do."""
    tasks.import_due.run()
    run_due()


QUEUED = {"code": "queued", "detail": "it waits for a worker, after earlier tasks"}


def get_task(person: Person, address: str) -> dict[str, Any]:
    response = person.get(address)
    assert response.status_code == 200
    return dict(response.json())


def test_a_task_imports_the_file(organiser: Person) -> None:
    response = organiser.post(PATH, TWO, **LATER)

    upload = Upload.objects.get()
    task = {"id": f"import-{upload.pk}", "kind": "import", "state": "waiting"}
    task |= {
        "url": response["Location"],
        "progress": None,
        "response": None,
        "problem": None,
        "retry_after": 1,
    }
    task |= {"since": format_time(upload.created_at), "reason": QUEUED}
    assert (response.status_code, response.json()) == (202, {"task": task})
    assert response["Location"] == f"{URL}tasks/import-{upload.pk}"
    assert get_task(organiser, response["Location"]) == task
    assert not Player.objects.exists()

    sweep()

    done = get_task(organiser, response["Location"])
    lines = [
        {
            "line": n,
            "player": {
                "id": player.pk,
                "name": player.name,
                "country": player.country or None,
                "club": None,
            },
            "action": "created",
            "look_alikes": [],
            "same_as_line": None,
        }
        for n, player in enumerate(Player.objects.order_by("pk"), start=2)
    ]
    columns = {"columns": {"name": "name", "country": "country"}, "left_out": [], "skipped": []}
    result = {"dry_run": False, **columns, "rows": lines}
    ended = {"since": None, "reason": None, "retry_after": None}
    assert done == task | {"state": "done", "response": result} | ended
    upload.refresh_from_db()
    assert (bytes(upload.content), upload.attempts) == (b"", 1)


@pytest.mark.parametrize(
    ("prefer", "status"),
    [
        ("respond-async", 202),
        ("return=minimal, wait=0", 202),
        ("", 201),
        ("wait=soon, no-respond-async", 201),
    ],
)
def test_prefer_selects_a_task(organiser: Person, prefer: str, status: int) -> None:
    assert organiser.post(PATH, TWO, Prefer=prefer, **CSV).status_code == status


def test_a_task_imports_a_large_file(organiser: Person) -> None:
    assert len(thousand()) > MAX_SYNC_SIZE
    assert organiser.post(PATH, thousand(), **CSV).status_code == 202

    sweep()

    assert Player.objects.count() == 1000


def test_a_dry_run_never_makes_a_task(organiser: Person) -> None:
    for headers in (CSV, LATER):
        response = organiser.post(f"{PATH}?dry_run=1", thousand(), **headers)
        assert (response.status_code, len(response.json()["rows"])) == (200, 1000)
    assert not Upload.objects.exists()


def without_id(problem: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in problem.items() if name != "request_id"}


def test_a_task_rejects_a_file_as_the_request_would(organiser: Person) -> None:
    problem_in(organiser.post(PATH, "", **LATER), 400, "no_file")
    expected = organiser.post(f"{PATH}?dry_run=1", WRONG, **CSV).json()
    address = send_file(organiser, WRONG)

    sweep()

    task = get_task(organiser, address)
    assert (task["state"], task["response"]) == ("refused", None)
    assert without_id(task["problem"]) == without_id(expected)
    assert not Player.objects.exists()
    assert not JournalLine.objects.exists()


def test_only_the_sender_sees_the_task(everyone: dict[str, Person]) -> None:
    organiser = everyone["organiser"]
    address = send_file(organiser)

    assert statuses(everyone, "GET", address) == {
        "organiser": 200,
        "player": 404,
        "stranger": 404,
        "anonymous": 404,
    }
    narrower = {
        "result:write": organiser.with_token("result:write"),
        "elsewhere": organiser.with_token("tournament:write", stream="tournament/autumn"),
    }
    assert set(statuses(narrower, "GET", address).values()) == {404}


def test_a_file_of_an_account_closed_since_is_not_imported(organiser: Person) -> None:
    address = send_file(organiser)
    Account.objects.filter(pk=organiser.account.pk).update(is_active=False)

    sweep()
    Account.objects.filter(pk=organiser.account.pk).update(is_active=True)

    assert get_task(organiser, address)["problem"]["code"] == "account_inactive"
    assert not Player.objects.exists()


def test_a_doubled_message_changes_nothing(organiser: Person) -> None:
    address = send_file(organiser)
    upload = Upload.objects.get()
    tasks.import_players.run(upload.pk)
    before = get_task(organiser, address)

    tasks.import_players.run(upload.pk)
    tasks.import_players.run(10**9)
    sweep()

    assert get_task(organiser, address) == before
    assert JournalLine.objects.filter(kind="players.imported").count() == 1
    assert Upload.objects.get().attempts == 1


def test_the_later_of_two_workers_saves_nothing(organiser: Person) -> None:
    """Two workers import a file at once, because the broker lost the lease."""
    send_file(organiser)
    upload = Upload.objects.get()
    slow = Upload.objects.get()
    tasks.import_players.run(upload.pk)

    import_upload(IMPORT, slow, lambda *_: None)

    assert JournalLine.objects.filter(kind="players.imported").count() == 1


def test_a_running_import_is_not_started_again(organiser: Person) -> None:
    address = send_file(organiser)
    progress = TaskProgress.begin("import-" + address.rpartition("-")[2])
    assert progress is not None
    progress("reading lines", 400, 1000)

    sweep()

    task = get_task(organiser, address)
    step = {"step": "reading lines", "done": 400, "of": 1000}
    assert (task["state"], task["progress"]) == ("running", step)
    assert Upload.objects.get().attempts == 0

    progress.end()
    sweep()
    assert get_task(organiser, address)["state"] == "done"


def test_one_long_task_of_an_account_runs_at_a_time(organiser: Person) -> None:
    """Two workers of the queue would else let an account keep both busy."""
    address = send_file(organiser)
    other = TaskProgress.begin("analysis-1", organiser.account.pk)
    assert other is not None
    assert TaskProgress.begin("analysis-2", organiser.account.pk) is None

    sweep()
    assert get_task(organiser, address)["state"] == "waiting"
    assert Upload.objects.get().attempts == 0

    other.end()
    sweep()
    assert get_task(organiser, address)["state"] == "done"


def test_the_first_import_of_another_account_is_next(organiser: Person, stranger: Person) -> None:
    many = [send_file(organiser) for _ in range(3)]
    tasks.import_players.run()
    own = send_file(stranger)
    tasks.import_players.run()
    states = sorted(get_task(organiser, address)["state"] for address in many)
    assert (states, get_task(stranger, own)["state"]) == (["done", "waiting", "waiting"], "done")


def test_an_import_that_always_fails_is_given_up(
    organiser: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = send_file(organiser)

    def fail(*_: Any) -> None:
        raise RuntimeError("a bug")

    with monkeypatch.context() as patch:
        patch.setattr("games.players.imports.register_new_players", fail)
        for _ in range(MAX_ATTEMPTS):
            assert get_task(organiser, address)["state"] == "waiting"
            sweep()

    sweep()
    task = get_task(organiser, address)
    assert (task["state"], task["problem"]["code"]) == ("failed", "given_up")
    assert Upload.objects.get().attempts == MAX_ATTEMPTS
    assert not Player.objects.exists()


def test_results_are_kept_for_a_day(organiser: Person) -> None:
    done, waiting = send_file(organiser), send_file(organiser)
    sweep()
    given_up = send_file(organiser)
    number = int(given_up.rpartition("-")[2])
    Upload.objects.filter(pk=number).update(attempts=MAX_ATTEMPTS)
    long_ago = timezone.now() - timedelta(days=1, minutes=1)
    Upload.objects.filter(pk=number).update(created_at=long_ago)
    Upload.objects.filter(pk=int(done.rpartition("-")[2])).update(finished_at=long_ago)

    sweep()

    found = [organiser.get(address).status_code for address in (done, waiting, given_up)]
    assert found == [404, 200, 404]


def test_an_account_has_a_limit_of_waiting_imports(organiser: Person, stranger: Person) -> None:
    for _ in range(settings.QUOTAS["waiting_jobs"]):
        send_file(organiser)

    problem_in(organiser.post(PATH, TWO, **LATER), 409, "too_many_imports")
    send_file(stranger)
    sweep()
    send_file(organiser)


def test_without_a_broker_only_the_progress_is_missing(
    organiser: Person, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"unix://{tmp_path}/none.sock"
    monkeypatch.setattr(settings, "REDIS_URL", address)
    with celery_with_broker_at(address):
        address = send_file(organiser)
        assert get_task(organiser, address)["state"] == "waiting"
        sweep()

    assert get_task(organiser, address)["state"] == "done"


@pytest.mark.usefixtures("broker")
def test_progress_is_published_at_intervals() -> None:
    progress = TaskProgress.begin("import-of-a-test")
    assert progress is not None
    for done in range(1000):
        progress("reading lines", done, 1000)

    step = read_progress("import-of-a-test")
    assert step is not None
    assert step["done"] < 999
    progress("writing", 0, 1)
    assert read_progress("import-of-a-test") == {"step": "writing", "done": 0, "of": 1}
    assert 0 < connect().ttl("perihelion:progress:import-of-a-test") <= 30
    progress.end()
    assert read_progress("import-of-a-test") is None


def test_a_request_does_not_wait_if_too_many_do(
    organiser: Person, all_slots_taken: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "sleep", lambda _: pytest.fail("the request waits"))

    response = organiser.post(PATH, TWO, Prefer="wait=30", **CSV)

    assert (response.status_code, response.json()["task"]["state"]) == (202, "waiting")
