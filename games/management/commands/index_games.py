"""`manage.py index_games [--rebuild]`: bring the index of openings and patterns to its due state.

The periodic sweep does the same for new games; this is for an installation with many games, and,
with `--rebuild`, for an index that is to be computed anew. It can be interrupted and run again.
"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from games.models import Game
from games.study.queries import INDEXABLE
from games.study.services import clear_index, index_all


class Command(BaseCommand):
    help = "Index the confirmed games by their openings and stones, for games/search and /explorer."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--rebuild", action="store_true", help="delete the index first")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["rebuild"]:
            clear_index()
        total = Game.objects.filter(INDEXABLE).count()
        done = 0
        for count in index_all():
            done += count
            self.stderr.write(f"indexed {done} games; {total} have a record")
        self.stdout.write(f"{done} games indexed")
