"""`manage.py`: commands on files need nothing of the service, its own settings included."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.processes import ROOT

NO_SERVICE = {"PATH": "/usr/bin:/bin", "PERIHELION_ENV": "production", "LANG": "C.UTF-8"}


def manage(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """What a command does where the service itself could not start: there is no secret."""
    return subprocess.run(
        [sys.executable, "manage.py", *words],
        cwd=ROOT,
        env=NO_SERVICE | environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["referee", "deploy/samples/harbour-open/round1.rec"], "first wins"),
        (["standings", "deploy/samples/harbour-open/harbour-open.trf"], "Minamoto Aiko"),
        (["rate", "--help"], "--preset"),
        (["verify_certificate", "--help"], "Pair rounds again"),
    ],
)
def test_a_command_on_files_runs_without_a_service(words: list[str], said: str) -> None:
    done = manage(*words)

    assert (done.returncode, done.stderr) == (0, "")
    assert said in done.stdout


def test_a_command_of_the_service_says_what_is_missing() -> None:
    done = manage("check")

    assert done.returncode == 1
    assert done.stderr.startswith("perihelion: SECRET_KEY is not set")


def test_the_tables_can_be_made_where_nothing_is_yet(tmp_path: Path) -> None:
    place = {"PERIHELION_ENV": "", "STATE_DIR": str(tmp_path / "new" / "folder")}

    before = manage("bundle", "export", "spring-open", str(tmp_path / "it.zip"), **place)
    made = manage("migrate", **place)
    after = manage("bundle", "export", "spring-open", str(tmp_path / "it.zip"), **place)

    assert (before.returncode, made.returncode, after.returncode) == (1, 0, 1)
    assert before.stderr.startswith("perihelion: the database: no such table")
    assert "manage.py migrate" in before.stderr
    assert after.stderr == "CommandError: there is no tournament 'spring-open'\n"
