"""Standings as JSON, CSV, a line a row, and a page.

The columns of the CSV are `rank,id,name` and one a code, in the event's order; `id` is the
pairing number. An old round is told as it stood when it was completed, with what became of it
since beside it.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ratings.systems.lists import without_formula
from tournament.exports.table import Table, person
from tournament.models import Snapshot
from tournament.standings.points import decimal_text
from tournament.standings.rendering import page_html
from tournament.standings.table import Row, csv_text

CORRECTED = "Corrected since: {}."


def shown_rows(table: Table, *, with_terms: bool = False) -> list[dict[str, Any]]:
    """The rows as the API shows them; values as exact decimal text, undefined ones null."""
    return [_shown(table, row, with_terms) for row in table.rows]


def _shown(table: Table, row: Row, with_terms: bool) -> dict[str, Any]:
    shown = {
        "rank": row.rank,
        "number": row.number,
        "player": person(table, row.number),
        "seed_rating": table.crosstable.by_number[row.number].rating,
        "values": {
            code: None if value is None else decimal_text(value)
            for code, value in row.values.items()
        },
    }
    if with_terms:
        shown["terms"] = {
            label: [term.as_dict() for term in row.terms(label)] for label in row.values
        }
    return shown


def as_it_is(table: Table, *, with_terms: bool = False) -> dict[str, Any]:
    """The table computed from the results as they are now."""
    return {
        **table.head(),
        "tiebreaks": list(table.labels),
        "rows": shown_rows(table, with_terms=with_terms),
    }


def as_it_stood(table: Table, snapshot: Snapshot) -> dict[str, Any]:
    """The table of the day on which the round was completed, and what was corrected since.

    `corrected` holds a line for each player whose rank or values come out otherwise now:
    `rank` and `values` give what stood and what stands.
    """
    stood = snapshot.body["rows"]
    return {
        **table.head(),
        "tiebreaks": snapshot.body["tiebreaks"],
        "rows": [{k: v for k, v in row.items() if k != "entry"} for row in stood],
        "stood_at": snapshot.taken_at,
        "digest": snapshot.digest,
        "corrected": list(_corrections(table, stood)),
    }


def _corrections(table: Table, stood: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Compare by entry: a late entry moves pairing numbers and corrects nothing."""
    now = {table.entries[row["number"]]: row for row in shown_rows(table)}
    old = [row["entry"] for row in stood]
    place = {entry: row["rank"] for entry, row in now.items()}
    newcomers = sorted(rank for entry, rank in place.items() if entry not in set(old))
    for row in stood:
        found = now.get(row["entry"])
        if found is None:
            continue
        rank = found["rank"] - sum(place < found["rank"] for place in newcomers)
        values = {
            code: [value, found["values"].get(code)]
            for code, value in row["values"].items()
            if value != found["values"].get(code) and not code.startswith("TPN")
        }
        if values or rank != row["rank"]:
            yield {
                "number": row["number"],
                "player": row["player"],
                "rank": [row["rank"], rank],
                "values": values,
            }


def written(content: Mapping[str, Any], form: str, *, title: str, mark: bool = False) -> str:
    """A table in one of its written forms: csv, ndjson or html; `mark` begins CSV with a BOM."""
    if form == "ndjson":
        lines = (json.dumps(row, ensure_ascii=False) for row in content["rows"])
        return "".join(f"{line}\n" for line in lines)
    head = ["rank", "id", "name", *content["tiebreaks"]]
    rows = [
        [row["rank"], row["number"], row["player"]["name"], *map(_cell, row["values"].values())]
        for row in content["rows"]
    ]
    if form == "csv":
        safe = ([rank, number, without_formula(name), *rest] for rank, number, name, *rest in rows)
        return csv_text([head, *safe], byte_order_mark=mark)
    changed = [line["player"]["name"] for line in content.get("corrected", ())]
    note = CORRECTED.format(", ".join(changed)) if changed else ""
    return page_html(["Rank", "Id", "Name", *content["tiebreaks"]], rows, title=title, note=note)


def _cell(value: str | None) -> str:
    return "" if value is None else value
