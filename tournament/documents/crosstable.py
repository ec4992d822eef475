"""The crosstable as JSON, CSV, a line a row, a page, and a picture to embed.

CSV columns: `line,rank,id,name`, a column a round (`1`, `2`, ...) or, in the square of a round
robin, a column an opponent's line, then `points`. `standings/crosstable_rows.py` writes the cells.
"""

import json
from typing import Any

from games.journal.chain import digest_of
from ratings.systems.lists import without_formula
from tournament.documents.renderers.html import page_html
from tournament.queries.standings import Table, person
from tournament.standings.crosstable import Crosstable
from tournament.standings.crosstable_rows import (
    CrosstableOrder,
    CrosstableRow,
    crosstable_rows,
    square_columns,
    square_rows,
)
from tournament.standings.table import csv_text


def crosstable_digest(crosstable: Crosstable) -> str:
    """SHA-256 over every result: `sha256:` and the digest of the rows as canonical JSON.

    A row is the pairing number and, a round, kind, opponent, seat and units awarded.
    """
    rows = [
        [
            player.number,
            [
                [result.kind, result.opponent, result.seat, crosstable.units_of(result)]
                for result in player.results
            ],
        ]
        for player in crosstable.players
    ]
    return f"sha256:{digest_of([crosstable.points.unit, rows])}"


def lines_of(table: Table, order: CrosstableOrder, *, square: bool) -> tuple[CrosstableRow, ...]:
    """The lines of the table, each with a cell a round or an opponent."""
    shape = square_rows if square else crosstable_rows
    return shape(table.crosstable, table.rows, order)


def columns_of(table: Table, lines: tuple[CrosstableRow, ...], *, square: bool) -> list[str]:
    """What stands above the cells: labels of opponents, or numbers of rounds."""
    if square:
        return square_columns(lines)
    return [str(number) for number in range(1, table.crosstable.completed + 1)]


def points_of(table: Table, line: CrosstableRow) -> str:
    """The points of a line's player."""
    return table.crosstable.points.format_units(table.crosstable.points_of(line.number))


def shown(table: Table, order: CrosstableOrder, *, square: bool) -> dict[str, Any]:
    """The crosstable as the API shows it."""
    lines = lines_of(table, order, square=square)
    return {
        **table.head(),
        "order": str(order),
        "shape": "square" if square else "rounds",
        "digest": table.stood.digest if table.stood else crosstable_digest(table.crosstable),
        "columns": columns_of(table, lines, square=square),
        "lines": [
            {
                "line": line.label,
                "rank": line.rank,
                "number": line.number,
                "player": person(table, line.number),
                "cells": list(line.cells),
                "points": points_of(table, line),
            }
            for line in lines
        ],
    }


def written(
    table: Table,
    form: str,
    order: CrosstableOrder,
    *,
    square: bool,
    note: str = "",
    mark: bool = False,
) -> str:
    """The crosstable as csv, ndjson or html; `mark` begins CSV with a BOM."""
    if form == "ndjson":
        found = shown(table, order, square=square)["lines"]
        return "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in found)
    lines = lines_of(table, order, square=square)
    columns = columns_of(table, lines, square=square)
    if form == "html":
        rows = [[n.label, n.number, n.name, *n.cells, points_of(table, n), n.rank] for n in lines]
        head = ["No", "Id", "Name", *columns, "Points", "Rank"]
        return page_html(head, rows, title=table.title, note=note)
    cells = (
        [n.label, n.rank, n.number, *map(without_formula, (n.name, *n.cells)), points_of(table, n)]
        for n in lines
    )
    head = ["line", "rank", "id", "name", *columns, "points"]
    return csv_text([head, *cells], byte_order_mark=mark)
