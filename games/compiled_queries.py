"""Queries whose SQL is compiled once: those for the few rows that nearly every request reads.

Django compiles the SQL of a query each time. For one row, that takes several times as long as to
execute it. `games/rows.py` reads whole pages by compiled queries.
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


@dataclass(frozen=True, slots=True)
class Statement:
    """A compiled query: its SQL, and how some columns become Python values."""

    queryset: "QuerySet[Any, Any]"
    compiler: SQLCompiler
    sql: str
    params: tuple[Any, ...]
    converters: dict[int, tuple[Sequence[Any], Any]]


def compile_query(queryset: "QuerySet[Any, Any]") -> Statement:
    """Return the statement of a query; raises EmptyResultSet if its conditions exclude all rows."""
    query: Query = queryset.query
    compiler = query.get_compiler(using=queryset.db)
    sql, params = compiler.as_sql()
    fields = [column[0] for column in compiler.select[: compiler.col_count]]
    return Statement(queryset, compiler, sql, tuple(params), compiler.get_converters(fields))


class CompiledQuery(Generic[Row]):
    """A query for values that each call states; the first call compiles it.

    `build` returns a query, of objects or with `values()` or `values_list()`, for values of these
    types. Its conditions may depend on nothing but these values, of which none is None.
    """

    def __init__(self, build: "Callable[..., QuerySet[Any, Row]]", *types: type[int | str]) -> None:
        self._build = build
        self._examples = tuple(
            SMALLEST_COLUMN - number if kind is int else f"\t{number}"
            for number, kind in enumerate(types)
        )
        self._statement: Statement | None = None
        self._places: tuple[int | None, ...] = ()

    def rows(self, *values: int | str) -> list[Row]:
        """Return the rows for the values."""
        if any(isinstance(value, int) and not 0 <= value <= MOST for value in values):
            return list(self._build(*values))  # Django knows that no column has it
        statement = self._statement or self._compile()
        template: Any = statement.queryset
        params = tuple(
            param if place is None else values[place]
            for param, place in zip(statement.params, self._places, strict=True)
        )
        query: Any = _BoundStatement(statement, params)
        queryset: Any = QuerySet(template.model, query, template.db)
        queryset._fields = template._fields
        return list(template._iterable_class(queryset))

    def first(self, *values: int | str) -> Row | None:
        """Return the first row for the values, None if there is none."""
        return next(iter(self.rows(*values)), None)

    def _compile(self) -> Statement:
        """Store the statement, and which value each of its parameters is, None for a constant."""
        examples = self._examples
        statement = compile_query(self._build(*examples))
        self._places = tuple(
            examples.index(param) if param in examples else None for param in statement.params
        )
        if {*self._places} - {None} != {*range(len(examples))}:
            count = len(examples)
            raise ValueError(
                f"{statement.sql} has other values than {count} that are compared as stated"
            )
        self._statement = statement
        return statement


@dataclass(frozen=True, slots=True)
class _BoundStatement:
    """A statement with the values of its parameters, which takes the place of a query."""

    statement: Statement
    params: tuple[Any, ...]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.statement.queryset.query, name)

    def get_compiler(self, using: str) -> SQLCompiler:
        """Return a compiler that has the SQL already."""
        statement, connection = self.statement, connections[using]
        compiler = copy(statement.compiler)
        if compiler.query.select_for_update and connection.get_autocommit():
            raise TransactionManagementError("a row can be locked in a transaction only")
        compiler.connection = connection
        known: dict[str, Any] = {
            "as_sql": lambda: (statement.sql, self.params),
            "get_converters": lambda _: statement.converters,
        }
        vars(compiler).update(known)
        return compiler
