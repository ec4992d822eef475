"""Columns of 64-bit integers from PostgreSQL as arrays, without Python code for each row.

The database sends one array for each column.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import psycopg
from django.db import connection

from ratings.systems.history import Column

ARRAY_HEADER = 20
"""Bytes before the items of an array in the binary format of PostgreSQL, each after its length."""

ARRAY_ITEM = np.dtype([("length", ">i4"), ("value", ">i8")])


def load_integer_columns(query: str, values: Sequence[Any], *, columns: int) -> Column:
    """Return the rows of a query of so many columns, all bigint, as an array of its columns."""
    names = [f"column_{number}" for number in range(columns)]
    arrays = ", ".join(f"array_agg({name})" for name in names)
    statement = f"SELECT {arrays} FROM ({query}) AS source ({', '.join(names)})"
    binary = psycopg.Cursor(connection.connection)
    text = psycopg.ClientCursor(connection.connection).mogrify(statement, values)
    with connection.wrap_database_errors:
        binary.execute(text, binary=True)
    result = binary.pgresult
    assert result is not None
    items = [result.get_value(0, number) for number in range(columns)]
    if items[0] is None:
        return np.empty((columns, 0), np.int64)
    return np.stack(
        [np.frombuffer(item or b"", ARRAY_ITEM, offset=ARRAY_HEADER)["value"] for item in items]
    ).astype(np.int64)
