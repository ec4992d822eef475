"""`manage.py bundle export SLUG FILE` and `manage.py bundle import FILE`."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.core.errors import ApiError
from games.models import Account
from tournament.exchange.bundle import import_bundle
from tournament.exchange.bundle_file import write_bundle
from tournament.models import Tournament

REJECTED_STATUS = 1
UNREADABLE = 3


class Command(BaseCommand):
    help = "Export a tournament to one file, or import one."

    def add_arguments(self, parser: ArgumentParser) -> None:
        commands = parser.add_subparsers(dest="command", required=True)
        export = commands.add_parser("export", help="write the bundle of a tournament")
        export.add_argument("slug")
        export.add_argument("file")
        importing = commands.add_parser("import", help="create the tournament of a bundle")
        importing.add_argument("file")
        importing.add_argument("--by", default="", help="email of the account that will own it")

    def handle(self, *_: Any, **options: Any) -> None:
        path = Path(options["file"])
        try:
            if options["command"] == "export":
                tournament = Tournament.objects.filter(slug=options["slug"]).first()
                if tournament is None:
                    message = f"there is no tournament {options['slug']!r}"
                    raise CommandError(message, returncode=REJECTED_STATUS)
                path.write_bytes(write_bundle(tournament))
            else:
                owner = Account.objects.filter(email=options["by"]).first()
                if options["by"] and owner is None:
                    message = f"there is no account {options['by']!r}"
                    raise CommandError(message, returncode=REJECTED_STATUS)
                tournament = import_bundle(path.read_bytes(), by=owner)
        except OSError as error:
            raise CommandError(f"{path}: {error.strerror}", returncode=UNREADABLE) from error
        except ApiError as error:
            raise CommandError(f"{path}: {error.detail}", returncode=REJECTED_STATUS) from error
        self.stdout.write(f"{options['command']}: {tournament.name}, {tournament.stream}")
