"""`manage.py verify_state [STREAM ...]`: compare the rows with what the journals say about them."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.core.checks import note_check, require_references
from tournament.events.verification import find_not_comparable, verify_stream
from tournament.management.streams import add_streams, find_named_streams


class Command(BaseCommand):
    help = (
        "Compare events, games, pools and players with what the journals say."
        " Exit with status 1 if any differs."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_streams(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        require_references("state")
        count = 0
        for stream in find_named_streams(options["stream"]):
            differences = verify_stream(stream)
            for difference in differences:
                self.stderr.write(f"{stream}: {difference.removeprefix(f'{stream}: ')}")
            count += len(differences)
            if not differences:
                self.stdout.write(f"{stream}: verified")
                for sentence in find_not_comparable(stream):
                    self.stdout.write(f"{stream}: {sentence}")
        if not options["stream"]:
            note_check("state", is_ok=not count)
        if count:
            raise CommandError(f"{count} differences from the journal", returncode=1)
