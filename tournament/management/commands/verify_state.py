"""`manage.py verify_state [STREAM ...]`: compare the rows with what the journals say about them."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournament.services.replay import find_streams, verify_stream


class Command(BaseCommand):
    help = (
        "Compare entries, byes, rounds, pairings, games and reports with what the journals say."
        " Exit with status 1 if any differs."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "stream",
            nargs="*",
            metavar="STREAM",
            help="tournament/spring-open or game/17; default: all tournaments and casual games",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        streams = find_streams()
        unknown = [stream for stream in options["stream"] if stream not in streams]
        if unknown:
            detail = f"there is no tournament or casual game {unknown[0]!r}; write tournament/SLUG"
            raise CommandError(detail, returncode=2)
        count = 0
        for stream in sorted(options["stream"] or streams):
            differences = verify_stream(stream)
            for difference in differences:
                self.stderr.write(f"{stream}: {difference.removeprefix(f'{stream}: ')}")
            count += len(differences)
            if not differences:
                self.stdout.write(f"{stream}: verified")
        if count:
            raise CommandError(f"{count} differences from the journal", returncode=1)
