"""`manage.py backup` and `restore`: one file with all rows, for either database."""

import json
import os
import re
import shutil
import subprocess
import sys
import threading
import zipfile
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyrage
import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.test import Client
from pytest_django import DjangoDbBlocker

from deploy.backup import (
    LOGINS,
    LONGEST_ROW,
    MANIFEST,
    Manifest,
    digest_of,
    opened_backup,
    restore_rows,
    write_backup,
)
from deploy.samples.lantern_masters import load_lantern_masters
from games.core.checks import failed_checks
from games.core.journal.lines import append_line
from games.models import Account, JournalHead, JournalLine, Message, Player
from ratings.models import Decision
from tests.api.one_of_each import Everything, make_everything
from tests.api.test_responses import load_rows
from tests.conftest import create_star_pool
from tests.deploy.documentation import blocks, page
from tests.events import make_event, make_players
from tests.people import make_person
from tests.processes import ROOT, Broker, file_limit
from tournament.entries.links import find_link, token_of
from tournament.exchange.bundle_file import write_bundle
from tournament.models import Entry, PersonalLink, Tournament

OTHER_KEY = "AGE-SECRET-KEY-1Z3N0FK72YU8JPZA2Y25S9ASPYTG3HXYERPL0M2FTG2CCSKR8QR8SNSLU20"
"""Of nobody."""


