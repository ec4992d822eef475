"""`manage.py verify_state [STREAM ...]`: compare the rows with what the journals say about them."""

from argparse import ArgumentParser
from collections.abc import Iterable
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.journal import find_stored_errors, load_lines
from games.models import Game, JournalHead
from games.services.verification import verify_casual_game
from tournament.models import Tournament
from tournament.services.verification import verify_tournament

EVENT, GAME = "tournament/", "game/"


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
        streams = _all_streams()
        unknown = [stream for stream in options["stream"] if stream not in streams]
        if unknown:
            detail = f"there is no tournament or casual game {unknown[0]!r}; write tournament/SLUG"
            raise CommandError(detail, returncode=2)
        count = 0
        for stream in sorted(options["stream"] or streams):
            differences = _verify(stream)
            for difference in differences:
                self.stderr.write(f"{stream}: {difference.removeprefix(f'{stream}: ')}")
            count += len(differences)
            if not differences:
                self.stdout.write(f"{stream}: verified")
        if count:
            raise CommandError(f"{count} differences from the journal", returncode=1)


def _all_streams() -> set[str]:
    """Return the streams of tournaments and casual games that have rows or a journal."""
    heads = JournalHead.objects.values_list("stream", flat=True)
    slugs = Tournament.objects.values_list("slug", flat=True)
    games: Iterable[int] = (
        Game.objects.filter(stream="").exclude(state=Game.State.OPEN).values_list("pk", flat=True)
    )
    return {
        *(stream for stream in heads if stream.startswith((EVENT, GAME))),
        *(f"{EVENT}{slug}" for slug in slugs),
        *(f"{GAME}{game}" for game in games),
    }


def _verify(stream: str) -> list[str]:
    """Return the errors of a stream's chain, and the differences of its rows from the journal."""
    lines = load_lines(stream)
    errors = find_stored_errors(stream, list(lines))
    if stream.startswith(EVENT):
        return [*errors, *verify_tournament(stream)]
    return [*errors, *verify_casual_game(stream, lines)]
