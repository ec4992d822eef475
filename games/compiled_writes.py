"""Save rows by SQL that is written once: those that nearly every change saves.

Django compiles each INSERT and UPDATE again, which takes longer than to execute it.
`games/imports/bulk.py` inserts many rows.
"""

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from itertools import chain
from typing import Any

from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import AutoField, Field, Model, QuerySet
from django.db.models.sql import UpdateQuery
from django.db.transaction import mark_for_rollback_on_error

from games.bulk import chunks
from games.sql import ALL_ROWS, ROW_COUNT, Sql
from games.stated_values import StatedValues, Value

Fields = Sequence["Field[Any, Any]"]


def insert_row(row: Model) -> None:
    """Insert a row, as `save(force_insert=True)` does, and set its key if the database chooses it.

    Its values are no expressions, and the rows that it refers to were saved before it was created.
    """
    has_key = row.pk is not None
    sql, fields = _insert_statement(type(row), has_key)
    connection = connections[DEFAULT_DB_ALIAS]
    with mark_for_rollback_on_error():
        values = _values(row, fields, connection, is_new=True)
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
    connection = connections[DEFAULT_DB_ALIAS]
    with mark_for_rollback_on_error():
        if not sql.execute(connection, _values(row, fields, connection, is_new=False), ROW_COUNT):
            raise DatabaseError(f"{row._meta.label} {row.pk} does not exist")


def update_rows(rows: Sequence[Model], *names: str) -> None:
    """Save these fields of stored rows of a model in few statements, as `bulk_update` does.

    Their values are neither expressions nor JSON.
    """
    if not rows:
        return
    connection = connections[DEFAULT_DB_ALIAS]
    is_array = connection.vendor == "postgresql"
    with transaction.atomic(savepoint=False):
        for chunk in chunks(rows):
            sql, fields = _rows_statement(type(rows[0]), names, 0 if is_array else len(chunk))
            values = [_values(row, fields, connection, is_new=False) for row in chunk]
            columns = map(list, zip(*values, strict=True))
            params = list(columns) if is_array else list(chain.from_iterable(values))
            sql.execute(connection, params, ROW_COUNT)


class CompiledUpdate:
    """An `update()` for values that each call states; the first call compiles it.

    `build` returns the query of the rows and their new values, for values of these types, none of
    which is None; these depend on nothing else.
    """

    def __init__(
        self,
        build: "Callable[..., tuple[QuerySet[Any, Any], dict[str, Any]]]",
        *types: type[Value],
    ) -> None:
        self._build = build
        self._values = StatedValues(types)
        self._sql: Sql | None = None

    def execute(self, *values: Value) -> int:
        """Update the rows for the values, and return how many there are."""
        sql = self._sql or self._compile()
        connection = connections[DEFAULT_DB_ALIAS]
        with mark_for_rollback_on_error():
            return sql.execute(connection, self._values.params(values, connection), ROW_COUNT)

    def _compile(self) -> Sql:
        rows, changes = self._build(*self._values.examples)
        query: Any = rows.query.chain(UpdateQuery)
        query.add_update_values(changes)
        query.clear_ordering(force=True)
        query.clear_select_clause()
        text, params = query.get_compiler(using=rows.db).as_sql()
        self._values.find_places(text, params, connections[DEFAULT_DB_ALIAS])
        self._sql = Sql(text)
        return self._sql


def _values(
    row: Model, fields: Fields, connection: BaseDatabaseWrapper, *, is_new: bool
) -> list[Any]:
    """Return the values of a row for the database, and set those that a field computes."""
    return [field.get_db_prep_save(field.pre_save(row, is_new), connection) for field in fields]


@cache
def _insert_statement(model: type[Model], has_key: bool) -> tuple[Sql, Fields]:
    """Return the INSERT of a row that has a key, or of one that the database gives a key."""
    meta, quote = model._meta, connections[DEFAULT_DB_ALIAS].ops.quote_name
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
    meta, quote = model._meta, connections[DEFAULT_DB_ALIAS].ops.quote_name
    fields = _fields_named(model, names)
    table, columns = quote(meta.db_table), [f"{quote(str(field.column))} = %s" for field in fields]
    key = f"{table}.{quote(str(meta.pk.column))}"
    sql = f"UPDATE {table} SET {', '.join(columns)} WHERE {key} = %s"
    return Sql(sql), [*fields, meta.pk]


@lru_cache(maxsize=500)
def _rows_statement(model: type[Model], names: tuple[str, ...], count: int) -> tuple[Sql, Fields]:
    """Return the UPDATE of so many rows, whose values are the fields and then the key.

    It takes an array of each column, for any number of rows, if `count` is 0.
    """
    meta, quote = model._meta, connections[DEFAULT_DB_ALIAS].ops.quote_name
    fields = [*_fields_named(model, names), meta.pk]
    columns = [f"column{number}" for number in range(1, len(fields) + 1)]
    if count:
        row = f"({', '.join(['%s'] * len(fields))})"
        source = f"(VALUES {', '.join([row] * count)}) AS source"
    else:
        # A cast to a type with a length would truncate silently; without it, the table rejects.
        connection = connections[DEFAULT_DB_ALIAS]
        types = [str(field.db_type(connection)).partition("(")[0] for field in fields]
        arrays = ", ".join(f"%s::{kind}[]" for kind in types)
        source = f"UNNEST({arrays}) AS source ({', '.join(columns)})"
    table, key = quote(meta.db_table), quote(str(meta.pk.column))
    new = [
        f"{quote(str(field.column))} = source.{column}"
        for field, column in zip(fields[:-1], columns, strict=False)
    ]
    sql = f"UPDATE {table} SET {', '.join(new)} FROM {source} WHERE {table}.{key} = "
    return Sql(f"{sql}source.{columns[-1]}"), fields


def _fields_named(model: type[Model], names: tuple[str, ...]) -> list["Field[Any, Any]"]:
    meta = model._meta
    fields = [field for field in meta.concrete_fields if {field.name, field.attname} & {*names}]
    if len(fields) < len(names):
        raise ValueError(f"{meta.label} has not all of the fields {', '.join(names)}")
    return fields
