"""`manage.py bundle export SLUG FILE` and `manage.py bundle import FILE`: a whole event."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.http.errors import ApiError
from games.models import Account
from tournament.imports.bundle import import_bundle
from tournament.imports.bundle.writing import write_bundle
from tournament.models import Tournament

REFUSED = 1
UNREADABLE = 3


class Command(BaseCommand):
    help = "Write an event into one file, or take one from it (into an empty installation)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        ways = parser.add_subparsers(dest="way", required=True)
        out = ways.add_parser("export", help="write the bundle of an event")
        out.add_argument("slug")
        out.add_argument("file")
        into = ways.add_parser("import", help="make the event of a bundle")
        into.add_argument("file")
        into.add_argument("--by", default="", help="e-mail of the account that will own it")

    def handle(self, *_: Any, **options: Any) -> None:
        path = Path(options["file"])
        try:
            if options["way"] == "export":
                tournament = Tournament.objects.filter(slug=options["slug"]).first()
                if tournament is None:
                    told = f"there is no tournament {options['slug']!r}"
                    raise CommandError(told, returncode=REFUSED)
                path.write_bytes(write_bundle(tournament))
            else:
                owner = Account.objects.filter(email=options["by"]).first()
                if options["by"] and owner is None:
                    raise CommandError(f"there is no account {options['by']!r}", returncode=REFUSED)
                tournament = import_bundle(path.read_bytes(), by=owner)
        except OSError as fault:
            raise CommandError(f"{path}: {fault.strerror}", returncode=UNREADABLE) from fault
        except ApiError as refusal:
            raise CommandError(f"{path}: {refusal.detail}", returncode=REFUSED) from refusal
        self.stdout.write(f"{options['way']}: {tournament.name}, {tournament.stream}")
