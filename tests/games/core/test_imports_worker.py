"""Imports by a real worker: with progress, with a wait, killed in the middle, a message lost."""

import signal

from games import tasks
from games.core.broker import connect
from games.models import JournalLine, Player, Upload
from tests.people import Person, problem_in
from tests.processes import Worker, eventually, eventually_swept

CSV = {"content_type": "text/csv"}
PATH = "players/import"


def players(count: int, name: str = "Player") -> str:
    lines = (f"{name} number {n},POR,{100 + n % 2900},Club {n % 90}\n" for n in range(count))
    return "name,country,seed_rating,club\n" + "".join(lines)


def journalled_imports() -> int:
    return JournalLine.objects.filter(kind="players.imported").count()


def test_a_waiting_client_gets_the_result(worker: Worker, organiser: Person) -> None:
    response = organiser.post(PATH, players(1000), Prefer="wait=20", **CSV)

    assert response.status_code == 201
    assert len(response.json()["lines"]) == 1000
    wrong = "name,country\nAda,POR\nBen,Atlantis\n"
    problem = problem_in(organiser.post(PATH, wrong, Prefer="wait=20", **CSV), 422, "invalid_lines")
    assert [error["line"] for error in problem["errors"]] == [3]


def test_after_a_kill_and_without_messages_imports_are_done_once(
    worker: Worker, organiser: Person
) -> None:
    """Kill the worker in the middle of an import, and lose the message of another one."""
    count = 4000
    place = organiser.post(PATH, players(count), **CSV)["Location"]
    key = "perihelion:progress:" + place.rpartition("/")[2]
    eventually(lambda: b"registering" in (connect().get(key) or b""))
    worker.send(signal.SIGSTOP)
    step = organiser.get(place).json()
    worker.kill()

    assert (step["state"], step["progress"]["step"]) == ("running", "registering players")
    assert (Player.objects.count(), journalled_imports()) == (0, 0)
    later = CSV | {"Prefer": "respond-async"}
    lost = organiser.post(PATH, players(100, "Member"), **later)["Location"]
    connect().flushall()  # the broker deletes the progress after half a minute, too
    assert organiser.get(place).json()["state"] == "waiting"

    worker.start()
    for _ in range(10):  # messages more than once
        tasks.import_due.delay()
        tasks.import_players.delay(int(lost.rpartition("-")[2]))

    for address in (place, lost):
        eventually_swept(
            tasks.import_due, lambda at=address: organiser.get(at).json()["state"] == "done"
        )
    worker.wait_until_idle()
    worker.stop()
    assert worker.wait() == 0
    assert (Player.objects.count(), journalled_imports()) == (count + 100, 2)
    assert list(Upload.objects.order_by("pk").values_list("attempts", flat=True)) == [2, 1]
