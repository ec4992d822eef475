"""`manage.py rebuild POOL`: rate all batches of a pool anew."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from ratings.batches.order import is_due
from ratings.management.pools import load_pool
from ratings.management.progress import show_progress
from ratings.models import BatchGame
from ratings.runs.healing import heal_runs
from ratings.runs.services import advance_pool
from ratings.runs.verification import MAX_DIFFERENCES, verify_pool, verify_pool_rows


class Command(BaseCommand):
    help = (
        "Rate all batches of a pool anew in one run; it replaces the current run when it is done. "
        "Print how many ratings change. Rows of earlier runs that were altered are named in the"
        " journal of the pool, and restored where the digest of their run proves what they were."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("pool", metavar="POOL", help="the code of the pool")

    def handle(self, *args: Any, **options: Any) -> None:
        pool = load_pool(options["pool"])
        ratings = pool.ratings.values_list("player_id", "rating")
        before = set(ratings)
        differences = verify_pool_rows(pool.stream)[:MAX_DIFFERENCES]
        if not is_due(pool):
            differences += verify_pool(pool)
        games = BatchGame.objects.filter(pool=pool, exclusion="").count()
        with show_progress(games) as bar:
            run = advance_pool(pool.pk, from_start=True, progress=bar.update)
        if run is None:
            self.stdout.write(f"{pool.code}: no batches to rate")
            return
        after = set(ratings.all())
        count = len({player for player, _ in before ^ after})
        changes = f"{count} {'rating changes' if count == 1 else 'ratings change'}"
        self.stdout.write(f"{pool.code}: run {run.number}, {len(after)} players rated, {changes}")
        for altered in heal_runs(pool, differences):
            what = "restored" if altered["restored"] else "kept: what it computed is not known"
            self.stdout.write(
                f"{pool.code}: run {altered['run']}, {altered['count']} altered rows"
                f" ({altered['kind']}) are {what}; the journal of the pool names them"
            )
