"""The output of a report: its formats, and where it is written."""

from argparse import ArgumentParser
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from json import dumps
from pathlib import Path
from typing import Any, Final

from django.core.management.base import CommandError, OutputWrapper
from django.template.loader import render_to_string
from django.utils.safestring import mark_safe

from games.imports.csv import write_csv
from ratings.systems.reliability import Group
from ratings.systems.reliability_plot import draw_reliability

FORMATS: Final = ("json", "csv", "html", "svg")


@dataclass(frozen=True, slots=True)
class ReportOutput:
    """A report in all its formats: a table, and a reliability plot of its series.

    `rows` begin with the header.
    """

    title: str
    note: str
    json: dict[str, Any]
    rows: Iterable[Sequence[object]]
    series: Mapping[str, Sequence[Group]]

    def render(self, chosen: str) -> str:
        """Return the report in one of `FORMATS`; svg is the plot alone."""
        if chosen == "json":
            return dumps(self.json, indent=2) + "\n"
        if chosen == "csv":
            return write_csv(self.rows)
        plot = draw_reliability(self.title, self.series) + "\n"
        if chosen == "svg":
            return plot
        header, *rows = self.rows
        context = {"title": self.title, "note": self.note, "header": header, "rows": rows}
        return render_to_string("ratings/report.html", context | {"plot": mark_safe(plot)})


def add_output_arguments(parser: ArgumentParser) -> None:
    """Add the options `--format` and `--output`."""
    parser.add_argument(
        "--format", choices=FORMATS, default="json", help="svg: only the reliability plot"
    )
    parser.add_argument("--output", type=Path, help="default: the standard output")


def write_report(report: ReportOutput, options: Mapping[str, Any], stdout: OutputWrapper) -> None:
    """Write a report as the options say; raises CommandError if the file cannot be written."""
    content = report.render(options["format"])
    if options["output"] is None:
        stdout.write(content, ending="")
        return
    try:
        options["output"].write_text(content, encoding="utf-8", newline="")
    except OSError as error:
        raise CommandError(f"{options['output']}: {error.strerror}", returncode=2) from None
