"""Who wins what, as JSON, CSV, a line an award, and a page.

CSV columns: `group,place,id,name,coins`; amounts are whole numbers of the smallest coin.
"""

import json
from typing import Any

from ratings.systems.lists import without_formula
from tournament.exports.table import Table, person
from tournament.standings.prizes import Award, award_prizes, parse_groups
from tournament.standings.rendering import page_html
from tournament.standings.table import csv_text


def shown(table: Table) -> dict[str, Any]:
    """The groups in their order, each with its conditions and who wins in it."""
    groups = parse_groups(table.tournament.prizes)
    awards = award_prizes(table.crosstable, table.rows, groups)
    return {
        **table.head(),
        "groups": [
            {
                **group.as_dict(),
                "awards": [_award(table, one) for one in awards if one.group == group.name],
            }
            for group in groups
        ],
    }


def _award(table: Table, award: Award) -> dict[str, Any]:
    return {
        "place": award.place,
        "number": award.number,
        "player": person(table, award.number),
        "coins": award.coins,
        "shared_places": list(award.shared_places),
    }


def written(table: Table, form: str, *, mark: bool = False) -> str:
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
        return page_html(["Place", "Id", "Name", "Group", "Coins"], rows, title=table.title)
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
