"""Who wins what, as JSON, CSV, a line an award, and a page; the rules stand in standings/prizes.

CSV columns: `group,place,id,name,coins`; amounts are whole numbers of the smallest coin.
"""

import json
from collections.abc import Sequence
from typing import Any

from ratings.systems.lists import without_formula
from tournament.documents.renderers.html import page_html
from tournament.models import Entry
from tournament.queries.standings import Table, person
from tournament.standings.prizes import PrizeAward, PrizeGroup, award_prizes, parse_groups
from tournament.standings.table import csv_text

LEFT = (3,)
"""The column of the page that holds text, beside the third."""


def shown(table: Table) -> dict[str, Any]:
    """The groups in their order, each with its conditions and who wins in it."""
    groups = parse_groups(table.tournament.prizes)
    awards = awards_in(table)
    return {
        **table.head(),
        "year": _year(table),
        "groups": [
            _group(table, group, [one for one in awards if one.group == group.name])
            for group in groups
        ],
    }


def awards_in(table: Table) -> tuple[PrizeAward, ...]:
    """Who wins what by the event's groups, which are those of now whatever the table."""
    groups = parse_groups(table.tournament.prizes)
    withdrawn = _withdrawn(table) if groups else ()
    return award_prizes(
        table.crosstable, table.rows, groups, year=_year(table), withdrawn=withdrawn
    )


def _year(table: Table) -> int:
    return table.tournament.starts_on.year


def _withdrawn(table: Table) -> list[int]:
    rows = table.tournament.entries.filter(state=Entry.State.WITHDRAWN).values_list("pk", flat=True)
    gone = set(rows)
    return [number for number, entry in table.entries.items() if entry in gone]


def _group(table: Table, group: PrizeGroup, awards: Sequence[PrizeAward]) -> dict[str, Any]:
    offered, paid = sum(group.amounts), sum(award.coins for award in awards)
    return {
        **group.as_json(),
        "offered": offered,
        "paid": paid,
        "left": offered - paid,
        "awards": [_award(table, award) for award in awards],
    }


def _award(table: Table, award: PrizeAward) -> dict[str, Any]:
    return {
        "place": award.place,
        "number": award.number,
        "player": person(table, award.number),
        "coins": award.coins,
        "shared_places": list(award.shared_places),
    }


def written(table: Table, form: str, *, note: str = "", mark: bool = False) -> str:
    """The awards as csv, ndjson or html; `mark` begins CSV with a BOM."""
    flat = [
        {"group": group["name"], **award}
        for group in shown(table)["groups"]
        for award in group["awards"]
    ]
    if form == "ndjson":
        return "".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in flat)
    if form == "html":
        rows = [
            [one["place"], one["number"], one["player"]["name"], one["group"], one["coins"]]
            for one in flat
        ]
        head = ["Place", "Id", "Name", "Group", "Coins"]
        return page_html(head, rows, title=table.title, note=note, texts=LEFT)
    lines = [
        [
            without_formula(one["group"]),
            one["place"],
            one["number"],
            without_formula(one["player"]["name"]),
            one["coins"],
        ]
        for one in flat
    ]
    return csv_text([["group", "place", "id", "name", "coins"], *lines], byte_order_mark=mark)
