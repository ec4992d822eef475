"""Many rows in chunks: as many as one SQL statement writes or names."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

ROWS_A_STATEMENT = 500
"""Databases bound the values of a statement; SQLite at 32,766, and a row has some dozens."""

T = TypeVar("T")


def chunks(values: Sequence[T], size: int = ROWS_A_STATEMENT) -> Iterator[Sequence[T]]:
    """The values in their order, so many at a time."""
    for start in range(0, len(values), size):
        yield values[start : start + size]
