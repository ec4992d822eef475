"""Whose long task is next: the accounts take turns, and each has one that runs."""

from datetime import UTC, datetime, timedelta
from threading import Barrier, Thread

import pytest

from games.core import turns
from games.core.broker import connect
from games.core.turns import Due, TaskProgress, next_in_turn, run_in_turn, send_next
from tests.processes import eventually

pytestmark = pytest.mark.usefixtures("broker")

START = datetime(2026, 5, 1, tzinfo=UTC)
ACCOUNTS = {"A": 901, "B": 902, "-": None}


@pytest.fixture(autouse=True)
def nothing_began() -> None:
    """Forget the turns of other tests."""
    for pattern in ("perihelion:began:*", "perihelion:progress:*"):
        for key in connect().scan_iter(pattern):
            connect().delete(key)


def due(text: str) -> list[Due]:
    """Return rows by the letter of their account, in the order in which they were requested."""
    return [
        Due(name, f"task-of-{name[-1]}", number, ACCOUNTS[name[0]], START + timedelta(number))
        for number, name in enumerate(text.split())
    ]


def begin(row: Due | None) -> TaskProgress:
    assert row is not None
    progress = TaskProgress.begin(row.id, row.by)
    assert progress is not None
    return progress


@pytest.mark.parametrize(
    ("requested", "order"),
    [
        ("A1", "A1"),
        ("A1 A2 A3 B1", "A1 B1 A2 A3"),
        ("A1 A2 B1 B2", "A1 B1 A2 B2"),
        ("-1 -2 -3 B1", "-1 B1 -2 -3"),
        ("A1 -1 A2 -2 B1", "A1 -1 B1 A2 -2"),
    ],
)
def test_accounts_take_turns(requested: str, order: str) -> None:
    """A forecast and whatever else nobody with an account has asked for are one of them."""
    rows, found = due(requested), []
    while row := next_in_turn(rows):
        begin(row).end()
        found.append(row.id)
        rows.remove(row)
    assert " ".join(found) == order


def test_the_steps_of_forecasts_take_turns() -> None:
    rows, found = due("-1 -2"), []
    for _ in range(4):
        row = next_in_turn(rows)
        begin(row).end()
        found.append(row and row.id)
    assert found == ["-1", "-2", "-1", "-2"]


def test_one_task_of_an_account_runs_and_one_of_another() -> None:
    rows = due("A1 A2 B1 -1 -2")
    running = []
    while row := next_in_turn(rows):
        running.append((row.id, begin(row)))
    assert [name for name, _ in running] == ["A1", "B1", "-1", "-2"]
    running[0][1].end()
    row = next_in_turn(rows[1:])
    assert row == rows[1]
    for _, progress in running[1:]:
        progress.end()


def test_of_workers_that_begin_at_once_one_has_the_account() -> None:
    together, found = Barrier(8), []

    def work(number: int) -> None:
        together.wait()
        found.append(TaskProgress.begin(f"task-{number}", ACCOUNTS["A"]))

    threads = [Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (progress,) = filter(None, found)
    progress.end()
    assert [*connect().scan_iter("perihelion:progress:*")] == []


def test_a_lease_is_renewed_while_its_worker_lives(monkeypatch: pytest.MonkeyPatch) -> None:
    """A long step that says nothing of its progress keeps the account; a dead worker does not."""
    monkeypatch.setattr(turns, "RENEWAL", 0.01)
    progress = begin(due("A1")[0])
    keys = ["perihelion:progress:A1", "perihelion:progress:account-901"]
    connect().delete(*keys)
    eventually(lambda: connect().exists(*keys) == 2)
    assert all(0 < connect().ttl(key) <= turns.TASK_LEASE for key in keys)
    progress.end()
    assert not connect().exists(*keys)


def test_a_message_is_a_hint(monkeypatch: pytest.MonkeyPatch) -> None:
    """The task of another kind is sent; one of this kind is run, and then the next is sent."""
    rows = due("A1 A2 B1")
    sent: list[tuple[str, int]] = []
    done: list[int] = []
    monkeypatch.setattr(turns, "send_on_commit", lambda *message: sent.append(message))

    def run(number: int) -> None:
        begin(rows.pop(0)).end()
        done.append(number)

    run_in_turn("task-of-2", lambda: rows, run)
    assert (done, sent) == ([], [("task-of-1", 0)])
    run_in_turn("task-of-1", lambda: rows, run)
    assert (done, sent[1:]) == ([0], [("task-of-1", 2)])
    send_next([])
    assert len(sent) == 2
