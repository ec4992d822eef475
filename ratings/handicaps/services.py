"""Add a version of the table of handicaps."""

from collections.abc import Mapping
from dataclasses import asdict
from functools import partial

from django.db import transaction

from games.core.errors import Unprocessable, check_all
from games.core.journal.lines import append_line
from games.core.journal.rows import changed_rows
from games.models import Account
from games.rules.text import Text
from ratings.core.conditions import load_table, model_of
from ratings.models import Pool, TableRow, TableVersion
from ratings.systems.handicap import CODE_TABLES, COVERED_BOARDS, GameTables


def _require_covered(index: int, place: tuple[str, str]) -> None:
    if place in COVERED_BOARDS:
        return
    game, board = place
    valid = [f"{game} {board}" for game, board in COVERED_BOARDS]
    detail = Text(
        "handicaps have no values in %(table)s on %(board)s", table=game[:40], board=board[:20]
    )
    raise Unprocessable("unknown_row", detail, at=f"/rows/{index}/board_size", valid=valid)


def add_table(
    pool: Pool, rows: Mapping[tuple[str, str], Mapping[str, int]], *, reason: str, by: Account
) -> TableVersion:
    """Add the next version; where `rows` has none, the values are those of the pool's table.

    So a version has no gaps, and its model is that of the pool's table. It changes nothing until a
    pool or an event names it. Raises Unprocessable for a row that no game needs.
    """
    check_all(*(partial(_require_covered, index, place) for index, place in enumerate(rows)))
    with transaction.atomic():
        # Versions belong to no row: who adds one locks the first pool, so that two get two numbers.
        Pool.objects.select_for_update(no_key=True).order_by("pk").first()
        start = load_table(pool.handicap_table)
        given = {place: type(start[place])(**values) for place, values in rows.items()}
        complete: GameTables = {**start, **given}
        number = len(CODE_TABLES) + TableVersion.objects.count() + 1
        version = TableVersion.objects.create(
            version=f"v{number}", model=model_of(complete), reason=reason, by=by
        )
        values = TableRow.objects.bulk_create(
            TableRow(version=version, game=game, board=board, **asdict(table))
            for (game, board), table in complete.items()
        )
        payload = {
            "version": version.version,
            "model": version.model,
            "reason": reason,
            "rows": [[*key, *asdict(table).values()] for key, table in sorted(complete.items())],
        }
        changed = changed_rows(version, *values)
        append_line(pool.stream, "table.added", payload, by=by, rows=changed)
    return version
