"""The formats of a report: JSON, CSV, HTML, and its plot as SVG."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from json import dumps
from typing import Any, Final

from django.template.loader import render_to_string
from django.utils.safestring import mark_safe

from games.core.tables.table import CellType, Column, Heading, TableDocument
from games.core.uploads.csv import write_csv
from ratings.models import Analysis, Pool
from ratings.systems.reliability import Group
from ratings.systems.research import calibration, fair_play
from ratings.systems.research.reliability_plot import draw_reliability

IDS: Final = frozenset({"player", "opponent", "game"})
"""The columns with ids."""

FORMATS: Final = ("json", "csv", "html", "svg")


@dataclass(frozen=True, slots=True)
class ReportOutput:
    """A report in all its formats: a table, and a reliability plot of its series, if it has any.

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
        plot = draw_reliability(self.title, self.series) + "\n" if self.series else ""
        if chosen == "svg":
            return plot
        header, *rows = self.rows
        context = {"title": self.title, "note": self.note, "header": header, "rows": rows}
        return render_to_string("ratings/analyses/report.html", context | {"plot": mark_safe(plot)})

    def document(self, file_stem: str) -> TableDocument:
        """Return the table for the renderers of tables."""
        header, *rows = self.rows
        names = [str(name) for name in header]
        return TableDocument(
            heading=Heading(title=self.title, subtitle=self.title, file_stem=file_stem),
            columns=tuple(Column(name, cell_type=_type_of(name)) for name in names),
            records=[dict(zip(names, map(_or_null, row), strict=True)) for row in rows],
            cells=lambda record: tuple("" if cell is None else cell for cell in record.values()),
            notes=(self.note,),
        )


def _type_of(name: str) -> CellType:
    return CellType.CODE if name in IDS else CellType.VALUE


def _or_null(cell: object) -> object:
    return None if cell == "" else cell


def report_output(pool: Pool, kind: str, report: dict[str, Any]) -> ReportOutput:
    """Return an analysis of a pool in all its formats, from its JSON."""
    if kind == Analysis.Kind.CALIBRATION:
        title, rows = f"Calibration of handicaps in {pool.name}", calibration.report_rows(report)
        series = calibration.report_series(report)
    else:
        title, rows = f"Improbable results in {pool.name}", fair_play.report_rows(report)
        series = {}
    return ReportOutput(title, note=report["note"], json=report, rows=rows, series=series)
