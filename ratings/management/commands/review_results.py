"""`manage.py review_results POOL`: find streams of results that are improbable."""

from argparse import ArgumentParser
from json import dumps
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ratings.analyses.queries import load_fair_play_games
from ratings.management.pools import load_pool
from ratings.systems.research.fair_play import SIGNIFICANCE_LEVEL, report_as_json, review_games


class Command(BaseCommand):
    help = (
        "Print the streams of results of a pool that are improbable for honest players, with their "
        "games and the arithmetic, as JSON. It is for the rating officers; nothing is changed."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("pool", metavar="POOL", help="the code of the pool")
        parser.add_argument(
            "--level",
            type=float,
            default=SIGNIFICANCE_LEVEL,
            help="the probability of any finding if all players are honest (default: %(default)s)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if not 0 < options["level"] < 1:
            raise CommandError(f"--level {options['level']}; expected 0 < level < 1", returncode=2)
        pool = load_pool(options["pool"])
        report = review_games(load_fair_play_games(pool), level=options["level"])
        self.stdout.write(dumps(report_as_json(report), indent=2))
