"""`manage.py export_pool POOL`: write everything that the ratings of a pool are computed from."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from games.core.journal.chain import canonical_json
from ratings.batches.order import is_due
from ratings.management.pools import load_pool
from ratings.models import Pool
from ratings.pools.export import export_lines


class Command(BaseCommand):
    help = (
        "Write the batches and ratings of a pool as NDJSON; recompute_pool.py in the folder "
        "`ratings` reproduces every rating from the file. Exit with status 1 if games of the pool "
        "are waiting to be rated."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("pool", metavar="POOL", help="the code of the pool")
        parser.add_argument(
            "--output", type=Path, metavar="POOL.ndjson", help="default: the standard output"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        with transaction.atomic():
            # Runs of the pool wait until the export is written.
            pools = Pool.objects.select_for_update(no_key=True, of=("self",))
            pool = load_pool(options["pool"], pools.select_related("current_run"))
            if is_due(pool):
                raise CommandError(f"{pool.code} is due for a run; export it after the run")
            lines = (f"{canonical_json(line)}\n" for line in export_lines(pool))
            try:
                if options["output"]:
                    with options["output"].open("w", encoding="utf-8", newline="") as file:
                        file.writelines(lines)
                else:
                    sys.stdout.writelines(lines)
            except OSError as error:
                raise CommandError(f"{options['output']}: {error.strerror}", returncode=2) from None
