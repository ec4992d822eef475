"""The pairings of a round as CSV and as a line a board.

CSV columns: `round,board,kind,first_id,first,second_id,second,result,termination,state`; the ids
are pairing numbers. A bye has no board and no second.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ratings.systems.lists import without_formula
from tournament.standings.table import csv_text

COLUMNS = (
    "round", "board", "kind", "first_id", "first", "second_id", "second", "result", "termination",
    "state",
)  # fmt: skip


def written(
    lines: Iterable[Mapping[str, Any]], number: int, form: str, *, mark: bool = False
) -> str:
    """A round's pairings as csv or ndjson; `mark` begins CSV with a BOM."""
    if form == "ndjson":
        return "".join(
            f"{json.dumps({'round': number, **line}, ensure_ascii=False)}\n" for line in lines
        )
    rows = ([number, *_cells(line)] for line in lines)
    return csv_text([COLUMNS, *rows], byte_order_mark=mark)


def _cells(line: Mapping[str, Any]) -> Sequence[Any]:
    seats = (
        (seated["pairing_number"], without_formula(seated["name"])) if seated else ("", "")
        for seated in (line["first"], line["second"])
    )
    told = [line[name] or "" for name in ("result", "termination", "state")]
    return [line["board"] or "", line["kind"], *(cell for seat in seats for cell in seat), *told]
