"""`manage.py rebuild POOL`: rate everything that was ever filed with a pool anew."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ratings.models import Pool
from ratings.services import advance_pool


class Command(BaseCommand):
    help = "Rate all batches of a pool anew, in one run; the old run stays until it is done."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("pool", metavar="POOL", help="the pool's code")

    def handle(self, *args: Any, **options: Any) -> None:
        pool = Pool.objects.filter(code=options["pool"]).first()
        if pool is None:
            known = ", ".join(Pool.objects.order_by("code").values_list("code", flat=True))
            raise CommandError(f"no pool {options['pool']!r}; there are: {known}", returncode=2)
        run = advance_pool(pool.pk, from_the_start=True)
        if run is None:
            self.stdout.write(f"{pool.code}: nothing was filed yet")
        else:
            players = pool.ratings.count()
            self.stdout.write(f"{pool.code}: run {run.number}, {players} players rated")
