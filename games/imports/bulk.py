"""Insert many rows of one table faster than `bulk_create`.

`bulk_create` prepares every value of every row, but most values of a column repeat in the games of
a tournament. `insert_values` works column by column: it prepares each distinct value once, and
sends a value that all rows share once per statement. With `bulk_create`, a TRF file of 1000 players
and 9 rounds and its bundle miss the goal of 3 s (tests/bench).
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import chain, repeat
from operator import is_
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import AutoField, Field, JSONField, Model
from django.db.models.options import Options

from games.bulk import BATCH_SIZE
from games.imports.progress import Progress, no_progress
from games.models.fields import FoldedField


def insert_rows(rows: Sequence[Model], *, step: str = "", progress: Progress = no_progress) -> None:
    """Insert rows of one model, all with a primary key or all without, and set the new keys.

    Save the rows that they refer to first. Run this in a transaction: IntegrityError and DataError
    break it.
    """
    if not rows:
        return
    for field in rows[0]._meta.concrete_fields:
        is_dated = getattr(field, "auto_now", False) or getattr(field, "auto_now_add", False)
        if is_dated or isinstance(field, FoldedField):
            for row in rows:
                field.pre_save(row, add=True)
    values = [vars(row) for row in rows]
    keys = insert_values(type(rows[0]), values, step=step, progress=progress)
    for row, key in zip(rows, keys, strict=True):
        row.pk = key
        row._state.adding, row._state.db = False, DEFAULT_DB_ALIAS


def insert_values(
    model: type[Model],
    rows: Sequence[Mapping[str, Any]],
    *,
    step: str = "",
    progress: Progress = no_progress,
) -> list[int]:
    """Insert rows given as values by attribute, as `insert_rows` does, and return their keys.

    `vars(row)` of an unsaved instance gives these values. A copy of them with some values replaced
    is a similar row, without the cost of an instance.
    """
    if not rows:
        return []
    connection, meta = connections[DEFAULT_DB_ALIAS], model._meta
    has_keys = rows[0][meta.pk.attname] is not None
    fields = [
        field for field in meta.concrete_fields if has_keys or not isinstance(field, AutoField)
    ]
    columns = {field: [row[field.attname] for row in rows] for field in fields}
    shared = [field for field in fields[1:] if _are_same(columns[field])]
    varying = [field for field in fields if field not in shared]
    constants = [field.get_db_prep_save(columns[field][0], connection) for field in shared]
    prepare = {field: _prepare_once(field, connection) for field in varying}
    most_values = connection.features.max_query_params or BATCH_SIZE * len(fields)
    size = min(BATCH_SIZE, (most_values - len(shared)) // len(varying))

    keys: list[int] = []
    with connection.cursor() as cursor:
        for start in range(0, len(rows), size):
            progress(step, start, len(rows))
            prepared = [
                [prepare[field](value) for value in columns[field][start : start + size]]
                for field in varying
            ]
            statement = _insert_statement(meta, shared, varying, len(prepared[0]), connection)
            if connection.vendor != "postgresql":
                prepared = list(chain.from_iterable(zip(*prepared, strict=True)))
            cursor.execute(statement, constants + prepared)
            keys += [key for (key,) in cursor.fetchall()]
    return keys


def _are_same(values: Sequence[Any]) -> bool:
    return all(map(is_, values, repeat(values[0])))


def _insert_statement(
    meta: "Options[Model]",
    shared: Sequence["Field[Any, Any]"],
    varying: Sequence["Field[Any, Any]"],
    count: int,
    connection: BaseDatabaseWrapper,
) -> str:
    """Return the statement that inserts `count` rows: the shared values come first.

    PostgreSQL takes the other columns as arrays, SQLite takes them row by row.
    """
    quote = connection.ops.quote_name
    names = ", ".join(quote(str(field.column)) for field in (*shared, *varying))
    if connection.vendor == "postgresql":
        # A cast to a type with a length would truncate silently; without it, the table rejects.
        types = {f: str(f.db_type(connection)).partition("(")[0] for f in (*shared, *varying)}
        constants = "".join(f"%s::{types[field]}, " for field in shared)
        source = f"UNNEST({', '.join(f'%s::{types[field]}[]' for field in varying)}) AS source"
    else:
        constants = "%s, " * len(shared)
        row = f"({', '.join(['%s'] * len(varying))})"
        source = f"(VALUES {', '.join([row] * count)}) AS source"
    return (
        f"INSERT INTO {quote(meta.db_table)} ({names}) SELECT {constants}source.* FROM {source}"
        f" RETURNING {quote(str(meta.pk.column))}"
    )


def _prepare_once(
    field: "Field[Any, Any]", connection: BaseDatabaseWrapper
) -> Callable[[Any], Any]:
    """Return a function that prepares a value for the database, each distinct value once.

    Equal JSON values can have different texts, so JSON is prepared once for each object.
    """
    is_json = isinstance(field, JSONField)
    known: dict[Any, Any] = {}

    def prepare_once(value: Any) -> Any:
        key = id(value) if is_json else (type(value), value)
        if key not in known:
            known[key] = field.get_db_prep_save(value, connection)
        return known[key]

    return prepare_once
