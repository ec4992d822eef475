"""Writing many rows at once: COPY on PostgreSQL, one prepared statement elsewhere.

Model objects would take ten times as long, and a run writes two rows a game.
"""

from collections.abc import Sequence
from typing import Any

from django.db import connection
from django.db.models import Model


def insert_rows(
    model: type[Model], columns: Sequence[str], rows: Sequence[tuple[Any, ...]]
) -> None:
    """Insert rows of these columns; all the others get what the database gives by itself."""
    quote = connection.ops.quote_name
    table, names = quote(model._meta.db_table), ", ".join(map(quote, columns))
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY {table} ({names}) FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
        else:
            marks = ", ".join(["%s"] * len(columns))
            cursor.executemany(f"INSERT INTO {table} ({names}) VALUES ({marks})", rows)
