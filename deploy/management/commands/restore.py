"""`manage.py restore FILE`: fill an empty installation from a backup, and verify it."""

import os
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from io import StringIO
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from deploy.backup import BackupError, Manifest, key_of, opened_backup, read_secrets, restore_rows
from deploy.samples.first_start import write_secret

VERIFICATIONS: Final = ("verify_journal", "verify_state", "verify_ratings")


class Command(BaseCommand):
    help = (
        "Fill an empty installation from a file of `backup`, and verify journals, rows and ratings."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="a file that `backup` has written")
        parser.add_argument(
            "--identity", type=Path, help="the file of the private key of an encrypted backup"
        )
        parser.add_argument(
            "--secrets", type=Path, help="take the secret key from a file of `backup --secrets`"
        )
        parser.add_argument(
            "--check",
            action="store_true",
            help="restore into a temporary database, verify it and delete it; change nothing here",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        secrets, identity = options["secrets"], options["identity"]
        if options["check"]:
            self.stdout.write("a temporary database is filled, and nothing else changed")
            self.stdout.flush()
            return check(options["file"], identity, secrets)
        try:
            keys = read_secrets(secrets, identity) if secrets else []
            with opened_backup(options["file"], identity) as backup:
                manifest = backup.manifest
                if keys and manifest.key not in map(key_of, keys):
                    hint = "name the file that `backup --secrets` has written with it."
                    raise BackupError(f"has a key that is not in {secrets}: {hint}")
                restore_rows(backup)
        except BackupError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{manifest.rows} rows as of {manifest.made_at} are restored")
        self.tell_of_key(manifest, keys)
        self.verify()
        return None

    def tell_of_key(self, manifest: Manifest, keys: list[str]) -> None:
        """Store the secret key if it is known and none is set, and say if it is another one."""
        if keys and not os.environ.get("SECRET_KEY") and not settings.SECRET_KEY_FILE.exists():
            write_secret(settings.SECRET_KEY_FILE, keys[0])
            present = keys[0]
        else:
            present = settings.SECRET_KEY
        known = [key_of(each) for each in (present, *settings.SECRET_KEY_FALLBACKS)]
        if manifest.key not in known:
            self.stdout.write(
                "SECRET_KEY is not that of the backup: with it, links that were printed or sent do"
                " not work. Set SECRET_KEY to that key."
            )

    def verify(self) -> None:
        """Verify what was restored; what is wrong was so when the backup was made."""
        found = []
        for name in VERIFICATIONS:
            said = StringIO()
            try:
                call_command(name, stdout=said, stderr=self.stderr)
            except CommandError as error:
                found.append(f"{name} finds what was so when the backup was made: {error}")
            for line in said.getvalue().splitlines():
                if ": due " in line:
                    self.stdout.write(line)
        if found:
            raise CommandError("all rows are restored, but " + "\n".join(found))
        self.stdout.write("journals, rows and ratings are verified")


def check(path: Path, identity: Path | None, secrets: Path | None) -> None:
    """Restore a backup into a temporary SQLite database in another process."""
    with tempfile.TemporaryDirectory(prefix="perihelion-") as folder:
        names = {
            "DJANGO_SETTINGS_MODULE": "deploy.settings",
            "STATE_DIR": folder,
            "DATABASE_URL": "",
            "REDIS_URL": "",  # which would take this for a verification of the service
            "SECRET_KEY": settings.SECRET_KEY,
        }
        command = [sys.executable, "-m", "django", "restore", str(path.absolute())]
        for option, file in {"--identity": identity, "--secrets": secrets}.items():
            if file:
                command += [option, str(file.absolute())]
        status = subprocess.run(
            command, cwd=settings.BASE_DIR, env={**os.environ, **names}, check=False
        ).returncode
    if status:  # it has said why
        sys.exit(status)
