"""Crosstables to read: a line a player with a cell a round, and the square of a round robin.

A round's cell is the opponent's line, the own seat (f or s) and the result: `12f1`, `3s=`, `7f-`;
a bye is its letter alone: U pairing, F full, H half, Z zero or absent. In the square a cell holds
the results of all games with that opponent, in order of rounds.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tournament.standings.crosstable import Crosstable, Kind, PlayerId, RoundResult, Seat
from tournament.standings.table import Row


class GridOrder(StrEnum):
    """How lines stand and are numbered: by place in the table, or by pairing number."""

    RANK = "rank"
    NUMBER = "number"


SYMBOLS = {
    Kind.WIN: "1",
    Kind.DRAW: "=",
    Kind.LOSS: "0",
    Kind.FORFEIT_WIN: "+",
    Kind.FORFEIT_LOSS: "-",
    Kind.PAIRING_BYE: "U",
    Kind.FULL_BYE: "F",
    Kind.HALF_BYE: "H",
    Kind.ZERO_BYE: "Z",
}
SEAT_LETTERS = {Seat.FIRST: "f", Seat.SECOND: "s", None: "-"}


@dataclass(frozen=True, slots=True)
class GridLine:
    """A player's line: its label is what the cells of others call him."""

    label: int
    rank: int
    number: PlayerId
    name: str
    cells: tuple[str, ...]


def crosstable_lines(
    crosstable: Crosstable, rows: Sequence[Row], order: GridOrder
) -> tuple[GridLine, ...]:
    """Give a line a player with a cell for each completed round."""
    lines, labels = _labelled(rows, order)
    return tuple(
        GridLine(
            label=labels[row.number],
            rank=row.rank,
            number=row.number,
            name=row.name,
            cells=tuple(
                _cell(crosstable.by_number[row.number].result(round_number), labels)
                for round_number in range(1, crosstable.completed + 1)
            ),
        )
        for row in lines
    )


def round_robin_square(
    crosstable: Crosstable, rows: Sequence[Row], order: GridOrder
) -> tuple[GridLine, ...]:
    """Give a line a player with a cell for each opponent, in the order of the lines.

    The own cell is `*`, a game not yet played leaves its cell empty.
    """
    lines, labels = _labelled(rows, order)
    square = []
    for row in lines:
        games: dict[PlayerId, str] = {}
        for result in crosstable.by_number[row.number].results[: crosstable.completed]:
            if result.opponent is not None:
                games[result.opponent] = games.get(result.opponent, "") + SYMBOLS[result.kind]
        cells = ("*" if o is row else games.get(o.number, "") for o in lines)
        square.append(GridLine(labels[row.number], row.rank, row.number, row.name, tuple(cells)))
    return tuple(square)


def _labelled(
    rows: Sequence[Row], order: GridOrder
) -> tuple[Sequence[Row], Mapping[PlayerId, int]]:
    if order is GridOrder.NUMBER:
        return sorted(rows, key=lambda row: row.number), {row.number: row.number for row in rows}
    return rows, {row.number: place for place, row in enumerate(rows, start=1)}


def _cell(result: RoundResult, labels: Mapping[PlayerId, int]) -> str:
    if result.opponent is None:
        return SYMBOLS[result.kind]
    return f"{labels[result.opponent]}{SEAT_LETTERS[result.seat]}{SYMBOLS[result.kind]}"
