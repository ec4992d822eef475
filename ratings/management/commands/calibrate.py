"""`manage.py calibrate POOL`: estimate the values of handicaps from the games of a pool."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ratings.analyses.queries import calibrate_pool
from ratings.analyses.tables import report_output
from ratings.management.output import add_output_arguments, write_report
from ratings.management.pools import load_pool
from ratings.models import Analysis
from ratings.systems.research.calibration import NotEstimable


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
        try:
            report = calibrate_pool(pool).as_json()
        except NotEstimable as error:
            raise CommandError(f"{pool.code}: {error}") from None
        output = report_output(pool, Analysis.Kind.CALIBRATION, report)
        write_report(output, options, self.stdout)
