"""A backup: one file with all rows of the database as they were at one moment.

It is made in one transaction that sees a single state of the database (REPEATABLE READ on
PostgreSQL, a read transaction of SQLite's WAL mode), while the service runs and writes. The file is
a zip archive with one member for each table, whose lines are the rows as Django's serializer gives
them, and `manifest.json` with the columns, the number and the SHA-256 of the rows of each table,
and a SHA-256 of all this. The digests find what was damaged or edited, not what somebody has
computed anew. The file belongs to no database: what SQLite has stored can be restored into
PostgreSQL, and back. Logins of browsers are left out: who reads the file must not be able to use
one.

Encrypted backups are files of age (https://age-encryption.org), made and read by pyrage.
"""

import hashlib
import json
import os
import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime, time
from itertools import chain, islice
from pathlib import Path
from typing import IO, Any, Final

import pyrage
from django.apps import apps
from django.apps.registry import Apps
from django.conf import settings
from django.core import serializers
from django.core.exceptions import FieldDoesNotExist, ValidationError
from django.core.management import call_command
from django.core.serializers.json import DjangoJSONEncoder
from django.db import DatabaseError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import AutoField, Model
from django.utils.crypto import salted_hmac

from games.models import Account, JournalLine
from games.models.bulk import BATCH_SIZE, update_statistics

