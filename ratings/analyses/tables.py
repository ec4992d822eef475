"""The result of an analysis as a table."""

from typing import Final

from games.core.tables.table import CellType, Column, Heading, TableDocument
from ratings.models import Analysis, Pool
from ratings.systems.research import calibration, fair_play

IDS: Final = frozenset({"player", "opponent", "game"})
"""The columns with ids."""


def report_document(pool: Pool, analysis: Analysis) -> TableDocument:
    """Return the table of an analysis of a pool that has a result."""
    report = analysis.result or {}
    if analysis.kind == Analysis.Kind.CALIBRATION:
        title, rows = f"Calibration of handicaps in {pool.name}", calibration.report_rows(report)
    else:
        title, rows = f"Improbable results in {pool.name}", fair_play.report_rows(report)
    names, *records = rows
    stem = f"{pool.code}-{analysis.kind}-{analysis.pk}"
    return TableDocument(
        heading=Heading(title=title, subtitle=title, file_stem=stem),
        columns=tuple(
            Column(name, cell_type=CellType.CODE if name in IDS else CellType.VALUE)
            for name in names
        ),
        records=[dict(zip(names, row, strict=True)) for row in records],
        notes=(report["note"],),
    )
