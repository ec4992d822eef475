"""Child processes: restarts with growing pauses, whatever prevents a child from starting."""

from pathlib import Path
from typing import Any

import pytest

from deploy import processes
from deploy.broken_children import load_broken_children, store_broken_children
from deploy.processes import Child, Children
from tests.processes import file_limit


@pytest.mark.parametrize(
    ("runs", "pauses"),
    [
        pytest.param([1], [0], id="once"),
        pytest.param([1] * 10, [0, 0.5, 1, 2, 4, 8, 16, 30, 30, 30], id="cannot start"),
        pytest.param([1, 1, 1, 10, 1], [0, 0.5, 1, 0, 0.5], id="had started"),
    ],
)
def test_the_pause_before_a_restart(runs: list[float], pauses: list[float]) -> None:
    """Each run is the seconds from a start to the death."""
    child = Child("worker", [], Path("worker.log"), Path())
    now, seen = 0.0, []
    for seconds in runs:
        child.started_at = now
        now += seconds
        seen.append(child.note_death(now))
        now += seen[-1]

    assert seen == pauses


@pytest.fixture
def messages() -> list[str]:
    return []


@pytest.fixture
def children(messages: list[str], monkeypatch: Any, settings: Any, tmp_path: Path) -> Any:
    """Children whose pauses are short."""
    monkeypatch.setattr(processes, "PAUSES", (0.0, 0.01))
    monkeypatch.setattr(processes, "STARTED_AFTER", 2.0)  # a busy machine takes a while
    settings.STATE_DIR = tmp_path
    store_broken_children({})
    children = Children(messages.append, store_broken_children)
    yield children
    children.stop()


@pytest.mark.parametrize(
    ("program", "cause"),
    [
        ("#!/bin/sh\necho Error: no space; exit 3", "died (status 3)"),
        (None, "cannot be started ([Errno 2] No such file or directory: "),
    ],
)
def test_a_child_that_cannot_start_stops_no_other_and_starts_when_it_can(
    program: str | None, cause: str, children: Children, messages: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "program"
    if program:
        write_program(path, program)
    other = Child("other", ["sleep", "60"], tmp_path / "other.log", tmp_path)
    broken = Child("broken", [str(path)], tmp_path / "broken.log", tmp_path)
    children.start(other)
    children.start(broken)

    children.watch_until(lambda: broken.deaths > 5)

    assert other.status is None
    assert load_broken_children().keys() == {"broken"}
    assert load_broken_children()["broken"] >= 5
    assert messages[0].startswith(f"the broken {cause}")
    if program:
        again = "2 times in a row, and is restarted in 0.01 s; last error: Error: no space"
        assert [again in message for message in messages].count(True) == 1

    write_program(path, "#!/bin/sh\nexec sleep 60")
    children.watch_until(lambda: load_broken_children() == {})
    assert (broken.status, other.status) == (None, None)


def write_program(path: Path, text: str) -> None:
    draft = path.with_suffix(".new")  # a file that is open for writing cannot be executed
    draft.write_text(text)
    draft.chmod(0o700)
    draft.rename(path)


def test_on_a_full_disk_children_start_and_logs_stay_and_broken_children_are_stored(
    children: Children, tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.setattr(processes, "LARGEST_LOG", 10_000)
    (tmp_path / "large.log").write_bytes(b"x" * 10_001)
    with_log = Child("with log", ["sleep", "60"], tmp_path / "large.log", tmp_path)
    without_log = Child("without log", ["sleep", "60"], Path("/proc/new.log"), tmp_path)

    with file_limit(0, bytes=4096):
        children.start(with_log)
        children.start(without_log)
        store_broken_children({"worker": 7})

    assert (with_log.status, without_log.status) == (None, None)
    assert with_log.log.stat().st_size == 10_001
    assert load_broken_children() == {"worker": 7}
