"""`manage.py`: commands on files work without the settings of the service."""

import subprocess
from pathlib import Path

import pytest

from tests.processes import file_limit, run_python

NO_SERVICE = {"PATH": "/usr/bin:/bin", "PERIHELION_ENV": "production", "LANG": "C.UTF-8"}


def manage(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command where the service cannot start: SECRET_KEY is missing."""
    return run_python("manage.py", *arguments, environment=NO_SERVICE | environment)


@pytest.mark.parametrize(
    ("arguments", "output"),
    [
        (["referee", "deploy/samples/harbour-open/round1.rec"], "first wins"),
        (["pair", "--help"], "--system"),
        (["verify_journal", "--file", "/dev/null"], ""),
    ],
)
def test_a_command_on_files_runs_without_a_service(arguments: list[str], output: str) -> None:
    done = manage(*arguments)

    assert (done.returncode, done.stderr) == (0, "")
    assert output in done.stdout


def test_a_command_of_the_service_reports_the_missing_secret_key() -> None:
    done = manage("check")

    assert done.returncode == 1
    assert done.stderr.startswith("perihelion: SECRET_KEY is not set")


@pytest.mark.long
def test_an_empty_installation_names_the_command_to_migrate(tmp_path: Path) -> None:
    variables = {"PERIHELION_ENV": "", "STATE_DIR": str(tmp_path / "new" / "folder")}
    command = ("bundle", "export", "spring-open", str(tmp_path / "event.zip"))

    done = manage(*command, **variables)

    assert done.returncode == 1
    assert done.stderr.startswith("perihelion: database error: no such table")
    assert "manage.py migrate" in done.stderr


@pytest.mark.long
def test_a_full_disk_is_named(tmp_path: Path) -> None:
    with file_limit(0, bytes=100_000):
        done = manage("migrate", PERIHELION_ENV="", STATE_DIR=str(tmp_path))

    assert done.returncode == 1
    hint = "Free some space; `manage.py doctor` says where."
    assert done.stderr == f"perihelion: database error: disk I/O error. {hint}\n"


def test_a_database_without_tables_is_not_backed_up(tmp_path: Path) -> None:
    variables = {"PERIHELION_ENV": "", "STATE_DIR": str(tmp_path)}

    done = manage("backup", str(tmp_path / "monday"), **variables)

    assert (done.returncode, done.stderr) == (
        1,
        f"CommandError: the database {tmp_path / 'perihelion.sqlite3'} has no tables: set STATE_DIR"
        " and DATABASE_URL as the service has them.\n",
    )
    assert not (tmp_path / "monday").exists()


def test_an_absent_database_is_named_at_once_in_its_own_words(tmp_path: Path) -> None:
    address = "postgresql://nobody@127.0.0.1:1/nowhere"
    variables = {"PERIHELION_ENV": "", "STATE_DIR": str(tmp_path), "DATABASE_URL": address}

    done = manage("verify_journal", **variables, DATABASE_WAIT="1000")

    assert done.returncode == 1
    assert done.stderr.startswith("perihelion: database error: connection failed: ")
    assert "Check DATABASE_URL" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.long
def test_a_mail_server_that_does_not_respond_is_named_in_one_line(tmp_path: Path) -> None:
    variables = {"PERIHELION_ENV": "", "STATE_DIR": str(tmp_path)}

    done = manage("sendtestemail", "you@example.org", EMAIL_URL="smtp://127.0.0.1:1", **variables)

    assert done.returncode == 1
    assert done.stderr == (
        "perihelion: ConnectionRefusedError: [Errno 111] Connection refused: try `manage.py"
        " doctor`, or `--traceback` for more.\n"
    )


def test_the_migrations_have_what_the_models_declare(tmp_path: Path) -> None:
    variables = {"PERIHELION_ENV": "", "STATE_DIR": str(tmp_path)}

    done = manage("makemigrations", "--check", "--dry-run", **variables)

    assert (done.returncode, done.stdout) == (0, "No changes detected\n")
