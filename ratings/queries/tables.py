"""The versions of the table of handicaps: that of the code, and those of the database."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, TypeAlias

from games.core.errors import unknown_key
from ratings.models import TableRow, TableVersion
from ratings.systems.handicap import FIRST_VERSION, PRIORS, GameTables, HandicapTable

Tables: TypeAlias = Mapping[str, GameTables]
"""The values by version."""
REASON_OF_PRIORS = "the project's priors, not measurements"
TABLE_VALUES = ("first_move", "first_stone", "further_stone", "point")


def load_versions() -> list[TableVersion]:
    """Return the versions, oldest first; that of the code is not saved, and has the id 0."""
    first = TableVersion(pk=0, version=FIRST_VERSION, reason=REASON_OF_PRIORS)
    return [first, *TableVersion.objects.order_by("pk")]


def list_versions() -> list[str]:
    """Return the names of the versions, oldest first."""
    return [FIRST_VERSION, *TableVersion.objects.order_by("pk").values_list("version", flat=True)]


def load_tables(versions: Sequence[str] | None = None) -> Tables:
    """Return the values of every version, or of these, by game and board."""
    found: dict[str, dict[tuple[str, str], HandicapTable]] = defaultdict(dict)
    rows = TableRow.objects.values_list("version__version", "game", "board", *TABLE_VALUES)
    if versions is not None:
        rows = rows.filter(version__version__in=versions)
    for version, game, board, *values in rows:
        found[version][game, board] = HandicapTable(*values)
    return {FIRST_VERSION: PRIORS, **found}


def load_table(version: str) -> GameTables:
    """Return the values of a version by game and board; raises Unprocessable if it is unknown."""
    tables = load_tables([version]) if version != FIRST_VERSION else {FIRST_VERSION: PRIORS}
    if version not in tables:
        raise unknown_key("handicap_table", version, list_versions())
    return tables[version]


def tables_as_json(versions: Sequence[TableVersion]) -> list[dict[str, Any]]:
    """Return the JSON of versions; one query reads their values."""
    tables = load_tables([found.version for found in versions])
    return [table_as_json(found.version, found.reason, tables[found.version]) for found in versions]


def table_as_json(version: str, reason: str, table: GameTables) -> dict[str, Any]:
    """Return the JSON of a version."""
    rows = [
        {"game": game, "board": board, **asdict(values)}
        for (game, board), values in sorted(table.items())
    ]
    return {"version": version, "reason": reason, "rows": rows}
