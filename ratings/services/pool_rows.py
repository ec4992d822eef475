"""Compare the rows of a pool with its journal: settings, decisions, batches, lists, tables."""

from typing import Any

from django.db.models import QuerySet

from games.journal import load_lines
from games.models import JournalLine, Role
from games.row_changes import Row, Rows, expanded, kind_of, rows_of, whole_rows
from games.services.verification import find_differences, fold_lines
from ratings.models import Batch, Decision, Pool, PublishedList, TableRow, TableVersion

OF_ALL_POOLS = (TableVersion, TableRow)
"""The models whose rows belong to no pool: the journal of the pool whose officer made them has
them."""


def pool_querysets(stream: str) -> "list[QuerySet[Any]]":
    """Return the rows of a pool that its journal describes, by model."""
    pools = Pool.objects.filter(code=stream.removeprefix("pool/"))
    models = (Decision, Batch, PublishedList)
    return [
        pools,
        *(model._default_manager.filter(pool__in=pools) for model in models),
        Role.objects.filter(stream=stream),
    ]


def verify_pool_rows(stream: str) -> list[str]:
    """Return a sentence for each difference between the rows of a pool and its journal.

    No line describes the creation of the pool that every installation starts with.
    """
    first = Pool(code="star", name="*Star", preset="decay", casual_games=["star-star"])
    before: Rows = whole_rows(first) if first.stream == stream else {}
    lines = load_lines(stream)
    journalled, errors = fold_lines(lines, before=before)
    stored: dict[str, dict[str, Row]] = {
        kind_of(found.model): rows_of(found) for found in pool_querysets(stream)
    }
    elsewhere = _tables_elsewhere(stream)
    for model in OF_ALL_POOLS:
        kind = kind_of(model)
        rows = rows_of(model._default_manager.all())
        stored[kind] = {key: row for key, row in rows.items() if (kind, key) not in elsewhere}
    return [*errors, *find_differences(journalled, stored)]


def _tables_elsewhere(stream: str) -> set[tuple[str, str]]:
    """Return the kinds and keys of the tables in the journals of other pools."""
    lines = JournalLine.objects.filter(kind="table.added").exclude(stream=stream)
    return {
        (kind, key)
        for line in lines.filter(payload__isnull=False).select_related("payload")
        for kind, key, _ in expanded(line.payload.rows or {})
    }
