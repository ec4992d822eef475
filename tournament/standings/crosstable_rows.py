"""Crosstables as rows of text cells: a column for each round, or for each opponent.

A round's cell holds the row number of the opponent, the player's seat (f or s) and the result:
`12f1`, `3s=`, `7f-`. A bye is its letter: U pairing-allocated, F full-point, H half-point, Z
zero-point. In the square table of a round robin, a cell holds the results of all games with that
opponent in order of rounds, separated by spaces; a point is an unplayed game of an earlier cycle.
A game that is adjourned is a question mark, `5f?`.
Points that differ from those of the result follow in brackets, as in `3f0(0.5)`. With two games in
a pairing, their results follow a colon, as in `12f1:1=`; `f` is then the seat in the first game.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from games.rules.seat import Seat
from tournament.standings.crosstable import ABSENT, Crosstable, Kind, PlayerId, RoundResult
from tournament.standings.table import StandingsRow


class CrosstableOrder(StrEnum):
    """The order and the row numbers of a crosstable: by rank or by pairing number."""

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
MISSING_GAME = "."
ADJOURNED_GAME = "?"
SEAT_LETTERS = {Seat.FIRST: "f", Seat.SECOND: "s", None: "-"}


@dataclass(frozen=True, slots=True)
class CrosstableRow:
    """A player's row; the cells of other players refer to it by its `label`."""

    label: int
    rank: int
    number: PlayerId
    name: str
    cells: tuple[str, ...]


def crosstable_rows(
    crosstable: Crosstable, rows: Sequence[StandingsRow], order: CrosstableOrder
) -> tuple[CrosstableRow, ...]:
    """Return a row for each player, with a cell for each completed round."""
    labels = _labels(rows, order)
    completed = crosstable.completed
    cells = []
    for number in labels:
        results = crosstable.by_number[number].results[:completed]
        results += (ABSENT,) * (completed - len(results))
        cells.append(tuple([_round_cell(crosstable, result, labels) for result in results]))
    return _with_cells(rows, labels, cells)


def square_rows(
    crosstable: Crosstable, rows: Sequence[StandingsRow], order: CrosstableOrder
) -> tuple[CrosstableRow, ...]:
    """Return a row for each player, with a cell for each opponent in the order of the rows.

    The cell of the player is `*`, that of an opponent still to be met is empty. If any player has
    byes other than zero-point byes, the last cell holds them.
    """
    labels = _labels(rows, order)
    games_and_byes = [_games_and_byes(crosstable, number) for number in labels]
    has_byes = any(byes for _, byes in games_and_byes)
    cells = [
        (
            *("*" if opponent == number else games.get(opponent, "") for opponent in labels),
            *([byes] if has_byes else []),
        )
        for number, (games, byes) in zip(labels, games_and_byes, strict=True)
    ]
    return _with_cells(rows, labels, cells)


def square_columns(rows: Sequence[CrosstableRow]) -> list[str]:
    """Return the column names of a square: the labels of the rows, and `byes` if there are any."""
    has_byes = bool(rows) and len(rows[0].cells) > len(rows)
    return [*(str(row.label) for row in rows), *(["byes"] if has_byes else [])]


def _labels(rows: Sequence[StandingsRow], order: CrosstableOrder) -> dict[PlayerId, int]:
    """Return the label of each player's row, in the order of the rows."""
    numbers = [row.number for row in rows]
    if order is CrosstableOrder.NUMBER:
        return {number: number for number in sorted(numbers)}
    return {number: place for place, number in enumerate(numbers, start=1)}


def _with_cells(
    rows: Sequence[StandingsRow], labels: Mapping[PlayerId, int], cells: Sequence[tuple[str, ...]]
) -> tuple[CrosstableRow, ...]:
    by_number = {row.number: row for row in rows}
    return tuple(
        CrosstableRow(label, by_number[number].rank, number, by_number[number].name, player_cells)
        for (number, label), player_cells in zip(labels.items(), cells, strict=True)
    )


def _games_and_byes(crosstable: Crosstable, number: PlayerId) -> tuple[dict[PlayerId, str], str]:
    """Return a player's results by opponent, and the byes."""
    cycle = _rounds_in_cycle(crosstable)
    games: dict[PlayerId, list[str]] = {}
    byes = []
    for index, result in enumerate(crosstable.by_number[number].results[: crosstable.completed]):
        if result.opponent is not None:
            results = games.setdefault(result.opponent, [])
            results += [MISSING_GAME] * (index // cycle - len(results))
            results.append(_result_text(crosstable, result))
        elif result.kind is not Kind.ZERO_BYE or crosstable.units_of(result):
            byes.append(_result_text(crosstable, result))
    return {opponent: " ".join(results) for opponent, results in games.items()}, " ".join(byes)


def _rounds_in_cycle(crosstable: Crosstable) -> int:
    """Return the rounds of one cycle of a round robin; all rounds if there are no full cycles."""
    players = len(crosstable.players)
    length = players - 1 + players % 2
    is_whole = crosstable.round_robin and length and crosstable.rounds % length == 0
    return length if is_whole else crosstable.rounds


def _round_cell(crosstable: Crosstable, result: RoundResult, labels: Mapping[PlayerId, int]) -> str:
    text = _result_text(crosstable, result)
    if result.opponent is None:
        return text
    return f"{labels[result.opponent]}{SEAT_LETTERS[result.seat]}{text}"


def _result_text(crosstable: Crosstable, result: RoundResult) -> str:
    if result.awarded is None and not (result.adjourned or result.games):
        return SYMBOLS[result.kind]  # as most results are
    if result.adjourned:
        return ADJOURNED_GAME
    units = crosstable.units_of(result)
    is_usual = units == crosstable.points.units_of(result.kind)
    points = "" if is_usual else f"({crosstable.points.format_units(units)})"
    games = "".join(map(SYMBOLS.__getitem__, result.games))
    return f"{SYMBOLS[result.kind]}{points}{f':{games}' if games else ''}"
