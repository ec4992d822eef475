"""An import whose worker is killed in the middle, and one whose message is lost."""

import signal

import pytest

from games import tasks
from games.core.broker import connect
from games.models import JournalLine, Player, Upload
from tests.games.core.test_imports_worker import CSV, PATH, players
from tests.people import Person
from tests.processes import Worker, eventually, eventually_swept

pytestmark = [pytest.mark.processes, pytest.mark.long]


def journalled_imports() -> int:
    return JournalLine.objects.filter(kind="players.imported").count()


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
