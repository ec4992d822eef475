"""Numbers in tables with the decimal sign of the active language, as German 2,5 for 2.5."""

from collections.abc import Iterable, Sequence

from django.utils.formats import get_format

from games.core.tables.table import Cell, Column, ColumnKind


def localized_rows(
    columns: Sequence[Column], rows: Iterable[Sequence[Cell]]
) -> Iterable[Sequence[Cell]]:
    """Return rows whose columns of numbers have the decimal sign of the active language."""
    sign = get_format("DECIMAL_SEPARATOR")
    if sign == ".":
        return rows
    places = [n for n, column in enumerate(columns) if column.kind is ColumnKind.NUMBER]
    return (_with_sign(row, places, sign) for row in rows)


def _with_sign(row: Sequence[Cell], places: Sequence[int], sign: str) -> list[Cell]:
    cells = list(row)
    for place in places:
        cell = cells[place]
        cells[place] = cell.replace(".", sign) if isinstance(cell, str) else cell
    return cells
