"""Save one row by SQL that is written once: for the rows that nearly every change saves.

Django compiles each INSERT and UPDATE again, which takes longer than to execute it.
`games/imports/bulk.py` inserts many rows.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

from django.db import DEFAULT_DB_ALIAS, DatabaseError, connection
from django.db.models import AutoField, Field, Model
from django.db.transaction import mark_for_rollback_on_error

from games.sql import ALL_ROWS, ROW_COUNT, Sql

Fields = Sequence["Field[Any, Any]"]


def insert_row(row: Model) -> None:
    """Insert a row, as `save(force_insert=True)` does, and set its key if the database chooses it.

    Its values are no expressions, and the rows that it refers to were saved before it was created.
    """
    has_key = row.pk is not None
    sql, fields = _insert_statement(type(row), has_key)
    with mark_for_rollback_on_error():
        values = _values(row, fields, is_new=True)
        if has_key:
            sql.execute(connection, values, ROW_COUNT)
        else:
            ((row.pk,),) = sql.execute(connection, values, ALL_ROWS)
    row._state.adding, row._state.db = False, DEFAULT_DB_ALIAS


def update_row(row: Model, *names: str) -> None:
    """Save these fields of a stored row, as `save(update_fields=names)` does.

    Its values are no expressions. Raises DatabaseError if the row does not exist.
    """
    sql, fields = _update_statement(type(row), names)
    with mark_for_rollback_on_error():
        if not sql.execute(connection, _values(row, fields, is_new=False), ROW_COUNT):
            raise DatabaseError(f"{row._meta.label} {row.pk} does not exist")


def _values(row: Model, fields: Fields, *, is_new: bool) -> list[Any]:
    """Return the values of a row for the database, and set those that a field computes."""
    return [field.get_db_prep_save(field.pre_save(row, is_new), connection) for field in fields]


@cache
def _insert_statement(model: type[Model], has_key: bool) -> tuple[Sql, Fields]:
    """Return the INSERT of a row that has a key, or of one that the database gives a key."""
    meta, quote = model._meta, connection.ops.quote_name
    fields = [
        field for field in meta.concrete_fields if has_key or not isinstance(field, AutoField)
    ]
    table, columns = quote(meta.db_table), ", ".join(quote(str(field.column)) for field in fields)
    sql = f"INSERT INTO {table} ({columns}) VALUES ({', '.join(['%s'] * len(fields))})"
    if not has_key:
        sql += f" RETURNING {table}.{quote(str(meta.pk.column))}"
    return Sql(sql), fields


@cache
def _update_statement(model: type[Model], names: tuple[str, ...]) -> tuple[Sql, Fields]:
    """Return the UPDATE of these fields of the row with a key."""
    meta, quote = model._meta, connection.ops.quote_name
    fields = [field for field in meta.concrete_fields if {field.name, field.attname} & {*names}]
    if len(fields) < len(names):
        raise ValueError(f"{meta.label} has not all of the fields {', '.join(names)}")
    table, columns = quote(meta.db_table), [f"{quote(str(field.column))} = %s" for field in fields]
    key = f"{table}.{quote(str(meta.pk.column))}"
    sql = f"UPDATE {table} SET {', '.join(columns)} WHERE {key} = %s"
    return Sql(sql), [*fields, meta.pk]
