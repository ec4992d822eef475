"""Standings as JSON, CSV, a line a row, and a page.

The columns of the CSV are `rank,id,name` and one a code, in the event's order; `id` is the
pairing number. An old round is told as it stood when it was completed, with what became of it
since beside it.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from ratings.systems.lists import without_formula
from tournament.documents.corrections import corrected_rows
from tournament.documents.renderers.html import page_html
from tournament.models import Snapshot
from tournament.queries.people import people_since
from tournament.queries.standings import Stood, Table
from tournament.standings.points import format_decimal
from tournament.standings.table import StandingsRow, csv_text


def shown_rows(table: Table, *, with_terms: bool = False) -> list[dict[str, Any]]:
    """The rows as the API shows them; values as exact decimal text, undefined ones null."""
    people, players = table.people, table.crosstable.by_number
    return [
        {
            "rank": row.rank,
            "number": row.number,
            "player": people[row.number],
            "seed_rating": players[row.number].rating,
            "values": {
                code: None if value is None else format_decimal(value)
                for code, value in row.values.items()
            },
            **({"terms": _terms(row)} if with_terms else {}),
        }
        for row in table.rows
    ]


def _terms(row: StandingsRow) -> dict[str, list[dict[str, Any]]]:
    return {label: [term.as_json() for term in row.terms(label)] for label in row.values}


def as_it_is(table: Table, *, with_terms: bool = False) -> dict[str, Any]:
    """The table alone, whether of now or of then."""
    return {
        **table.head(),
        "tiebreaks": list(table.labels),
        "rows": shown_rows(table, with_terms=with_terms),
    }


def as_it_stood(
    table: Table, stood: Stood, now: Table, *, with_terms: bool = False
) -> dict[str, Any]:
    """The table of the day on which the round was completed, and what was corrected since.

    `corrected` holds a line for each player whose rank or values come out otherwise now:
    `rank` and `values` give what stood and what stands.
    """
    shown = as_it_is(table, with_terms=with_terms)
    corrected = corrected_rows(_with_entries(table, shown["rows"]), _entered_rows(now))
    return {**shown, "digest": stood.digest, "corrected": list(corrected)}


def as_it_was_kept(snapshot: Snapshot, now: Table) -> dict[str, Any]:
    """The same of an old snapshot, which kept the rows alone."""
    rows = snapshot.body["rows"]
    blank = [row["entry"] for row in rows if not row["player"]["name"]]
    people = people_since(now.tournament, blank)
    rows = [{**row, "player": people.get(row["entry"], row["player"])} for row in rows]
    return {
        **replace(now, stood=Stood(snapshot.taken_at, snapshot.digest)).head(),
        "tiebreaks": snapshot.body["tiebreaks"],
        "rows": [{k: v for k, v in row.items() if k != "entry"} for row in rows],
        "digest": snapshot.digest,
        "corrected": list(corrected_rows(rows, _entered_rows(now))),
    }


def _entered_rows(table: Table) -> list[dict[str, Any]]:
    return _with_entries(table, shown_rows(table))


def _with_entries(table: Table, rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [{**row, "entry": table.entries[row["number"]]} for row in rows]


def written(
    content: Mapping[str, Any], form: str, *, title: str, note: str = "", mark: bool = False
) -> str:
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
    return page_html(["Rank", "Id", "Name", *content["tiebreaks"]], rows, title=title, note=note)


def _cell(value: str | None) -> str:
    return "" if value is None else value
