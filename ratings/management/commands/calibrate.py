"""`manage.py calibrate POOL`: estimate the values of handicaps from the games of a pool."""

import json
from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError
from django.template.loader import render_to_string
from django.utils.safestring import mark_safe

from games.imports.csv import write_csv
from ratings.models import Pool
from ratings.queries.calibration import load_calibration_games
from ratings.systems.calibration import NotEstimable
from ratings.systems.calibration_report import NOTE, CalibrationReport, make_report
from ratings.systems.reliability_plot import draw_reliability


def _as_json(_title: str, report: CalibrationReport) -> str:
    return json.dumps(report.as_json(), indent=2) + "\n"


def _as_csv(_title: str, report: CalibrationReport) -> str:
    return write_csv(report.rows())


def _as_svg(title: str, report: CalibrationReport) -> str:
    series = {f"table {report.table}": report.by_table, "estimates": report.by_estimates}
    return draw_reliability(title, series) + "\n"


def _as_html(title: str, report: CalibrationReport) -> str:
    header, *rows = report.rows()
    context = {"title": title, "note": NOTE, "header": header, "rows": rows}
    plot = mark_safe(_as_svg(title, report))
    return render_to_string("ratings/calibration.html", context | {"plot": plot})


FORMATS: Final[dict[str, Callable[[str, CalibrationReport], str]]] = {
    "json": _as_json,
    "csv": _as_csv,
    "html": _as_html,
    "svg": _as_svg,
}


class Command(BaseCommand):
    help = (
        "Estimate the values of handicaps from the rated games of a pool, with intervals and a "
        "reliability plot. Nothing is changed. Exit with status 1 if the games do not determine "
        "the values."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("pool", metavar="POOL", help="the code of the pool")
        parser.add_argument(
            "--format", choices=FORMATS, default="json", help="svg: only the reliability plot"
        )
        parser.add_argument("--output", type=Path, help="default: the standard output")

    def handle(self, *args: Any, **options: Any) -> None:
        pool = Pool.objects.filter(code=options["pool"]).first()
        if pool is None:
            codes = ", ".join(Pool.objects.order_by("code").values_list("code", flat=True))
            raise CommandError(f"no pool {options['pool']!r}; valid are: {codes}", returncode=2)
        games = list(load_calibration_games(pool))
        try:
            report = make_report(pool.handicap_table, games)
        except NotEstimable as error:
            raise CommandError(f"{pool.code}: {error}") from None
        title = f"Calibration of handicaps in {pool.name}"
        content = FORMATS[options["format"]](title, report)
        if options["output"] is None:
            self.stdout.write(content, ending="")
            return
        try:
            options["output"].write_text(content, encoding="utf-8", newline="")
        except OSError as error:
            raise CommandError(f"{options['output']}: {error.strerror}", returncode=2) from None