FORMAT: Final = 1
MANIFEST: Final = "manifest.json"
LARGEST_MANIFEST: Final = 1 << 20  # bytes; it grows with the tables, not with the rows
BLOCK: Final = 1 << 20  # bytes
BATCH_BYTES: Final = 4 << 20  # after which a batch of rows ends
LONGEST_ROW: Final = max(48 << 20, 3 * settings.LARGEST_BUNDLE // 2)
"""Bytes of the line of a row; the longest have a file of LARGEST_BUNDLE bytes in base64."""
AGE: Final = b"age-encryption.org/"
LOGINS: Final = ("sessions.Session", "usersessions.UserSession")
"""The tables whose keys are the cookies of browsers that are logged in: they have no rows."""
UNREADABLE: Final = (
    zipfile.BadZipFile, zlib.error, EOFError, AttributeError, KeyError, TypeError, ValueError,
    NotImplementedError, OverflowError, RecursionError, RuntimeError,
)  # fmt: skip
"""What is raised for an archive or a line that is not as it was written."""


class BackupError(Exception):
    """What is wrong with a backup and what to do, in one sentence."""


@dataclass(frozen=True, slots=True)
class Table:
    """What a backup says of a table; `last_id` is the last number that its ids have reached."""

    columns: list[str]
    rows: int
    sha256: str
    last_id: int | None


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a backup says of itself; `key` tells whether SECRET_KEY is the same."""

    format: int
    version: str
    made_at: str
    key: str
    migrations: list[list[str]]
    tables: Mapping[str, Table]

    @property
    def rows(self) -> int:
        """Return the number of all rows."""
        return sum(table.rows for table in self.tables.values())


class ExactEncoder(DjangoJSONEncoder):
    """Django's JSON, with the microseconds of a time, which digests of the journal depend on."""

    def default(self, o: Any) -> Any:
        """Return what JSON has for a value."""
        return o.isoformat() if isinstance(o, datetime | date | time) else super().default(o)


# --- Writing ----------------------------------------------------------------------------------


def write_backup(path: Path, recipients: Sequence[str] = ()) -> tuple[Manifest, str]:
    """Write a backup to a new file; return its manifest and the SHA-256 of the file.

    Until it is complete, it has another name, and nothing of it stays after an error.
    """
    if not connection.introspection.table_names():
        name = connection.settings_dict["NAME"]
        hint = "set STATE_DIR and DATABASE_URL as the service has them."
        raise BackupError(f"the database {name} has no tables: {hint}")
    with new_file(path, recipients) as file:
        manifest = write_archive(file)
    with path.open("rb") as written:
        return manifest, hashlib.file_digest(written, "sha256").hexdigest()


def write_archive(file: IO[bytes]) -> Manifest:
    """Write all rows and the manifest, which comes last: without it an archive is not complete."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive, one_state():
        manifest = Manifest(
            format=FORMAT,
            version=settings.VERSION,
            made_at=datetime.now(UTC).isoformat(timespec="seconds"),
            key=key_of(settings.SECRET_KEY),
            migrations=applied_migrations(),
            tables={label: write_table(archive, label) for label in models_by_label()},
        )
        content = asdict(manifest)
        content["sha256"] = digest_of(content)
        archive.writestr(MANIFEST, json.dumps(content, indent=1))
    return manifest


def digest_of(content: Mapping[str, Any]) -> str:
    """Return the SHA-256 of what a manifest says."""
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def write_secrets(path: Path, recipients: Sequence[str] = ()) -> None:
    """Write the secret keys of the service to a file of their own."""
    with new_file(path, recipients) as file:
        keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
        file.write("".join(f"{key}\n" for key in keys).encode())


@contextmanager
def one_state() -> Iterator[None]:
    """Let all queries see the database as it is at the first one, without locking anything."""
    if connection.vendor == "postgresql":
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield
        return
    with connection.cursor() as cursor:
        cursor.execute("BEGIN DEFERRED")  # `atomic` would begin IMMEDIATE, and stop all writers
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")


def write_table(archive: zipfile.ZipFile, label: str) -> Table:
    """Write the rows of a model as one member; return what the manifest says of it."""
    model = models_by_label()[label]
    digest, count, columns = hashlib.sha256(), 0, columns_of(model)
    kept = model._base_manager.none() if label in LOGINS else model._base_manager.order_by("pk")
    rows = kept.iterator(BATCH_SIZE)
    with archive.open(member_of(label), "w", force_zip64=True) as member:
        while batch := list(islice(rows, BATCH_SIZE)):
            objects = serializers.serialize("python", batch, fields=columns)
            text = "".join(
                json.dumps(each, cls=ExactEncoder, ensure_ascii=False) + "\n" for each in objects
            ).encode()
            member.write(text)
            digest.update(text)
            count += len(batch)
    return Table(columns, count, digest.hexdigest(), last_id(model))


@contextmanager
def new_file(path: Path, recipients: Sequence[str]) -> Iterator[IO[bytes]]:
    """Open a file that appears under its name when it is complete."""
    keys = [read_recipient(text) for text in recipients]
    if path.exists():
        raise BackupError(f"{path} exists already: choose another name.")
    try:
        with tempfile.NamedTemporaryFile(
            dir=path.parent, prefix=f"{path.name}.", suffix=".part", delete=False
        ) as file:
            part = Path(file.name)  # mode 0600
            try:
                with encrypted(file, keys) if keys else nullcontext(file) as target:
                    yield target
                file.flush()
                os.fsync(file.fileno())
                part.rename(path)
            except BaseException:  # also an interrupt: no half file stays
                part.unlink(missing_ok=True)
                raise
    except (OSError, pyrage.EncryptError) as error:
        reason = getattr(error, "strerror", None) or error
        raise BackupError(f"{path} cannot be written: {reason}.") from error


@contextmanager
def encrypted(target: IO[bytes], keys: Sequence[Any]) -> Iterator[IO[bytes]]:
    """Encrypt what is written, for all keys; pyrage reads it from a pipe in a thread."""
    reader, writer = os.pipe()

    def encrypt() -> None:
        with os.fdopen(reader, "rb") as source:  # closed after an error: the writer must not wait
            pyrage.encrypt_io(source, target, keys)

    with ThreadPoolExecutor(1) as thread:
        done = thread.submit(encrypt)
        try:
            with os.fdopen(writer, "wb") as file:
                yield file
        except BrokenPipeError:
            done.result()
            raise
        done.result()


# --- Reading ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup whose members have the digests of its manifest."""

    archive: zipfile.ZipFile
    manifest: Manifest

    def rows(self, label: str) -> Iterator[dict[str, Any]]:
        """Yield the rows of a table as Django's deserializer takes them."""
        return chain.from_iterable(self.batches(label))

    def batches(self, label: str) -> Iterator[list[dict[str, Any]]]:
        """Yield the rows of a table in batches that need little memory, whatever the file has."""
        batch, size = [], 0
        with self.archive.open(member_of(label)) as member:
            while line := member.readline(LONGEST_ROW + 1):
                if len(line) > LONGEST_ROW:
                    limit = f"more than {LONGEST_ROW >> 20} MiB"
                    raise BackupError(
                        f"has a row of {label} with {limit}, which no backup has: take another one."
                    )
                batch.append(json.loads(line))
                size += len(line)
                if len(batch) == BATCH_SIZE or size > BATCH_BYTES:
                    yield batch
                    batch, size = [], 0
        yield batch


@contextmanager
def opened_backup(path: Path, identities: Path | None = None) -> Iterator[Backup]:
    """Open a backup and compare all that it contains with its manifest."""
    with decrypted(path, identities) as file:
        try:
            with zipfile.ZipFile(file) as archive:
                manifest = read_manifest(archive)
                for label, table in manifest.tables.items():
                    check_member(archive, label, table)
                yield Backup(archive, manifest)
        except BackupError as error:
            raise BackupError(f"{path} {error}") from error
        except UNREADABLE as error:
            hint = "it is no backup, or it is not complete: take another one."
            raise BackupError(f"{path} cannot be read ({error}): {hint}") from error


@contextmanager
def decrypted(path: Path, identities: Path | None) -> Iterator[IO[bytes]]:
    """Open a file; a file of age is decrypted into a temporary one that has no name."""
    try:
        with path.open("rb") as source:
            is_encrypted = source.read(len(AGE)) == AGE
            source.seek(0)
            if not is_encrypted:
                yield source
                return
            keys = read_identities(path, identities)
            with tempfile.TemporaryFile() as file:
                try:
                    pyrage.decrypt_io(source, file, keys)
                except pyrage.DecryptError as error:
                    raise BackupError(
                        f"{path} cannot be decrypted ({error}): name the file of another key."
                    ) from error
                except OSError as error:
                    if error.errno:
                        raise
                    hint = "it is damaged or not complete: take another one."
                    raise BackupError(f"{path} cannot be decrypted: {hint}") from error
                file.seek(0)
                yield file
    except OSError as error:
        raise BackupError(f"{path} cannot be read: {error.strerror or error}.") from error


def read_secrets(path: Path, identities: Path | None = None) -> list[str]:
    """Return the secret keys of a file that `write_secrets` has written, the present one first."""
    with decrypted(path, identities) as file:
        keys = file.read(BLOCK).decode("utf-8", "replace").split()
    if not keys or min(map(len, keys)) < 32:
        raise BackupError(f"{path} has no secret keys: name a file of `backup --secrets`.")
    return keys


def read_manifest(archive: zipfile.ZipFile) -> Manifest:
    """Return the manifest of an archive."""
    if MANIFEST not in archive.namelist():
        raise BackupError("is no backup of Perihelion: name a file that `backup` has written.")
    with archive.open(MANIFEST) as member:
        content = json.loads(member.read(LARGEST_MANIFEST))
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise BackupError(
            f"is no backup that this version ({settings.VERSION}) can read: take the version that"
            " has made it."
        )
    if content.pop("sha256", None) != digest_of(content):
        raise BackupError(f"was changed after it was made ({MANIFEST}): take another one.")
    tables = {label: Table(**table) for label, table in content.pop("tables").items()}
    return Manifest(**content, tables=tables)


def check_member(archive: zipfile.ZipFile, label: str, table: Table) -> None:
    """Raise BackupError unless a member has the rows of which the manifest speaks."""
    digest, lines = hashlib.sha256(), 0
    with archive.open(member_of(label)) as member:
        while block := member.read(BLOCK):
            digest.update(block)
            lines += block.count(b"\n")
    if (digest.hexdigest(), lines) != (table.sha256, table.rows):
        raise BackupError(f"was changed after it was made (rows of {label}): take another one.")


# --- Restoring --------------------------------------------------------------------------------


def restore_rows(backup: Backup) -> None:
    """Create the tables, and store all rows in one transaction; the installation must be empty.

    Logins of browsers, which backups of older versions have, are left out.
    The backup of an older version gets the tables of that version, which are then upgraded.
    """
    older = older_migrations(backup.manifest)
    models = models_by_label(MigrationLoader(None).project_state(older).apps if older else apps)
    check_schema(backup.manifest, models)
    check_empty()
    if older:
        MigrationExecutor(connection).migrate(older)
    else:
        call_command("migrate", interactive=False, verbosity=0)
    label = ""
    try:
        with transaction.atomic():
            check_empty()  # now that nothing else can write
            # An older version has tables that this one does not know and that refer to others.
            call_command(
                "flush",
                interactive=False,
                inhibit_post_migrate=True,
                allow_cascade=True,
                verbosity=0,
            )
            for label, model in models.items():
                if label not in LOGINS:
                    store_rows(model, backup.batches(label))
                set_last_id(model, backup.manifest.tables[label].last_id)
            label = "all tables"
            connection.check_constraints()
    except (DatabaseError, FieldDoesNotExist, ValidationError, *UNREADABLE) as error:
        reason = " ".join(str(error).split())
        raise BackupError(f"the rows of {label} cannot be stored: {reason}") from error
    if older:
        call_command("migrate", interactive=False, verbosity=0)
    update_statistics(*models_by_label().values())


def older_migrations(manifest: Manifest) -> list[tuple[str, str]]:
    """Return the last migrations of each app in the backup of an older version, none of another.

    Raise BackupError for the backup of a newer one.
    """
    loader = MigrationLoader(None)
    there = {(app, name) for app, name in manifest.migrations if app in loader.migrated_apps}
    if newer := sorted(there - loader.disk_migrations.keys()):
        name = ".".join(newer[0])
        raise BackupError(
            f"was made by version {manifest.version}, which is newer than this one,"
            f" {settings.VERSION} (it has {name}): restore it with version {manifest.version}."
        )
    if not there or there == loader.disk_migrations.keys():
        return []
    nodes = loader.graph.node_map
    return [
        key
        for key in sorted(there)
        if not any(child.key in there and child.key[0] == key[0] for child in nodes[key].children)
    ]


def check_schema(manifest: Manifest, models: Mapping[str, type[Model]]) -> None:
    """Raise BackupError if the backup has other tables or columns than these models."""
    here = {label: columns_of(model) for label, model in models.items()}
    there = {label: table.columns for label, table in manifest.tables.items()}
    names = sorted(
        label for label in here.keys() | there.keys() if here.get(label) != there.get(label)
    )
    if names:
        raise BackupError(
            f"was made by version {manifest.version}, whose tables differ from those of this"
            f" version, {settings.VERSION} ({', '.join(names[:3])}): restore it with version"
            f" {manifest.version}, and upgrade then."
        )


def has_data() -> bool:
    """Return True if there are accounts or journals."""
    tables = connection.introspection.table_names()
    models: tuple[type[Model], ...] = (Account, JournalLine)
    return any(model._meta.db_table in tables and model._base_manager.exists() for model in models)


def check_empty() -> None:
    """Raise BackupError if there is data that a restored backup would replace."""
    if has_data():
        raise BackupError(
            "can be restored into an empty installation only, and this one has data: set another"
            " STATE_DIR or DATABASE_URL."
        )


def store_rows(model: type[Model], batches: Iterable[list[dict[str, Any]]]) -> None:
    """Insert rows as they were, in batches."""
    fields = model._meta.local_concrete_fields
    # These set their own time when a row is saved, unless it is saved as it is.
    sets_time = any(
        getattr(field, name, False) for field in fields for name in ("auto_now", "auto_now_add")
    )
    for rows in batches:
        batch = [row_of(model, row) for row in rows]
        if sets_time:
            for each in batch:
                each.save_base(raw=True, force_insert=True)
        else:
            model._base_manager.bulk_create(batch)


def row_of(model: type[Model], row: dict[str, Any]) -> Model:
    """Return a row from what Django's serializer has made of it, also of an older version."""
    columns: dict[str, Any] = {model._meta.pk.name: row["pk"], **row["fields"]}
    values = {}
    for name, value in columns.items():
        field: Any = model._meta.get_field(name)
        values[field.attname] = None if value is None else field.to_python(value)
    return model(**values)


# --- The database -----------------------------------------------------------------------------


def models_by_label(registry: Apps = apps) -> dict[str, type[Model]]:
    """Return the models of all tables."""
    models = registry.get_models(include_auto_created=True)
    return {model._meta.label: model for model in models if not model._meta.proxy}


def columns_of(model: type[Model]) -> list[str]:
    """Return the names of the columns of a model, in their order."""
    return sorted(field.name for field in model._meta.local_concrete_fields)


def member_of(label: str) -> str:
    """Return the name of the member with the rows of a model."""
    return f"tables/{label}.jsonl"


def applied_migrations() -> list[list[str]]:
    """Return the migrations of the database."""
    return sorted([app, name] for app, name in MigrationRecorder(connection).applied_migrations())


def last_id(model: type[Model]) -> int | None:
    """Return the last number that the database has given to a row, also to one that is deleted.

    A link is signed for the id of its row. The id of a deleted one must not return.
    """
    if not isinstance(model._meta.pk, AutoField):
        return None
    table, column = model._meta.db_table, model._meta.pk.column
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            sequence = "SELECT pg_sequence_last_value(pg_get_serial_sequence(%s, %s)::regclass)"
            cursor.execute(sequence, [table, column])
        else:
            cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
        found = cursor.fetchone()
    return (found[0] or None) if found else None


def set_last_id(model: type[Model], number: int | None) -> None:
    """Let the database continue after this number."""
    if not number or not isinstance(model._meta.pk, AutoField):
        return
    table, column = model._meta.db_table, model._meta.pk.column
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "SELECT setval(pg_get_serial_sequence(%s, %s), %s)", [table, column, number]
            )
        else:
            cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [table])
            row = "INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)"
            cursor.execute(row, [table, number])


# --- Keys -------------------------------------------------------------------------------------


def key_of(secret: str) -> str:
    """Return what tells whether two installations have the same SECRET_KEY."""
    return salted_hmac("perihelion.backup", "", secret=secret, algorithm="sha256").hexdigest()[:16]


def read_recipient(text: str) -> Any:
    """Return a public key of age."""
    with suppress(pyrage.RecipientError):
        return pyrage.x25519.Recipient.from_str(text)
    raise BackupError(f"{text!r} is no public key: write one of `age-keygen`, as age1...")


def read_identities(path: Path, identities: Path | None) -> list[Any]:
    """Return the private keys of a file that `age-keygen` has written."""
    if identities is None:
        raise BackupError(f"{path} is encrypted: name the file of its key with --identity.")
    try:
        lines = identities.read_text("utf-8", "replace").splitlines()
    except OSError as error:
        raise BackupError(f"{identities} cannot be read: {error.strerror}.") from error
    texts = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    with suppress(pyrage.IdentityError):
        if texts:
            return [pyrage.x25519.Identity.from_str(text) for text in texts]
    raise BackupError(f"{identities} has no private key: name a file of `age-keygen`.")
