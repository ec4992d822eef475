"""`manage.py rebuild POOL`: rate all batches of a pool anew."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from ratings.management.pools import load_pool
from ratings.services.runs import advance_pool


class Command(BaseCommand):
    help = (
        "Rate all batches of a pool anew in one run; it replaces the current run when it is done."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("pool", metavar="POOL", help="the code of the pool")

    def handle(self, *args: Any, **options: Any) -> None:
        pool = load_pool(options["pool"])
        run = advance_pool(pool.pk, from_start=True)
        if run is None:
            self.stdout.write(f"{pool.code}: no batches to rate")
        else:
            players = pool.ratings.count()
            self.stdout.write(f"{pool.code}: run {run.number}, {players} players rated")
