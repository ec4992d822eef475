"""`manage.py rebuild_from_journal --dry-run`: replay journals and compare them with the tables."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.models import JournalLine
from tournament.events.verification import count_replayed_rows, verify_stream
from tournament.management.streams import add_streams, find_named_streams

NOT_IN_JOURNAL = (
    "the journal has no text of records and certificates, and nothing that was erased;"
    " to restore an event, import its bundle"
)


class Command(BaseCommand):
    help = (
        "Replay journals in memory and compare the rows that they describe with the tables. Exit"
        f" with status 1 if any differs. Nothing is written: {NOT_IN_JOURNAL}."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_streams(parser)
        parser.add_argument("--dry-run", action="store_true", help="required: compare only")

    def handle(self, *args: Any, **options: Any) -> None:
        if not options["dry_run"]:
            raise CommandError(f"add --dry-run: {NOT_IN_JOURNAL}", returncode=2)
        count = 0
        for stream in find_named_streams(options["stream"]):
            differences = verify_stream(stream)
            count += len(differences)
            self._print_stream(stream, differences)
        if count:
            raise CommandError(f"{count} differences from the tables", returncode=1)

    def _print_stream(self, stream: str, differences: list[str]) -> None:
        lines = JournalLine.objects.filter(stream=stream).count()
        rows = count_replayed_rows(stream)
        counts = ", ".join(f"{kind} {number}" for kind, number in rows.items())
        state = "different from the tables" if differences else "equal to the tables"
        self.stdout.write(f"{stream}: {lines} lines give {counts or 'no rows'}: {state}")
        for difference in differences:
            self.stderr.write(f"{stream}: {difference.removeprefix(f'{stream}: ')}")
