"""`manage.py backup FILE`: write all data into one file, while the service runs."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from deploy.backup import BackupError, write_backup, write_secrets
from games.core.checks import note_check


class Command(BaseCommand):
    help = (
        "Write all data as of one moment into a new file, also while the service runs."
        " The secret key is not in it."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the new file, such as monday.backup")
        parser.add_argument(
            "--recipient",
            action="append",
            default=[],
            help="encrypt for this public key of age (age1...); may be repeated",
        )
        parser.add_argument(
            "--secrets", type=Path, help="write the secret key to this other file, too"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        path, secrets, recipients = options["file"], options["secrets"], options["recipient"]
        is_made = False
        try:
            if secrets:
                write_secrets(secrets, recipients)
            try:
                manifest, digest = write_backup(path, recipients)
            except BaseException:
                if secrets:
                    secrets.unlink()
                raise
            self.stdout.write(f"{path}: {manifest.rows} rows, SHA-256 {digest}")
            if secrets:
                self.stdout.write(f"{secrets}: the secret key; keep it elsewhere")
            is_made = True
        except BackupError as error:
            raise CommandError(str(error)) from error
        finally:
            note_check("backup", is_ok=is_made)
