"""The crosstable: CSV columns `line,rank,number,name`, one for each round, and others.

These are `points`, `withdrawn` and `corrections`, the numbers of those that changed the line. In
the square of a round robin there is one column for each opponent instead, named by the opponent's
line, and `byes` where a bye awarded points. `standings/crosstable_rows.py` writes the cells.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Annotated, Any, Literal

from django.utils.translation import gettext

from games.core.errors import Unprocessable
from games.core.tables.html import Dress
from games.core.tables.table import Cell, Column, ColumnKind, Record, TableDocument
from games.rules.messages import gettext_noop
from games.rules.registry import find_game
from games.rules.text import Text
from tournament.core.crosstable import crosstable_digest
from tournament.core.dress import coloured
from tournament.core.rankings import Table
from tournament.core.references import NumberedEntry
from tournament.models import Tournament
from tournament.rounds.tables import CORRECTED
from tournament.standings.crosstable_rows import (
    CrosstableOrder,
    CrosstableRow,
    crosstable_rows,
    square_columns,
    square_rows,
)
from tournament.standings.table import StandingsRow
from tournament.tables.headings import TableHead, heading_of, table_head
from tournament.tables.notes import (
    CORRECTIONS_COLUMN,
    STATE_COLUMN,
    WITHDRAWN_COLUMN,
    AdjournedGame,
    Corrections,
    Withdrawn,
    adjourned_as_json,
    adjourned_notes,
    edition_notes,
    expelled_notes,
    numbers_of_corrections,
    withdrawn_numbers,
)

CELLS = gettext_noop(
    "A cell has the line of the opponent, the player's seat (f or s) and the result: 12f1 is a win "
    "with the first seat against line 12. + and - are forfeits; U, F, H and Z are byes, ? is an "
    "adjourned game."
)
"""What the cells of the rounds mean."""

SQUARE_CELLS = gettext_noop(
    "A cell has the results of the player of its line against the player of its column, one for "
    "each cycle: 1 is a win, 0 a loss; + and - are forfeits, ? is an adjourned game."
)
DRAWS = gettext_noop("= is a draw.")
"""For games that can end in one, and pairings of two games."""
TWO_GAMES = gettext_noop(
    "With two games in each pairing, the result is that of both, and a colon precedes the result "
    "of each."
)

OPPONENT = re.compile("([0-9]+)[fs-].")
"""A cell of a round in which the player had an opponent."""

NO_RANK = 0
"""The rank of an expelled player: the last lines, whose results count for the others."""
MOST_SQUARE = 200
"""The number of players above which a square is too large."""


class CrosstableLine(NumberedEntry):
    """The results of a player."""

    line: Annotated[int | str, "the label of this line in the cells of others"]
    rank: Annotated[int | None, "null: expelled, and not ranked"]
    withdrawn: Withdrawn
    corrections: Corrections
    cells: list[str]
    points: str


class CrosstableOfEvent(TableHead):
    """All results."""

    adjourned: list[AdjournedGame]
    order: CrosstableOrder
    shape: Literal["rounds", "square"]
    digest: Annotated[str, "SHA-256 of all results"]
    columns: list[str]
    rows: list[CrosstableLine]


def crosstable_document(table: Table, *, order: CrosstableOrder, is_square: bool) -> TableDocument:
    """Return the crosstable; raise Unprocessable for a square that is too large."""
    if is_square and len(table.rows) > MOST_SQUARE:
        raise Unprocessable(
            "too_many_players",
            Text("a square has at most %(most)s lines; use shape=rounds", most=MOST_SQUARE),
        )
    make_rows = square_rows if is_square else crosstable_rows
    unranked = [
        StandingsRow(NO_RANK, number, table.players[number]["name"], {})
        for number in table.expelled
    ]
    lines = make_rows(table.crosstable, [*table.rows, *unranked], order)
    rounds = range(1, table.crosstable.completed + 1)
    labels = square_columns(lines) if is_square else [str(number) for number in rounds]
    withdrawn, corrections = set(withdrawn_numbers(table)), numbers_of_corrections(table)
    records: list[CrosstableLine] = [
        {
            "line": line.label,
            "rank": line.rank or None,
            **table.entry_as_json(line.number),
            "withdrawn": line.number in withdrawn,
            "corrections": corrections.get(table.entries[line.number], []),
            "cells": list(line.cells),
            "points": _points(table, line),
        }
        for line in lines
    ]
    states = ["state"] if any(record["withdrawn"] for record in records) else []
    body: CrosstableOfEvent = {
        **table_head(table),
        "adjourned": adjourned_as_json(table),
        "order": order,
        "shape": "square" if is_square else "rounds",
        "digest": crosstable_digest(table.crosstable),
        "columns": labels,
        "rows": records,
    }
    return TableDocument(
        heading=heading_of(table, gettext("Crosstable"), ".crosstable"),
        columns=(
            Column("line", gettext_noop("Line"), is_key=True),
            Column("rank", gettext_noop("Rank")),
            Column("number", gettext_noop("No")),
            Column(
                "name",
                gettext_noop("Name"),
                ColumnKind.TEXT,
                of="player.name",
                is_wide=True,
                is_key=True,
            ),
            *(
                Column(label, label, ColumnKind.MARK, cell=partial(_cell_at, place))
                for place, label in enumerate(labels)
            ),
            Column("points", gettext_noop("Points")),
            STATE_COLUMN,
            WITHDRAWN_COLUMN,
            CORRECTIONS_COLUMN,
        ),
        records=records,
        csv=("line", "rank", "number", "name", *labels, "points", "withdrawn", "corrections"),
        page=("line", "number", "name", *labels, "points", "rank", *states),
        sheet=("line", "name", *labels, "points", *states),
        explanation=_explanation(table.tournament, is_square=is_square),
        notes=(*adjourned_notes(table), *expelled_notes(table), *edition_notes(table)),
        body=body,
    )


def dress_of_crosstable(document: TableDocument) -> Dress:
    """Return the colours of the results, and the names of the opponents."""
    names = {str(record["line"]): record["player"]["name"] for record in document.records}
    is_square = document.body["shape"] == "square"

    def opponent_in(column: str) -> Callable[[Mapping[str, Any], str], str]:
        def opponent(record: Mapping[str, Any], cell: str) -> str:
            if is_square:
                return names.get(column, "") if column != str(record["line"]) else ""
            line = OPPONENT.match(cell)
            return names.get(line[1], "") if line else ""

        return opponent

    columns = enumerate(document.body["columns"])
    return {label: coloured(place, opponent_in(label)) for place, label in columns}


def mark_corrected(document: TableDocument, table: Table, *, is_square: bool) -> TableDocument:
    """Return the crosstable for people, with a mark at each corrected result."""
    numbers = {entry: number for number, entry in table.entries.items()}
    lines = {record["number"]: str(record["line"]) for record in document.records}
    marked = set()
    for change in chain.from_iterable(table.corrections.values()):
        if "game" not in change:
            continue
        first, second = (numbers.get(change[seat], 0) for seat in ("first", "second"))
        for number, opponent in ((first, second), (second, first)):
            column = lines.get(opponent, "") if is_square else str(change["round"])
            marked.add((number, column))
    if not marked:
        return document

    def cell_in(column: Column) -> Callable[[Record], Cell]:
        def cell(record: Record) -> Cell:
            is_marked = (record["number"], column.name) in marked
            return f"{column.cell_of(record)}{CORRECTED if is_marked else ''}"

        return cell

    names = {name for _, name in marked}
    cells = {each.name: cell_in(each) for each in document.columns if each.name in names}
    note = gettext("%(mark)s marks a result that was corrected.") % {"mark": CORRECTED}
    return replace(document.with_cells(cells), notes=(*document.notes, note))


def _explanation(tournament: Tournament, *, is_square: bool) -> str:
    """Return what the cells mean."""
    has_two = tournament.games_per_pairing == 2
    draws = [DRAWS] if has_two or find_game(tournament.game).draws else []
    texts = [SQUARE_CELLS if is_square else CELLS, *draws, *([TWO_GAMES] if has_two else [])]
    return " ".join(map(gettext, texts))


def _cell_at(place: int, record: Record) -> str:
    return str(record["cells"][place])


def _points(table: Table, line: CrosstableRow) -> str:
    return table.crosstable.points.format_units(table.crosstable.points_of(line.number))
