"""Crosstables to read: a line a player with a cell a round, and the square of a round robin.

A round's cell is the opponent's line, the own seat (f or s) and the result: `12f1`, `3s=`, `7f-`;
a bye is its letter alone: U pairing, F full, H half, Z zero or absent. In the square a cell holds
the results of all games with that opponent, in order of rounds with a space between them; a point
stands for the game of an earlier cycle that was not played. Points that are not those of the
result stand behind it, `3f0(0.5)`, so that a line adds up.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from games.rules.seat import Seat
from tournament.standings.crosstable import Crosstable, Kind, PlayerId, RoundResult
from tournament.standings.table import StandingsRow


class CrosstableOrder(StrEnum):
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
MISSING = "."
SEAT_LETTERS = {Seat.FIRST: "f", Seat.SECOND: "s", None: "-"}


@dataclass(frozen=True, slots=True)
class CrosstableRow:
    """A player's line: its label is what the cells of others call him."""

    label: int
    rank: int
    number: PlayerId
    name: str
    cells: tuple[str, ...]


def crosstable_rows(
    crosstable: Crosstable, rows: Sequence[StandingsRow], order: CrosstableOrder
) -> tuple[CrosstableRow, ...]:
    """Give a line a player with a cell for each completed round."""
    lines, labels = _labelled(rows, order)
    return tuple(
        CrosstableRow(
            label=labels[row.number],
            rank=row.rank,
            number=row.number,
            name=row.name,
            cells=tuple(
                _cell(crosstable, crosstable.by_number[row.number].result(round_number), labels)
                for round_number in range(1, crosstable.completed + 1)
            ),
        )
        for row in lines
    )


def square_rows(
    crosstable: Crosstable, rows: Sequence[StandingsRow], order: CrosstableOrder
) -> tuple[CrosstableRow, ...]:
    """Give a line a player with a cell for each opponent, in the order of the lines.

    The own cell is `*`, a game not yet played leaves its cell empty. Where anybody has one, a last
    cell holds the byes that are not zero: there was no opponent in whose column they could stand.
    """
    lines, labels = _labelled(rows, order)
    found = [_games_and_byes(crosstable, row.number) for row in lines]
    has_byes = any(byes for _, byes in found)
    return tuple(
        CrosstableRow(
            label=labels[row.number],
            rank=row.rank,
            number=row.number,
            name=row.name,
            cells=(
                *("*" if other is row else games.get(other.number, "") for other in lines),
                *([byes] if has_byes else []),
            ),
        )
        for row, (games, byes) in zip(lines, found, strict=True)
    )


def square_columns(lines: Sequence[CrosstableRow]) -> list[str]:
    """Name the columns of a square: the lines' labels, and `byes` where there is such a cell."""
    has_byes = bool(lines) and len(lines[0].cells) > len(lines)
    return [*(str(line.label) for line in lines), *(["byes"] if has_byes else [])]


def _games_and_byes(crosstable: Crosstable, number: PlayerId) -> tuple[dict[PlayerId, str], str]:
    """What stands in the columns of a player's opponents, and what in none of them."""
    cycle = _rounds_in_cycle(crosstable)
    games: dict[PlayerId, list[str]] = {}
    byes = []
    for index, result in enumerate(crosstable.by_number[number].results[: crosstable.completed]):
        if result.opponent is not None:
            marks = games.setdefault(result.opponent, [])
            marks += [MISSING] * (index // cycle - len(marks))
            marks.append(_mark(crosstable, result))
        elif result.kind is not Kind.ZERO_BYE or crosstable.units_of(result):
            byes.append(_mark(crosstable, result))
    return {opponent: " ".join(marks) for opponent, marks in games.items()}, " ".join(byes)


def _rounds_in_cycle(crosstable: Crosstable) -> int:
    """After how many rounds everybody has met everybody; all rounds where that is not so."""
    players = len(crosstable.players)
    length = players - 1 + players % 2
    is_whole = crosstable.round_robin and length and crosstable.rounds % length == 0
    return length if is_whole else crosstable.rounds


def _labelled(
    rows: Sequence[StandingsRow], order: CrosstableOrder
) -> tuple[Sequence[StandingsRow], Mapping[PlayerId, int]]:
    if order is CrosstableOrder.NUMBER:
        return sorted(rows, key=lambda row: row.number), {row.number: row.number for row in rows}
    return rows, {row.number: place for place, row in enumerate(rows, start=1)}


def _cell(crosstable: Crosstable, result: RoundResult, labels: Mapping[PlayerId, int]) -> str:
    mark = _mark(crosstable, result)
    if result.opponent is None:
        return mark
    return f"{labels[result.opponent]}{SEAT_LETTERS[result.seat]}{mark}"


def _mark(crosstable: Crosstable, result: RoundResult) -> str:
    units = crosstable.units_of(result)
    usual = crosstable.points.units_of(result.kind)
    told = "" if units == usual else f"({crosstable.points.format_units(units)})"
    return f"{SYMBOLS[result.kind]}{told}"
