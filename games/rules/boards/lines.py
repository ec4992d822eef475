"""Boards as lines of text, as positions are printed and parsed.

A line has a label, then its cells with the blanks between them. A stone of the colour that moves
first is `x`, of the other colour `o`, an empty cell `.`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

EMPTY_MARK = "."
BLACK = "x"
WHITE = "o"

Stones: TypeAlias = Mapping[str, int]
"""The cells that hold each sign, as sets of cells."""


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line of a board: `parts` are cells, by number, and the blanks between them."""

    label: str
    parts: tuple[int | str, ...]

    @property
    def cells(self) -> list[int]:
        """The cells of the line, left to right."""
        return [part for part in self.parts if isinstance(part, int)]

    def draw(self, stones: Stones) -> str:
        """Return the line with these stones on it."""
        signs = (part if isinstance(part, str) else _sign(part, stones) for part in self.parts)
        return f"{self.label:>2} {''.join(signs)}".rstrip()


def lines_of_rings(rings: Iterable[tuple[str, Sequence[Sequence[int]]]]) -> tuple[TextLine, ...]:
    """Return a line for each ring: a label, and the cells of each sector."""
    lines = []
    for label, sectors in rings:
        parts: list[int | str] = []
        for sector in sectors:
            parts += [" ", *sector] if parts else sector
        lines.append(TextLine(label, tuple(parts)))
    return tuple(lines)


def lines_of_rows(places: Iterable[tuple[int, int]], *, lean: int) -> tuple[TextLine, ...]:
    """Return a line for each row of the cells (column, row), given in the order of their numbers.

    Each row is shifted half a cell to the right of the one above for a `lean` of 1, to the left
    for -1, not at all for 0.
    """
    rows: dict[int, list[tuple[int, int]]] = {}
    for number, (column, row) in enumerate(places):
        rows.setdefault(row, []).append((2 * column + lean * row, number))
    left = min(x for row in rows.values() for x, _ in row)
    lines = []
    for row in sorted(rows):
        parts: list[int | str] = []
        end = left
        for x, number in sorted(rows[row]):
            parts += [" " * (x - end), number]
            end = x + 1
        lines.append(TextLine(str(row), tuple(parts)))
    return tuple(lines)


def _sign(cell: int, stones: Stones) -> str:
    return next((sign for sign, cells in stones.items() if cells >> cell & 1), EMPTY_MARK)
