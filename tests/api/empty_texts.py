"""Find the empty texts of an answer: what is not set is null there."""

from collections.abc import Iterator
from typing import Any

SEALED = "payload", "previous", "rows_digest", "pointer", "parameter"
"""What a line of a journal has as its digests cover it, the pointer to a whole document, and the
name of an unknown parameter, which a request can leave empty (`?=1`)."""


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
