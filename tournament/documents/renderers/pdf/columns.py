"""How a table lies on paper: upright, on its side, or in parts that repeat its first columns."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tournament.documents.renderers.pdf.letters import cleaned
from tournament.documents.renderers.pdf.printing import Paper, printed

UPRIGHT, ASIDE = 17.8, 24.5
"""The centimetres between the margins of either size of paper, upright and on its side."""
LETTER, SMALL_LETTER, GAP, LEAST_NAME = 0.2, 0.16, 0.3, 5.0
"""Centimetres: a letter in large and in small type, the gap of a column, the room for names."""


def column(title: str, align: str = "right", *, wide: bool = False) -> dict[str, Any]:
    """A column; a wide one takes the room that the others leave."""
    return {"title": cleaned(title), "align": align, "wide": wide}


NUMBER, NAME = column("No"), column("Name", "left", wide=True)


def table_pdf(
    frame: Mapping[str, Any],
    columns: Sequence[Mapping[str, Any]],
    rows: Sequence[Sequence[str]],
    paper: Paper,
    *,
    keys: int = 0,
) -> bytes:
    """Set a table; one that is too wide goes on its side, then in parts that repeat its `keys`."""
    widths = [max(len(row[x]) for row in (_titles(columns), *rows)) for x in range(len(columns))]
    is_upright = _width(columns, widths, LETTER) <= UPRIGHT
    parts = [list(range(len(columns)))] if is_upright else list(_parts(columns, widths, keys))
    shown = [
        {"columns": [columns[x] for x in part], "rows": [[row[x] for x in part] for row in rows]}
        for part in parts
    ]
    return printed("table", {**frame, "flipped": not is_upright, "parts": shown}, paper)


def _titles(columns: Sequence[Mapping[str, Any]]) -> list[str]:
    return [one["title"] for one in columns]


def _width(columns: Sequence[Mapping[str, Any]], widths: Sequence[int], letter: float) -> float:
    return sum(
        GAP + (LEAST_NAME if one["wide"] else letter * width)
        for one, width in zip(columns, widths, strict=True)
    )


def _parts(
    columns: Sequence[Mapping[str, Any]], widths: Sequence[int], keys: int
) -> Iterator[list[int]]:
    """The columns of each part, as many as fit on paper that lies on its side."""
    first = list(range(keys))
    part = list(first)
    for x in range(keys, len(columns)):
        tried = [*part, x]
        width = _width([columns[y] for y in tried], [widths[y] for y in tried], SMALL_LETTER)
        if width > ASIDE and len(part) > keys:
            yield part
            part = list(first)
        part.append(x)
    yield part
