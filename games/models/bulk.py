"""Many rows: in batches, and with statistics from which the database plans its queries."""

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


def update_statistics(*models: type[Model]) -> None:
    """Let PostgreSQL count the rows of these models, in the transaction of the caller if any.

    It does so by itself about a minute after many rows were written. Until then it expects few, and
    reads all rows again for each batch of a rating run: the correction of one of 50,000 games took
    ten minutes instead of a second. SQLite needs no statistics for the queries of this project.
    """
    if connection.vendor == "postgresql":
        tables = ", ".join(model._meta.db_table for model in models)
        with connection.cursor() as cursor:
            cursor.execute(f"ANALYZE (SKIP_LOCKED) {tables}")
