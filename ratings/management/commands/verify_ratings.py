"""`manage.py verify_ratings [POOL]`: recompute ratings and compare them with the stored ones."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.core.checks import note_check, require_references
from ratings.batches.order import is_due
from ratings.models import Pool
from ratings.runs.verification import find_unreadable, verify_pool


class Command(BaseCommand):
    help = "Recompute the ratings of one pool or of all pools. Exit with status 1 if any differs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "pool", nargs="?", metavar="POOL", help="the code of the pool (default: all pools)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        require_references("ratings")
        pools = Pool.objects.select_related("current_run").order_by("code")
        if options["pool"] is not None:
            pools = pools.filter(code=options["pool"])
            if not pools:
                raise CommandError(f"no pool {options['pool']!r}", returncode=2)
        is_wrong = False
        for pool in pools:
            if not find_unreadable(pool) and is_due(pool):
                text = "due for a run, its ratings are compared after it"
                self.stdout.write(f"{pool.code}: {text}")
                continue
            differences = verify_pool(pool)
            for difference in differences:
                is_wrong = True
                self.stderr.write(difference)
            if not differences:
                digest = pool.current_run.input_digest if pool.current_run else "no run yet"
                self.stdout.write(f"{pool.code}: verified ({digest})")
        if options["pool"] is None:
            note_check("ratings", is_ok=not is_wrong)
        if is_wrong:
            raise CommandError("the stored ratings differ from the recomputed ones", returncode=1)
