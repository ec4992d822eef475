"""The values that each call of a compiled statement states, and their places among its parameters.

A statement is compiled once, for example values, which its parameters then contain.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper

Value = int | str | datetime

SMALLEST_COLUMN = 2**15 - 1
"""The largest number of the smallest columns: Django compiles no comparison with a larger one."""

LARGEST_INTEGER = 2**63 - 1
"""The largest number that SQLite can compare with."""


class StatedValues:
    """The values of these types of a statement; none of them is None."""

    def __init__(self, types: Sequence[type[Value]]) -> None:
        self.examples = tuple(_example(kind, number) for number, kind in enumerate(types))
        self._has_times = datetime in types
        self._params: list[Any] = []
        self._places: list[tuple[int, int]] = []

    def find_places(self, sql: str, params: Sequence[Any], connection: BaseDatabaseWrapper) -> None:
        """Store where the values are among the parameters of a statement that has the examples."""
        examples = self._adapt(self.examples, connection)
        self._params = list(params)
        self._places = [
            (place, examples.index(param))
            for place, param in enumerate(params)
            if param in examples
        ]
        if {number for _, number in self._places} != {*range(len(examples))}:
            count = len(examples)
            raise ValueError(f"{sql} has other values than {count} that are compared as stated")

    def params(self, values: Sequence[Value], connection: BaseDatabaseWrapper) -> list[Any]:
        """Return the parameters of the statement for the values of a call."""
        params = self._params.copy()
        adapted = self._adapt(values, connection)
        for place, number in self._places:
            params[place] = adapted[number]
        return params

    def _adapt(self, values: Sequence[Value], connection: BaseDatabaseWrapper) -> Sequence[Any]:
        if not self._has_times:
            return values
        adapt = connection.ops.adapt_datetimefield_value
        return [adapt(value) if isinstance(value, datetime) else value for value in values]


def is_too_large(values: Sequence[Value]) -> bool:
    """Return True if no column has one of the numbers, which Django knows when it compiles."""
    return any(isinstance(value, int) and not 0 <= value <= LARGEST_INTEGER for value in values)


def _example(kind: type[Value], number: int) -> Value:
    if kind is int:
        return SMALLEST_COLUMN - number
    return f"\t{number}" if kind is str else datetime(2000, 1, 1, number, tzinfo=UTC)
