"""`manage.py calibrate POOL`: estimate the values of handicaps from the games of a pool."""

from argparse import ArgumentParser
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError

from ratings.management.output import ReportOutput, add_output_arguments, write_report
from ratings.management.pools import load_pool
from ratings.queries.calibration import load_calibration_games
from ratings.queries.tables import load_table
from ratings.systems.calibration import NotEstimable
from ratings.systems.calibration_report import NOTE, make_report
from ratings.systems.handicap import values_of

SHOWN: Final = ("star-star", "10")
"""The game and board whose values the report shows beside the estimates."""


class Command(BaseCommand):
    help = (
        "Estimate the values of handicaps from the rated games of a pool, with intervals and a "
        "reliability plot. Nothing is changed. Exit with status 1 if the games do not determine "
        "the values."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("pool", metavar="POOL", help="the code of the pool")
        add_output_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        pool = load_pool(options["pool"])
        games = list(load_calibration_games(pool))
        try:
            values = values_of(load_table(pool.handicap_table), *SHOWN)
            report = make_report(pool.handicap_table, values, games)
        except NotEstimable as error:
            raise CommandError(f"{pool.code}: {error}") from None
        output = ReportOutput(
            title=f"Calibration of handicaps in {pool.name}",
            note=NOTE,
            json=report.as_json(),
            rows=report.rows(),
            series={f"table {report.table}": report.by_table, "estimates": report.by_estimates},
        )
        write_report(output, options, self.stdout)
