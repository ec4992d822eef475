"""`manage.py verify_ratings [POOL]`: recompute all ratings, compare them with the stored ones."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ratings.models import Pool
from ratings.services import verify_pool


class Command(BaseCommand):
    help = "Recompute the ratings of one pool, or of all. Exit 1 when anything differs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("pool", nargs="?", metavar="POOL", help="the pool's code; all without")

    def handle(self, *args: Any, **options: Any) -> None:
        pools = Pool.objects.select_related("current_run").order_by("code")
        if options["pool"] is not None:
            pools = pools.filter(code=options["pool"])
            if not pools:
                raise CommandError(f"no pool {options['pool']!r}", returncode=2)
        drift = False
        for pool in pools:
            told = verify_pool(pool)
            drift = drift or bool(told)
            for sentence in told:
                self.stderr.write(sentence)
            if not told:
                digest = pool.current_run.input_digest if pool.current_run else "no run yet"
                self.stdout.write(f"{pool.code}: all as recomputed ({digest})")
        if drift:
            raise CommandError("the stored ratings are not what the games come to", returncode=1)
