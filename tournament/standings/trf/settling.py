"""From lines that were read to a tournament that holds together.

Everything that needs more than one line is decided here: the last completed round, byes announced
for later ones, the point system, acceleration, and whether recorded points add up.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from tournament.standings.crosstable import (
    ABSENT,
    PAIRED,
    Crosstable,
    Kind,
    PlayerId,
    RoundResult,
    Seat,
)
from tournament.standings.errors import CrosstableError, PointSystemError, TrfError
from tournament.standings.points import PointSystem
from tournament.standings.trf.document import AnnouncedBye, TrfFile
from tournament.standings.trf.player import OpenBoard, Sheet, cell_column
from tournament.standings.trf.records import Notes


def settle(sheets: Sequence[Sheet], notes: Notes, *, round_robin: bool) -> TrfFile:
    """Build the tournament; raises TrfError with the line and column that contradict."""
    by_number: dict[PlayerId, Sheet] = {}
    for sheet in sheets:
        earlier = by_number.setdefault(sheet.competitor.number, sheet)
        if earlier is not sheet:
            detail = f"player {sheet.competitor.number} stands in line {earlier.line} already"
            raise TrfError(detail, sheet.line, 5, "each number once")
    rounds = notes.rounds or max(len(sheet.cells) for sheet in sheets)
    for sheet in sheets:
        if len(sheet.cells) > rounds:
            column = cell_column(rounds + 1)
            raise TrfError("a result after the last round", sheet.line, column, f"{rounds} rounds")
    completed = _completed(sheets)
    system = _point_system(notes)

    results = {number: _results(sheet, completed) for number, sheet in by_number.items()}
    _lend_seats(results)
    announced = _announced(by_number, notes, results, completed)
    _award(by_number, notes, results, system)
    virtual = _virtual(by_number, notes, system, rounds)
    crosstable = _crosstable(sheets, results, virtual, rounds, system, round_robin, notes)

    byes = tuple(AnnouncedBye(r, kind, number) for (r, number), kind in sorted(announced.items()))
    open_pairings = _open_pairings(by_number, announced, completed + 1)
    _check_points(sheets, crosstable, byes)
    for line, group in notes.forbidden:
        for number in group.players:
            _known(by_number, number, line)
    return TrfFile(
        crosstable=crosstable,
        ranks={sheet.competitor.number: sheet.rank for sheet in sheets if sheet.rank},
        tiebreaks=notes.tiebreaks,
        system=notes.system,
        byes=byes,
        open_pairings=open_pairings,
        forbidden=tuple(replace(group, last=group.last or rounds) for _, group in notes.forbidden),
    )


def _completed(sheets: Sequence[Sheet]) -> int:
    """Find the last round with results; a round with open boards has none but byes."""
    open_round = 0
    paired = 0
    for sheet in sheets:
        for index, cell in enumerate(sheet.cells):
            if isinstance(cell, OpenBoard):
                if open_round not in (0, index + 1):
                    column = cell_column(min(open_round, index + 1)) + 7
                    raise TrfError("a game without a result", sheet.line, column, "a result")
                open_round = index + 1
    for sheet in sheets:
        for index in range(len(sheet.cells) - 1, paired - 1, -1):
            cell = sheet.cells[index]
            if not isinstance(cell, RoundResult):
                continue
            if open_round and index + 1 >= open_round and cell.kind in PAIRED:
                detail = f"round {open_round} has boards with and without a result"
                raise TrfError(detail, sheet.line, cell_column(index + 1), "all or none")
            if cell.kind in PAIRED or cell.kind is Kind.PAIRING_BYE:
                paired = index + 1
                break
    return open_round - 1 if open_round else paired


def _results(sheet: Sheet, completed: int) -> list[RoundResult]:
    cells = sheet.cells[:completed]
    return [cell if isinstance(cell, RoundResult) else ABSENT for cell in cells]


def _lend_seats(results: Mapping[PlayerId, list[RoundResult]]) -> None:
    """Give a forfeit without a colour the one its other side leaves."""
    for number, row in results.items():
        for index, result in enumerate(row):
            if result.seat is not None or result.opponent is None:
                continue
            opposite = results.get(result.opponent, [])
            if index < len(opposite) and opposite[index].opponent == number:
                seat = opposite[index].seat
                row[index] = replace(result, seat=seat and seat.other)


def _announced(
    by_number: Mapping[PlayerId, Sheet],
    notes: Notes,
    results: Mapping[PlayerId, list[RoundResult]],
    completed: int,
) -> dict[tuple[int, PlayerId], Kind]:
    announced: dict[tuple[int, PlayerId], Kind] = {}
    for number, sheet in by_number.items():
        for index, cell in enumerate(sheet.cells[completed:], start=completed + 1):
            if isinstance(cell, RoundResult):
                announced[index, number] = cell.kind
    for line, round_number, kind, number in notes.byes:
        sheet = _known(by_number, number, line)
        cell = sheet.cells[round_number - 1] if round_number <= len(sheet.cells) else None
        stated = cell.kind if isinstance(cell, RoundResult) else kind
        if stated is not kind or isinstance(cell, OpenBoard):
            detail = f"a {kind} in round {round_number}, where the player's line has another result"
            raise TrfError(detail, line, 5, "one result a round")
        if round_number > completed:
            announced[round_number, number] = kind
        else:
            row = results[number]
            row.extend([ABSENT] * (round_number - len(row)))
            row[round_number - 1] = RoundResult(kind)
    for line, number in notes.absent:
        _known(by_number, number, line)
        announced.setdefault((completed + 1, number), Kind.ZERO_BYE)
    return announced


def _point_system(notes: Notes) -> PointSystem:
    try:
        return PointSystem.of_points(**notes.worth)
    except PointSystemError as error:
        raise TrfError(str(error), notes.worth_line, 4, "points that make sense") from error


def _award(
    by_number: Mapping[PlayerId, Sheet],
    notes: Notes,
    results: Mapping[PlayerId, list[RoundResult]],
    system: PointSystem,
) -> None:
    for line, worth, round_number, players in notes.awards:
        for number in players:
            _known(by_number, number, line)
            row = results[number]
            if round_number > len(row):
                raise TrfError(f"nothing in round {round_number} to award", line, 20, "a result")
            units = _units(worth, system, line, 14)
            row[round_number - 1] = replace(row[round_number - 1], awarded=units)


def _virtual(
    by_number: Mapping[PlayerId, Sheet], notes: Notes, system: PointSystem, rounds: int
) -> dict[PlayerId, tuple[int, ...]]:
    virtual = {number: [0] * rounds for number in by_number}
    for line, worth, some_rounds, players in notes.ranges:
        units = _units(worth, system, line, 10)
        for number in (n for n in by_number if n in players):
            for round_number in some_rounds[: rounds - some_rounds.start + 1]:
                virtual[number][round_number - 1] = units
    for number, (line, points) in notes.virtual.items():
        _known(by_number, number, line)
        units_by_round = [_units(worth, system, line, 9) for worth in points[:rounds]]
        virtual[number][: len(units_by_round)] = units_by_round
    return {number: _without_tail(units) for number, units in virtual.items()}


def _without_tail(units: list[int]) -> tuple[int, ...]:
    last = max((index for index, worth in enumerate(units) if worth), default=-1)
    return tuple(units[: last + 1])


def _crosstable(
    sheets: Sequence[Sheet],
    results: Mapping[PlayerId, list[RoundResult]],
    virtual: Mapping[PlayerId, tuple[int, ...]],
    rounds: int,
    system: PointSystem,
    round_robin: bool,
    notes: Notes,
) -> Crosstable:
    try:
        return Crosstable(
            players=tuple(
                replace(
                    sheet.competitor,
                    results=tuple(results[sheet.competitor.number]),
                    virtual=virtual[sheet.competitor.number],
                )
                for sheet in sheets
            ),
            rounds=rounds,
            points=system,
            round_robin=round_robin,
            initial_seat=notes.initial_seat,
        )
    except CrosstableError as error:
        line = next((s.line for s in sheets if s.competitor.number == error.player), 1)
        column = 5 if error.round is None else cell_column(error.round)
        raise TrfError(error.detail, line, column, "rows that agree") from error


def _open_pairings(
    by_number: Mapping[PlayerId, Sheet],
    announced: Mapping[tuple[int, PlayerId], Kind],
    round_number: int,
) -> tuple[tuple[PlayerId, PlayerId], ...]:
    boards = {}
    for number, sheet in by_number.items():
        cell = sheet.cells[round_number - 1] if round_number <= len(sheet.cells) else None
        if isinstance(cell, OpenBoard):
            boards[number] = (cell, sheet.line)
    pairs = []
    for number, (board, line) in boards.items():
        answer = boards.get(board.opponent)
        column = cell_column(round_number)
        if answer is None or answer[0].opponent != number or board.opponent == number:
            detail = f"paired with {board.opponent}, who is not paired with {number}"
            raise TrfError(detail, line, column, "rows that agree")
        if answer[0].seat is board.seat:
            raise TrfError("both have one colour", line, column + 5, "w and b")
        if (round_number, number) in announced:
            raise TrfError("a bye and a board in one round", line, column, "one of them")
        if board.seat is Seat.FIRST:
            pairs.append((number, board.opponent))
    return tuple(sorted(pairs))


def _check_points(
    sheets: Iterable[Sheet], crosstable: Crosstable, byes: Iterable[AnnouncedBye]
) -> None:
    """Compare with columns 81-84, where some programs count byes announced and some do not."""
    ahead: dict[PlayerId, int] = {}
    for bye in byes:
        worth: int = getattr(crosstable.points, bye.kind.name.lower())
        ahead[bye.player] = ahead.get(bye.player, 0) + worth
    for sheet in sheets:
        if sheet.points is None:
            continue
        number = sheet.competitor.number
        units = crosstable.points_of(number)
        written = sheet.points * crosstable.points.unit
        if written not in (units, units + ahead.get(number, 0)):
            raise TrfError(
                f"{crosstable.points.text(units)} points are made in the rounds",
                sheet.line,
                81,
                f"that, not {float(sheet.points)}",
            )


def _units(worth: Fraction, system: PointSystem, line: int, column: int) -> int:
    units = worth * system.unit
    if units.denominator != 1:
        finest = f"steps of 1/{system.unit} point"
        raise TrfError(f"{float(worth)} points", line, column, finest)
    return int(units)


def _known(by_number: Mapping[PlayerId, Sheet], number: PlayerId, line: int) -> Sheet:
    sheet = by_number.get(number)
    if sheet is None:
        raise TrfError(f"player {number} is not in the file", line, 5, "a player of the event")
    return sheet
