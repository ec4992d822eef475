"""Upgrades: what a program says of the tables of an older, a newer and an unknown version."""

import os
import re
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from deploy import __version__
from deploy.backup import opened_backup
from tests.processes import ROOT, free_port

SETTINGS = """
from deploy.settings import *
VERSION = "9.9.9"
MIGRATION_MODULES = {**MIGRATION_MODULES, "games": "later_migrations"}
"""
MIGRATIONS = sorted((ROOT / "games/migrations").glob("0*.py"))
LATER = f"""
from django.db import migrations, models
class Migration(migrations.Migration):
    dependencies = [("games", "{MIGRATIONS[-1].stem}")]
    operations = [migrations.AddField("account", "later", models.IntegerField(null=True))]
"""


KEPT = sorted((Path(__file__).parent / "data").glob("*.backup"))
"""A backup of each release, which `make release-data` has written."""

HEADS = "games.JournalHead"


class Installation:
    """An installation that this version and a later one use in turn."""

    def __init__(self, folder: Path, database: str) -> None:
        if database:  # the tests of this file share it
            with psycopg.connect(database) as connection:
                connection.execute("DROP SCHEMA public CASCADE")
                connection.execute("CREATE SCHEMA public")
        self.variables = {"STATE_DIR": str(folder / "var"), "DATABASE_URL": database}
        modules = folder / "modules"
        for name, text in {
            "later_settings.py": SETTINGS,
            "later_migrations/__init__.py": "",
            **{f"later_migrations/{path.name}": path.read_text() for path in MIGRATIONS},
            "later_migrations/9999_later.py": LATER,
        }.items():
            (modules / name).parent.mkdir(exist_ok=True, parents=True)
            (modules / name).write_text(text)
        self.later = {"DJANGO_SETTINGS_MODULE": "later_settings", "PYTHONPATH": f"{modules}:{ROOT}"}

    def run(self, *command: str, is_later: bool = False, **names: str) -> tuple[int, str]:
        """Run a command of this version or the later one; the exit status and what it prints."""
        variables = self.variables | (self.later if is_later else {}) | names
        done = subprocess.run(
            [sys.executable, "manage.py", *command],
            cwd=ROOT,
            env=os.environ | variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout

    def change(self, statement: str) -> None:
        """Run a statement in the database."""
        text = f"from django.db import connection as c; c.cursor().execute({statement!r})"
        assert self.run("shell", "-v0", "-c", text) == (0, "")


@pytest.fixture
def installation(tmp_path: Path, database: str) -> Installation:
    """The tables of this version."""
    found = Installation(tmp_path, database)
    assert found.run("migrate", "-v0") == (0, "")
    return found


@pytest.mark.long  # a migration is final, and its fault costs, only once it is released
@pytest.mark.parametrize("kept", KEPT, ids=[path.stem for path in KEPT])
def test_the_data_of_a_release_is_upgraded(kept: Path, database: str, tmp_path: Path) -> None:
    """By the restoration of its backup, which creates the tables of its version."""
    installation = Installation(tmp_path, database)
    with opened_backup(kept) as backup:
        rows = backup.manifest.rows
        heads = {line["pk"]: line["fields"] for line in backup.rows(HEADS)}

    status, said = installation.run("restore", str(kept), is_later=True)

    assert (status, said.splitlines()[0].split(" as of ")[0]) == (0, f"{rows} rows"), said
    assert said.endswith("journals, rows and ratings are verified\n")
    again = tmp_path / "again.backup"
    assert installation.run("backup", str(again), is_later=True)[0] == 0
    with opened_backup(again) as backup:
        found = {line["pk"]: line["fields"] for line in backup.rows(HEADS)}
    assert {stream: found[stream] for stream in heads} == heads


@pytest.mark.long
def test_a_backup_of_a_later_version_is_refused(database: str, tmp_path: Path) -> None:
    installation, later = Installation(tmp_path, database), tmp_path / "later.backup"
    assert installation.run("migrate", "-v0", is_later=True) == (0, "")
    assert installation.run("backup", str(later), is_later=True)[0] == 0

    status, said = installation.run("restore", str(later))

    assert (status, "is newer than this one" in said) == (1, True), said


def test_each_release_has_kept_its_data() -> None:
    released = re.findall(r"^## ([\d.]+) – ", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M)

    assert sorted(path.stem for path in KEPT) == sorted(released)
    assert (__version__ in released) == ("dev" not in __version__)


def schema_line(output: str) -> str:
    """What `doctor` says of the tables."""
    return next(
        line.partition(" ")[2].strip() for line in output.splitlines() if line.startswith("schema")
    )


@pytest.mark.long
def test_tables_of_before_the_first_release_are_refused(installation: Installation) -> None:
    wrong = (
        "the tables are not those of this version (games_player.title): the database was made"
        " before the first release and cannot be upgraded. Set another STATE_DIR or DATABASE_URL,"
        " and import events from their bundles."
    )
    installation.change("ALTER TABLE games_player ADD COLUMN title text")

    assert schema_line(installation.run("doctor")[1]) == wrong
    assert installation.run("migrate") == (1, f"CommandError: {wrong}\n")
    assert installation.run("migrate", is_later=True) == (1, f"CommandError: {wrong}\n")
    assert installation.run("run", "web") == (1, f"perihelion: {wrong}\n")
    assert installation.run("up") == (1, f"perihelion: {wrong}\n")

    installation.change("ALTER TABLE games_player DROP COLUMN title")


@pytest.mark.long
def test_tables_are_created_upgraded_and_then_refused_by_the_older_program(
    installation: Installation,
) -> None:
    missing = (
        "the tables are older than this version (games.9999_later is missing): run 'manage.py"
        " migrate' or 'manage.py up'."
    )
    newer = (
        f"the database is of a newer version than this program, {__version__} (it has"
        " games.9999_later): run the newer version, or restore a backup of this one."
    )
    assert schema_line(installation.run("doctor")[1]) == "ok"
    assert schema_line(installation.run("doctor", is_later=True)[1]) == missing
    assert installation.run("run", "beat", is_later=True) == (1, f"perihelion: {missing}\n")
    plan = installation.run("migrate", "--plan", is_later=True)[1]
    assert "games.9999_later\n    Add field later to account" in plan

    # It has migrated when it finds that there is no place for the files of the pages.
    variables = {"STATIC_ROOT": "/proc/none", "PORT": str(free_port())}
    started = installation.run("up", is_later=True, **variables)[1].splitlines()
    upgraded = "perihelion: the database is upgraded: games.9999_later (Add field later to account)"
    assert started[0].startswith("perihelion: version 9.9.9 starts: ")
    assert started[1] == upgraded
    assert installation.run("migrate", "-v0", is_later=True) == (0, "")

    assert schema_line(installation.run("doctor", is_later=True)[1]) == "ok"
    assert schema_line(installation.run("doctor")[1]) == newer
    assert installation.run("migrate") == (1, f"CommandError: {newer}\n")
    assert installation.run("run", "beat") == (1, f"perihelion: {newer}\n")
    assert installation.run("up") == (1, f"perihelion: {newer}\n")
    assert schema_line(installation.run("doctor", is_later=True)[1]) == "ok"


@pytest.mark.long
def test_tables_with_data_are_not_changed_back(installation: Installation) -> None:
    refused = "CommandError: the tables cannot be changed back, their data would be deleted: "
    account = ("createsuperuser", "--noinput", "--email", "ann@example.org")
    assert installation.run("migrate", "-v0", is_later=True) == (0, "")
    assert installation.run(*account, is_later=True)[0] == 0

    status, said = installation.run("migrate", "games", "zero", is_later=True)

    assert (status, said.startswith(refused), said.count("\n")) == (1, True, 1)
    assert schema_line(installation.run("doctor", is_later=True)[1]) == "ok"
