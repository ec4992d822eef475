"""Compare the rows of a pool with its journal: settings, decisions, batches, lists, tables."""

from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet

from games.core.journal.lines import load_lines
from games.core.journal.rows import Row, Rows, expanded, kind_of, rows_of, whole_rows
from games.models import JournalLine, Role
from games.play.verification import find_differences, fold_lines
from ratings.models import (
    Batch,
    Decision,
    Pool,
    PublishedList,
    RunRating,
    TableRow,
    TableVersion,
)

OF_ALL_POOLS = (TableVersion, TableRow)
"""The models whose rows belong to no pool: the journal of the pool whose officer made them has
them."""
LISTED = ("player_id", "rating", "games", "rank")


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
    listed = _find_listed(Pool.objects.filter(code=stream.removeprefix("pool/")).first())
    return [*errors, *find_differences(journalled, stored), *listed]


def _find_listed(pool: Pool | None) -> Iterator[str]:
    """Yield a sentence for each rating on a list that the runs up to it did not give."""
    if pool is None:
        return
    runs = RunRating.objects.filter(pool=pool).order_by("run__number")
    for published in pool.published_lists.select_related("run").order_by("published_on"):
        name = f"list {published.published_on}"
        until = runs.filter(run__number__lte=published.run.number)
        given = {row[0]: row[1:] for row in until.values_list("player_id", "rating", "games")}
        rows = list(published.ratings.order_by("-rating").values_list(*LISTED))
        if len(rows) != published.players:
            yield f"{name}: it has {len(rows)} players, not {published.players}"
        ranks: dict[int, int] = {}
        for place, row in enumerate(rows, start=1):
            ranks.setdefault(row[1], place)
        for player, rating, games, rank in rows:
            if given.get(player) != (rating, games) or rank != ranks[rating]:
                yield f"{name}: the runs did not give player {player} rating {rating}, rank {rank}"


def _tables_elsewhere(stream: str) -> set[tuple[str, str]]:
    """Return the kinds and keys of the tables in the journals of other pools."""
    lines = JournalLine.objects.filter(kind="table.added").exclude(stream=stream)
    return {
        (kind, key)
        for line in lines.filter(payload__isnull=False).select_related("payload")
        for kind, key, _ in expanded(line.payload.rows or {})
    }
