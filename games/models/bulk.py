"""The statistics from which the database plans its queries.

Read and write many rows in batches.
"""

from collections.abc import Iterator, Sequence
from typing import TypeVar

from django.db import connection
from django.db.models import Model

BATCH_SIZE = 500
"""Rows per SQL statement; SQLite takes at most 32,766 values, and a row has some dozens."""

T = TypeVar("T")


def chunks(values: Sequence[T], size: int = BATCH_SIZE) -> Iterator[Sequence[T]]:
    """Yield the values in their order, `size` at a time."""
    for start in range(0, len(values), size):
        yield values[start : start + size]


CHANGED_TABLES = """
SELECT relation.oid::regclass::text
FROM pg_class AS relation
JOIN pg_stat_user_tables AS stored ON stored.relid = relation.oid
JOIN pg_stat_xact_user_tables AS own ON own.relid = relation.oid
WHERE relation.oid = ANY(%s::regclass[]) AND (
    relation.reltuples < 0
    OR stored.n_mod_since_analyze + own.n_tup_ins + own.n_tup_upd + own.n_tup_del
        > relation.reltuples / 10
)
ORDER BY relation.oid
"""
"""The tables that were never counted, or of which a tenth of the rows was written since then.

The first numbers are those of other transactions, the others those of this one.
"""


def update_statistics(*models: type[Model]) -> None:
    """Let PostgreSQL count the rows of these models, in the transaction of the caller if any.

    It does so by itself about a minute after many rows were written. Until then it expects few,
    and a query that it plans in this time can read all rows again for each of them. A table is
    skipped if few of its rows were written since it was counted, or if it is being counted already.
    SQLite needs no statistics for the queries of this project.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(CHANGED_TABLES, [[model._meta.db_table for model in models]])
            if changed := [table for (table,) in cursor.fetchall()]:
                cursor.execute(f"ANALYZE (SKIP_LOCKED) {', '.join(changed)}")
