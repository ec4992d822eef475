"""Find the empty texts of an answer: what is not set is null there."""

from collections.abc import Iterator
from typing import Any

SEALED = "payload", "previous", "rows_digest", "pointer"
"""What a line of a journal has as its digests cover it, and the pointer to a whole document."""


def empty_texts(value: Any, place: str = "") -> Iterator[str]:
    """Yield the pointer of each empty text in an answer."""
    if value == "":
        yield place
    elif isinstance(value, dict):
        for name, inner in value.items():
            if name not in SEALED:
                yield from empty_texts(inner, f"{place}/{name}")
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from empty_texts(inner, f"{place}/{index}")
