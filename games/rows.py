"""Read a page of rows as dicts, with less work for each value than Django's `values()`.

Django converts each value of each row by itself. Many columns have few different values in a page
(flags, codes, options, days), so this converts each different value once. Rows of a page may
therefore share a list or a dict that was stored as JSON: they are for reading.
"""

from collections.abc import Hashable, Sequence
from itertools import chain
from typing import Any

from django.db.models import QuerySet
from django.db.models.query import ValuesIterable


def read_rows(rows: "QuerySet[Any, Any]") -> list[Any]:
    """Return the rows of a query: dicts if it has `values()`, otherwise objects."""
    if rows._iterable_class is not ValuesIterable or rows.query.is_empty():
        return list(rows)
    query = rows.query
    compiler = query.get_compiler(rows.db)
    found = list(chain.from_iterable(compiler.execute_sql(chunked_fetch=False) or ()))
    names = tuple(query.selected or (*query.values_select, *query.annotation_select))
    columns: list[Sequence[Any]] = list(zip(*found, strict=True))
    fields = [column[0] for column in compiler.select[: compiler.col_count]]
    for position, (converters, expression) in compiler.get_converters(fields).items():
        if columns:
            columns[position] = _convert(
                columns[position], converters, expression, compiler.connection
            )
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


def _convert(
    column: Sequence[Any], converters: Sequence[Any], expression: Any, connection: Any
) -> list[Any]:
    """Return the values of a column as Python values, each different one converted once."""
    known: dict[Hashable, Any] = {}
    converted = []
    for value in column:
        if value not in known:
            new = value
            for convert in converters:
                new = convert(new, expression, connection)
            known[value] = new
        converted.append(known[value])
    return converted