@pytest.fixture(scope="module")
def lantern(
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    """The backup of a finished and rated event."""
    path = tmp_path_factory.mktemp("lantern") / "lantern.backup"
    with django_db_blocker.unblock():
        create_star_pool()
        owner = make_person("Olga", is_staff=True)
        assert owner.account is not None
        load_lantern_masters(by=owner.account)
        write_backup(path)
        empty()
    return path


@pytest.fixture
def path(lantern: Path, transactional_db: None, tmp_path: Path) -> Path:
    """A copy of it, which a test may change; the database is empty."""
    return Path(shutil.copy(lantern, tmp_path))


@pytest.fixture
def everything(transactional_db: None) -> Everything:
    """An event with one object of each kind, and a table whose last row was deleted."""
    everything = make_everything()
    for _ in range(3):
        Message.objects.create(email="a@example.org", subject="é\u2028", text="\n")
    Message.objects.latest("pk").delete()
    return everything


def empty() -> None:
    """Delete all rows, as after the first `migrate`."""
    call_command("flush", interactive=False, verbosity=0)


def manage(state: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command of another installation, with an SQLite database in its folder."""
    variables = {
        "STATE_DIR": str(state),
        "DATABASE_URL": "",
        "SECRET_KEY": "x" * 10 + "abcdefghijkl" * 4,
    }
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env={**os.environ, **variables, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def manifest_of(path: Path, identity: Path | None = None) -> Manifest:
    with opened_backup(path, identity) as backup:
        return backup.manifest


def restore(path: Path, identity: Path | None = None) -> None:
    """Empty the database, and restore all rows."""
    empty()
    with opened_backup(path, identity) as backup:
        restore_rows(backup)


def test_rows_of_all_kinds_are_restored_as_they_were(
    everything: Everything, tmp_path: Path
) -> None:
    before, path, last = load_rows(), tmp_path / "all.backup", Message.objects.latest("pk").pk
    person, slug = everything.people["owner"], everything.event.tournament.slug
    link = token_of(PersonalLink.objects.earliest("pk"))
    exported = write_bundle(Tournament.objects.get(slug=slug))

    write_backup(path)
    restore(path)

    assert load_rows() == before | {label: [] for label in LOGINS}
    assert path.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [path]
    assert person.get("tokens").status_code == 200
    assert find_link(slug, link) is not None
    assert write_bundle(Tournament.objects.get(slug=slug)) == exported
    # The id of a deleted row does not return.
    assert Message.objects.create(email="a@example.org").pk == last + 2


def test_a_login_of_a_browser_is_not_in_it_nor_comes_back_from_an_older_one(
    tmp_path: Path, transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser, person = Client(), make_person("Olga")
    browser.force_login(person.account)
    assert browser.get("/account").status_code == 200
    write_backup(tmp_path / "a")
    with monkeypatch.context() as older:
        older.setattr("deploy.backup.LOGINS", ())
        write_backup(tmp_path / "older")

    with zipfile.ZipFile(tmp_path / "a") as archive:
        cookie = browser.cookies["sessionid"].value.encode()
        assert cookie not in b"".join(map(archive.read, archive.namelist()))
    for name in ("a", "older"):
        restore(tmp_path / name)
        assert browser.get("/account").status_code == 303
        assert person.get("tokens").status_code == 200


def test_the_data_of_a_service_for_others_is_not_flushed(db: None, settings: Any) -> None:
    make_person("Olga")
    settings.PRODUCTION = True

    with pytest.raises(CommandError, match="would be deleted, and PERIHELION_ENV is production"):
        empty()

    assert Account.objects.count() == 1


def rows_of(path: Path) -> dict[str, tuple[int | None, list[object]]]:
    """The last id and the rows of each table."""
    with opened_backup(path) as backup:
        tables = backup.manifest.tables.items()
        return {name: (table.last_id, list(backup.rows(name))) for name, table in tables}


@pytest.mark.long
def test_a_backup_goes_to_sqlite_and_back(everything: Everything, tmp_path: Path) -> None:
    path, away, back = tmp_path / "a", tmp_path / "away", tmp_path / "back"
    before = load_rows()
    write_backup(path)

    manage(away, "restore", str(path))
    again = manage(away, "backup", str(back))
    restore(back)

    assert (again.returncode, again.stderr) == (0, "")
    assert rows_of(back) == rows_of(path)
    assert load_rows() == before | {label: [] for label in LOGINS}


def test_the_commands_say_what_they_have_done(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("restore", str(path))
    heads = list(JournalHead.objects.order_by("stream").values_list())
    call_command("backup", str(tmp_path / "again"))

    rows = manifest_of(path).rows
    restored, verified, made = capsys.readouterr().out.splitlines()
    assert restored.startswith(f"{rows} rows as of 20")
    assert verified == "journals, rows and ratings are verified"
    assert made.startswith(f"{tmp_path / 'again'}: {rows} rows, SHA-256 ")
    assert made.endswith(sha256((tmp_path / "again").read_bytes()).hexdigest())
    assert manifest_of(tmp_path / "again").tables == manifest_of(path).tables
    assert heads


def test_a_backup_is_the_state_of_one_moment_while_others_write(
    transactional_db: None, tmp_path: Path
) -> None:
    ended, written = threading.Event(), threading.Semaphore(0)

    def write() -> None:
        number = 0
        while not ended.is_set():
            number += 1
            with transaction.atomic():
                append_line("test/busy", "test.written", {"number": number}, by=None)
            written.release()
        connection.close()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for number in range(5):
            assert written.acquire(timeout=60)
            write_backup(tmp_path / f"{number}")
        assert written.acquire(timeout=60)
    finally:
        ended.set()
        writer.join()

    last = JournalHead.objects.get().sequence
    for number in range(5):
        restore(tmp_path / f"{number}")
        call_command("verify_journal")
        sequences = list(
            JournalLine.objects.order_by("sequence").values_list("sequence", flat=True)
        )
        assert sequences == list(range(1, JournalHead.objects.get().sequence + 1))
        assert 1 <= len(sequences) < last


@pytest.mark.long
def test_a_check_proves_a_backup_and_changes_nothing(
    path: Path,
    capfd: pytest.CaptureFixture[str],
    broker: Broker,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Not even what the broker knows of the verifications of the service."""
    settings.REDIS_URL = broker.address
    monkeypatch.setenv("REDIS_URL", broker.address)
    before = load_rows()

    call_command("restore", "--check", str(path))

    said = capfd.readouterr().out
    assert said.startswith("a temporary database is filled, and nothing else changed\n")
    assert said.endswith("journals, rows and ratings are verified\n")
    assert load_rows() == before
    assert failed_checks() == {}


def test_secrets_of_another_installation_are_refused(
    path: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other"
    other.write_text("the-key-of-another-installation-50-characters-long\n")
    refused = f"{path} has a key that is not in {other}: name the file"

    with pytest.raises(CommandError, match=re.escape(refused)):
        call_command("restore", str(path), "--secrets", str(other))
    with pytest.raises(SystemExit, match="1"):
        call_command("restore", "--check", str(path), "--secrets", str(other))

    assert refused in capfd.readouterr().err
    assert not JournalHead.objects.exists()


@pytest.mark.parametrize("existing", ["secrets", "file"])
def test_a_backup_with_secrets_is_written_as_a_whole_or_not_at_all(
    everything: Everything, tmp_path: Path, existing: str
) -> None:
    (tmp_path / existing).write_text("kept")

    with pytest.raises(CommandError, match="exists already: choose another name"):
        call_command("backup", str(tmp_path / "file"), "--secrets", str(tmp_path / "secrets"))

    assert [each.name for each in tmp_path.iterdir() if each.is_file()] == [existing]
    assert (tmp_path / existing).read_text() == "kept"


def test_a_pool_that_was_due_for_a_run_is_no_difference(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    restore(path)
    owner = make_person("Otto")
    event = make_event(owner, slug="other", pool="star", rounds=1)
    event.enter(*Player.objects.order_by("pk")[:4])
    event.step("open", "start").play(1)
    event.step("review", "finalise")
    Decision.objects.filter(organiser=owner.account).delete()  # `make_event` writes no line for it
    write_backup(tmp_path / "due")

    empty()
    call_command("restore", str(tmp_path / "due"))

    _, due, verified = capsys.readouterr().out.splitlines()
    assert due == "star: due for a run, its ratings are compared after it"
    assert verified == "journals, rows and ratings are verified"


@pytest.mark.long
def test_a_check_finds_all_that_was_broken_before_the_backup(
    path: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    restore(path)
    JournalLine.objects.filter(sequence=2).update(kind="other")
    Entry.objects.filter(ordinal=1).update(club="another")
    write_backup(tmp_path / "broken")
    before = load_rows()

    with pytest.raises(SystemExit, match="1"):
        call_command("restore", "--check", str(tmp_path / "broken"))

    found = "all rows are restored, but verify_journal finds what was so when the backup was made"
    said = capfd.readouterr().err
    assert f"CommandError: {found}: " in said
    assert "entry 1: club is another, the journal has " in said
    assert "\nverify_state finds what was so when the backup was made: " in said
    assert load_rows() == before


def test_an_encrypted_backup_needs_its_key(path: Path, tmp_path: Path) -> None:
    restore(path)
    before, secret, key = load_rows(), tmp_path / "secret.backup", tmp_path / "key.txt"
    identity = pyrage.x25519.Identity.generate()
    key.write_text(f"# created: today\n{identity}\n")

    call_command("backup", str(secret), "--recipient", str(identity.to_public()))
    restore(secret, key)

    assert load_rows() == before
    assert secret.read_bytes().startswith(b"age-encryption.org/v1\n")
    assert pyrage.decrypt(secret.read_bytes(), [identity]).startswith(b"PK")


def test_the_secret_key_is_in_a_file_of_its_own_and_only_on_request(
    path: Path,
    tmp_path: Path,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    secrets, again, key = tmp_path / "keys", tmp_path / "again", settings.SECRET_KEY
    other = "the key of another installation, 50 characters long"
    settings.SECRET_KEY_FILE = tmp_path / "secret-key"
    monkeypatch.delenv("SECRET_KEY", raising=False)

    call_command("backup", str(again), "--secrets", str(secrets))
    settings.SECRET_KEY = other
    call_command("restore", str(path))
    without = capsys.readouterr().out
    empty()
    call_command("restore", str(path), "--secrets", str(secrets))

    with zipfile.ZipFile(again) as archive:
        assert key.encode() not in b"".join(archive.read(name) for name in archive.namelist())
    assert secrets.read_text().split()[0] == key
    assert secrets.stat().st_mode & 0o777 == 0o600
    assert "SECRET_KEY is not that of the backup: " in without
    assert "SECRET_KEY" not in capsys.readouterr().out
    assert settings.SECRET_KEY_FILE.read_text().strip() == key


def truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-3000])


def altered(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def rewritten(path: Path, member: str, change: Callable[[bytes], bytes]) -> None:
    """Change a member as somebody does who knows zip files."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    members[member] = change(members[member])
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)


def other_row(path: Path) -> None:
    member = "tables/tournament.Tournament.jsonl"
    rewritten(path, member, lambda rows: rows.replace(b"Lantern", b"Lamp"))


def other_manifest(is_signed: bool = True, **changes: object) -> Callable[[Path], None]:
    """Change what the manifest says, and its digest, too, unless that is left as it was."""

    def change(text: bytes) -> bytes:
        manifest = json.loads(text)
        return signed(manifest | changes) if is_signed else json.dumps(manifest | changes).encode()

    return lambda path: rewritten(path, MANIFEST, change)


def signed(manifest: dict[str, Any]) -> bytes:
    """A manifest with the digest of what it says now."""
    content = {name: value for name, value in manifest.items() if name != "sha256"}
    return json.dumps({**content, "sha256": digest_of(content)}).encode()


def other_columns(path: Path) -> None:
    def change(text: bytes) -> bytes:
        manifest = json.loads(text)
        manifest["version"] = "0.2.0"
        manifest["tables"]["games.Player"]["columns"].append("shoe_size")
        return signed(manifest)

    rewritten(path, MANIFEST, change)


def foreign_zip(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("holiday.txt", "sun")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (truncated, "cannot be read (File is not a zip file): it is no backup, or it is not"),
        (altered, "take another one."),
        (other_row, "was changed after it was made (rows of tournament.Tournament): take another"),
        (other_manifest(format=2), "is no backup that this version ("),
        (other_manifest(tables={"games.Player": {"rows": 1}}), "cannot be read ("),
        (other_manifest(False, version="0.0.9"), "was changed after it was made (manifest.json)"),
        (other_columns, "was made by version 0.2.0, whose tables differ from those of this"),
        (foreign_zip, "is no backup of Perihelion: name a file that `backup` has written."),
        (lambda path: path.write_text("age-encryption.org/v1\n"), "is encrypted: name the file"),
        (Path.unlink, "cannot be read: No such file or directory."),
        (lambda path: (path.unlink(), path.mkdir()), "cannot be read: Is a directory."),
    ],
)
def test_a_bad_file_is_refused_in_one_line_and_nothing_is_changed(
    path: Path, change: Callable[[Path], object], reason: str
) -> None:
    change(path)
    before = load_rows()

    with pytest.raises(CommandError) as refused:
        call_command("restore", str(path))

    assert reason in str(refused.value)
    assert "\n" not in str(refused.value)
    assert load_rows() == before


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (b'"game": ', b'"game": 99', "the rows of all tables cannot be stored: "),
        (b'"version": ', b'"version": 1' + b"0" * 30, "the rows of games.Report cannot be stored"),
        (b'"version": ', b'"version": 1e999, "x": ', "the rows of games.Report cannot be stored"),
        (b"{", b" " * LONGEST_ROW + b"{", "has a row of games.Report with more than 48 MiB"),
    ],
)
def test_a_row_that_the_database_refuses_leaves_nothing(
    path: Path, old: bytes, new: bytes, reason: str
) -> None:
    """A backup whose author has computed its digests anew."""
    member = "tables/games.Report.jsonl"
    with zipfile.ZipFile(path) as archive:
        rows = archive.read(member)
        manifest = json.loads(archive.read(MANIFEST))
    other = rows.replace(old, new, 1)
    assert other != rows
    manifest["tables"]["games.Report"]["sha256"] = sha256(other).hexdigest()
    rewritten(path, member, lambda _: other)
    rewritten(path, MANIFEST, lambda _: signed(manifest))
    before = load_rows()

    with pytest.raises(CommandError, match=re.escape(reason)) as refused:
        call_command("restore", str(path))

    assert "\n" not in str(refused.value)
    assert load_rows() == before


@pytest.mark.parametrize("end", [100, -1])
def test_an_encrypted_file_that_is_not_complete_is_refused(
    lantern: Path, transactional_db: None, tmp_path: Path, end: int
) -> None:
    path, key = tmp_path / "a", tmp_path / "key"
    identity = pyrage.x25519.Identity.from_str(OTHER_KEY)
    key.write_text(OTHER_KEY)
    path.write_bytes(pyrage.encrypt(lantern.read_bytes(), [identity.to_public()])[:end])

    with pytest.raises(CommandError, match="cannot be decrypted"):
        call_command("restore", str(path), "--identity", str(key))


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (OTHER_KEY, "cannot be decrypted .*: name the file of another key."),
        ("", "has no private key: name a file of `age-keygen`."),
        ("\0\xff" * 99, "has no private key"),
    ],
)
def test_a_wrong_key_is_refused(
    transactional_db: None, tmp_path: Path, content: str, reason: str
) -> None:
    path, key = tmp_path / "a", tmp_path / "key"
    write_backup(path, [str(pyrage.x25519.Identity.generate().to_public())])
    key.write_text(content)

    with pytest.raises(CommandError, match=reason):
        call_command("restore", str(path), "--identity", str(key))


def test_an_installation_with_data_is_left_as_it_is(path: Path) -> None:
    restore(path)
    before = load_rows()

    with pytest.raises(CommandError, match="an empty installation only, and this one has data"):
        call_command("restore", str(path))

    assert load_rows() == before


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["{there}"], "exists already: choose another name"),
        (["{folder}/none/file"], "cannot be written: No such file or directory"),
        (["{folder}/new", "--recipient", "age1nonsense"], "'age1nonsense' is no public key"),
        (["{folder}/new", "--recipient", ""], "'' is no public key"),
    ],
)
def test_a_backup_that_cannot_be_written_leaves_nothing(
    transactional_db: None, tmp_path: Path, arguments: list[str], reason: str
) -> None:
    there = tmp_path / "there"
    there.write_text("mine")
    texts = [text.format(there=there, folder=tmp_path) for text in arguments]

    with pytest.raises(CommandError, match=reason):
        call_command("backup", *texts)

    assert list(tmp_path.iterdir()) == [there]
    assert there.read_text() == "mine"


@pytest.mark.parametrize("recipients", [[], [OTHER_KEY]])
def test_a_backup_on_a_full_disk_leaves_nothing(
    path: Path, tmp_path: Path, recipients: list[str]
) -> None:
    restore(path)
    folder = tmp_path / "full"
    folder.mkdir()
    keys = [str(pyrage.x25519.Identity.from_str(key).to_public()) for key in recipients]

    with file_limit(0, bytes=10_000), pytest.raises(CommandError, match="cannot be written: "):
        call_command("backup", str(folder / "a"), *(f"--recipient={key}" for key in keys))

    assert list(folder.iterdir()) == []


@pytest.mark.django_db
def test_a_broken_line_is_found_and_mended_by_the_sql_of_its_page() -> None:
    make_event(make_person("Olga"), slug="spring-open").step("open")
    line = JournalLine.objects.get(stream="tournament/spring-open", sequence=2)
    actor = line.actor
    found, mended = blocks(page("howto/emergencies.md"), "sql").split(";\n")[:2]
    JournalLine.objects.filter(pk=line.pk).update(actor="account/0")

    with connection.cursor() as cursor:
        cursor.execute(found)
        names = [column[0] for column in cursor.description]
        row = dict(zip(names, cursor.fetchone(), strict=True))
        assert (row["actor"], row["digest"]) == ("account/0", line.digest)
        assert row["line_id"] == line.pk
        cursor.execute(mended.replace("account/1", actor))
    line.refresh_from_db()
    assert line.actor == actor


@pytest.mark.django_db
def test_a_changed_entry_is_mended_by_the_sql_of_its_page() -> None:
    entries = make_event(make_person("Olga"), slug="spring-open").enter(*make_players(12))
    mended = blocks(page("howto/emergencies.md"), "sql").split(";\n")[2]

    with connection.cursor() as cursor:
        cursor.execute(mended)

    assert Entry.objects.get(seed_rating=1908) == entries[11]
