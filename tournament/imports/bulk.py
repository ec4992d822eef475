"""Many rows of one table at once, where `bulk_create` takes longer than all the rest of an import.

It prepares a value and writes a placeholder for each cell; most cells of an event's games are
alike, so each column is gone through on its own here, and a value that was prepared is kept.
"""

from collections.abc import Callable, Sequence
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import AutoField, Field, JSONField, Model

from games.bulk import BATCH_SIZE
from games.imports.progress import Progress, no_progress


def insert(rows: Sequence[Model], *, step: str = "", progress: Progress = no_progress) -> None:
    """Insert rows of one model, all with ids of their own or none, and note the ids they got.

    What the rows point to is saved before. Belongs into a transaction, which is broken by what
    the tables refuse (IntegrityError, DataError).
    """
    if not rows:
        return
    meta, connection = rows[0]._meta, connections[DEFAULT_DB_ALIAS]
    has_ids = rows[0].pk is not None
    fields = [one for one in meta.concrete_fields if has_ids or not isinstance(one, AutoField)]
    size = min(BATCH_SIZE, connection.ops.bulk_batch_size(fields, rows))
    quote = connection.ops.quote_name
    names = ", ".join(quote(str(one.column)) for one in fields)
    returning = "" if has_ids else f" RETURNING {quote(str(meta.pk.column))}"
    is_postgresql = connection.vendor == "postgresql"
    # A length would cut what is longer without a word; the table refuses it.
    types = [str(one.db_type(connection)).partition("(")[0] for one in fields]
    arrays = f"SELECT * FROM UNNEST({', '.join(f'(%s)::{one}[]' for one in types)})"
    one_row = f"({', '.join(['%s'] * len(fields))})"
    preparing = [(one, _preparing(one, connection)) for one in fields]
    with connection.cursor() as cursor:
        for start in range(0, len(rows), size):
            progress(step, start, len(rows))
            some = rows[start : start + size]
            columns = [
                [prepare(field.pre_save(row, add=True)) for row in some]
                for field, prepare in preparing
            ]
            if is_postgresql:
                source, values = arrays, columns
            else:
                source = f"VALUES {', '.join([one_row] * len(some))}"
                values = [value for row in zip(*columns, strict=True) for value in row]
            into = f"INSERT INTO {quote(meta.db_table)} ({names})"
            cursor.execute(f"{into} {source}{returning}", values)
            ids = [row.pk for row in some] if has_ids else [pk for (pk,) in cursor.fetchall()]
            for row, pk in zip(some, ids, strict=True):
                row.pk = pk
                row._state.adding, row._state.db = False, connection.alias


def _preparing(field: "Field[Any, Any]", connection: BaseDatabaseWrapper) -> Callable[[Any], Any]:
    """How a column's values are made what the database takes, each once."""

    def prepare(value: Any) -> Any:
        return field.get_db_prep_save(value, connection)

    known: dict[tuple[type, Any], Any] = {}

    def prepare_once(value: Any) -> Any:
        key = type(value), value
        if key not in known:
            known[key] = prepare(value)
        return known[key]

    return prepare if isinstance(field, JSONField) else prepare_once
