"""Queries whose SQL is compiled once, for the few rows that nearly every request reads.

Django compiles the SQL of a query each time. For one row, that takes several times as long as to
execute it.
"""

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db import connections
from django.db.models import QuerySet
from django.db.models.sql import Query
from django.db.models.sql.compiler import SQLCompiler
from django.db.transaction import TransactionManagementError

Row = TypeVar("Row")

SMALLEST_COLUMN = 2**15 - 1
"""The largest number of the smallest columns: Django compiles no comparison with a larger one."""

MOST = 2**63 - 1
"""The largest number that SQLite can compare with."""


class CompiledQuery(Generic[Row]):
    """A query for values that each call states; the first call compiles it.

    `build` returns a query, of objects or with `values_list()`, for values of these types. Its
    conditions may depend on nothing but these values, of which none is None.
    """

    def __init__(self, build: "Callable[..., QuerySet[Any, Row]]", *types: type[int | str]) -> None:
        self._build = build
        self._examples = tuple(
            SMALLEST_COLUMN - number if kind is int else f"\t{number}"
            for number, kind in enumerate(types)
        )
        self._statement: _Statement | None = None

    def rows(self, *values: int | str) -> list[Row]:
        """Return the rows for the values."""
        if any(isinstance(value, int) and not 0 <= value <= MOST for value in values):
            return list(self._build(*values))  # Django knows that no column has it
        if self._statement is None:
            self._statement = _compile(self._build(*self._examples), self._examples)
        template: Any = self._statement.queryset
        query: Any = _BoundStatement(self._statement, values)
        queryset: Any = QuerySet(template.model, query, template.db)
        queryset._fields = template._fields
        return list(template._iterable_class(queryset))

    def first(self, *values: int | str) -> Row | None:
        """Return the first row for the values, None if there is none."""
        return next(iter(self.rows(*values)), None)


@dataclass(frozen=True, slots=True)
class _Statement:
    """A compiled query; `places` says which value each parameter is, None for a constant."""

    queryset: "QuerySet[Any, Any]"
    compiler: SQLCompiler
    sql: str
    params: tuple[Any, ...]
    places: tuple[int | None, ...]
    converters: dict[int, Any]


@dataclass(frozen=True, slots=True)
class _BoundStatement:
    """A statement with the values of its parameters, which takes the place of a query."""

    statement: _Statement
    values: Sequence[int | str]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.statement.queryset.query, name)

    def get_compiler(self, using: str) -> SQLCompiler:
        """Return a compiler that has the SQL already."""
        statement, connection = self.statement, connections[using]
        compiler = copy(statement.compiler)
        if compiler.query.select_for_update and connection.get_autocommit():
            raise TransactionManagementError("a row can be locked in a transaction only")
        compiler.connection = connection
        bound = (
            statement.sql,
            tuple(
                param if place is None else self.values[place]
                for param, place in zip(statement.params, statement.places, strict=True)
            ),
        )
        known: dict[str, Any] = {
            "as_sql": lambda: bound,
            "get_converters": lambda _: statement.converters,
        }
        vars(compiler).update(known)
        return compiler


def _compile(queryset: "QuerySet[Any, Any]", examples: Sequence[int | str]) -> _Statement:
    """Return the statement of a query for examples of its values."""
    query: Query = queryset.query
    compiler = query.get_compiler(using=queryset.db)
    sql, params = compiler.as_sql()
    places = tuple(examples.index(param) if param in examples else None for param in params)
    if {*places} - {None} != {*range(len(examples))}:
        raise ValueError(f"{sql} has other values than {len(examples)} that are compared as stated")
    fields = [column[0] for column in compiler.select[: compiler.col_count]]
    converters = compiler.get_converters(fields)
    return _Statement(queryset, compiler, sql, tuple(params), places, converters)
