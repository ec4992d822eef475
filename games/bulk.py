"""Read and write many rows in batches."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

BATCH_SIZE = 500
"""Rows per SQL statement; SQLite takes at most 32,766 values, and a row has some dozens."""

T = TypeVar("T")


def chunks(values: Sequence[T], size: int = BATCH_SIZE) -> Iterator[Sequence[T]]:
    """Yield the values in their order, `size` at a time."""
    for start in range(0, len(values), size):
        yield values[start : start + size]
