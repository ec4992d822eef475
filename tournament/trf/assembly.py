"""From lines that were read to a tournament that holds together.

What needs more than one line is decided here: the point system, awards, acceleration, whether
recorded points add up; how far the event has come stands in `progress.py`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from tournament.standings.crosstable import (
    ABSENT,
    Crosstable,
    PlayerId,
    RoundResult,
)
from tournament.standings.errors import CrosstableError, PointSystemError
from tournament.standings.points import PointSystem, format_decimal
from tournament.trf.errors import TrfError
from tournament.trf.player_record import PlayerRecord, cell_column
from tournament.trf.records import Records
from tournament.trf.rounds import announced_byes, enter_byes, known, last_round, open_boards
from tournament.trf.trf_file import AnnouncedBye, TrfFile

USUAL_SYSTEMS = (
    PointSystem.from_points(pairing_bye=Fraction(1, 2)),
    PointSystem.from_points(win=3, draw=1),
    PointSystem.from_points(win=3, draw=1, pairing_bye=1),
    PointSystem.from_points(win=2, draw=1),
    PointSystem.from_points(win=3, draw=2, loss=1, forfeit_loss=0, zero_bye=0),
)
"""What a file may mean that states no points and does not add up classically, in this order."""


def settle(sheets: Sequence[PlayerRecord], notes: Records, *, round_robin: bool) -> TrfFile:
    """Build the tournament; raises TrfError with the line and column that contradict."""
    by_number: dict[PlayerId, PlayerRecord] = {}
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
    completed = last_round(sheets)
    system = _point_system(notes)

    results = {number: _results(sheet, completed) for number, sheet in by_number.items()}
    _lend_seats(results)
    announced = announced_byes(by_number, notes, completed, rounds)
    enter_byes(notes, results, completed)
    _award(by_number, notes, results, system, completed)
    virtual = _virtual(by_number, notes, system, rounds)
    crosstable = _crosstable(sheets, results, virtual, rounds, system, round_robin, notes)

    byes = tuple(AnnouncedBye(r, kind, number) for (r, number), kind in sorted(announced.items()))
    open_pairings = open_boards(by_number, announced, completed + 1)
    crosstable = _with_points_that_add_up(sheets, crosstable, byes, notes)
    for line, group in notes.forbidden:
        for number in group.players:
            known(by_number, number, line)
    return TrfFile(
        crosstable=crosstable,
        ranks={sheet.competitor.number: sheet.rank for sheet in sheets if sheet.rank},
        tiebreaks=notes.tiebreaks,
        system=notes.system,
        byes=byes,
        open_pairings=open_pairings,
        forbidden=tuple(replace(group, last=group.last or rounds) for _, group in notes.forbidden),
    )


def _results(sheet: PlayerRecord, completed: int) -> list[RoundResult]:
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


def _point_system(notes: Records) -> PointSystem:
    try:
        return PointSystem.from_points(**notes.worth)
    except PointSystemError as error:
        raise TrfError(str(error), notes.worth_line, 4, "points that make sense") from error


def _award(
    by_number: Mapping[PlayerId, PlayerRecord],
    notes: Records,
    results: Mapping[PlayerId, list[RoundResult]],
    system: PointSystem,
    completed: int,
) -> None:
    for award in notes.awards:
        units = _units(award.worth, system, award.line, 14)
        if award.round > completed:
            detail = f"nothing in round {award.round} to award"
            raise TrfError(detail, award.line, 20, "a result")
        for number in award.players:
            known(by_number, number, award.line)
            row = results[number]
            row.extend([ABSENT] * (award.round - len(row)))
            result = row[award.round - 1]
            before = system.units_of(result.kind) if result.awarded is None else result.awarded
            awarded = units + before if award.added else units
            row[award.round - 1] = replace(result, awarded=awarded)


def _virtual(
    by_number: Mapping[PlayerId, PlayerRecord], notes: Records, system: PointSystem, rounds: int
) -> dict[PlayerId, tuple[int, ...]]:
    virtual = {number: [0] * rounds for number in by_number}
    for line, worth, some_rounds, players in notes.ranges:
        units = _units(worth, system, line, 10)
        for number in (n for n in by_number if n in players):
            for round_number in some_rounds[: rounds - some_rounds.start + 1]:
                virtual[number][round_number - 1] = units
    for number, (line, points) in notes.virtual.items():
        known(by_number, number, line)
        units_by_round = [_units(worth, system, line, 9) for worth in points[:rounds]]
        virtual[number][: len(units_by_round)] = units_by_round
    return {number: _without_tail(units) for number, units in virtual.items()}


def _without_tail(units: list[int]) -> tuple[int, ...]:
    last = max((index for index, worth in enumerate(units) if worth), default=-1)
    return tuple(units[: last + 1])


def _crosstable(
    sheets: Sequence[PlayerRecord],
    results: Mapping[PlayerId, list[RoundResult]],
    virtual: Mapping[PlayerId, tuple[int, ...]],
    rounds: int,
    system: PointSystem,
    round_robin: bool,
    notes: Records,
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


def _with_points_that_add_up(
    sheets: Sequence[PlayerRecord],
    crosstable: Crosstable,
    byes: Sequence[AnnouncedBye],
    notes: Records,
) -> Crosstable:
    """Compare with columns 81-84; a file that states no points may mean another usual system."""
    wrong = _wrong_points(sheets, crosstable, byes)
    if wrong is None:
        return crosstable
    if not notes.worth:
        for system in USUAL_SYSTEMS:
            other = replace(crosstable, points=system)
            if _wrong_points(sheets, other, byes) is None:
                return other
    made = crosstable.points.format_units(crosstable.points_of(wrong.competitor.number))
    detail = f"{made} points are made in the rounds"
    raise TrfError(detail, wrong.line, 81, f"that, not {format_decimal(wrong.points or 0)}")


def _wrong_points(
    sheets: Iterable[PlayerRecord], crosstable: Crosstable, byes: Iterable[AnnouncedBye]
) -> PlayerRecord | None:
    """Find a line whose points are not those of its rounds; byes announced may count or not."""
    ahead: dict[PlayerId, int] = {}
    for bye in byes:
        ahead[bye.player] = ahead.get(bye.player, 0) + crosstable.points.units_of(bye.kind)
    for sheet in sheets:
        number = sheet.competitor.number
        units = crosstable.points_of(number)
        possible = (units, units + ahead.get(number, 0))
        if sheet.points is not None and sheet.points * crosstable.points.unit not in possible:
            return sheet
    return None


def _units(worth: Fraction, system: PointSystem, line: int, column: int) -> int:
    units = worth * system.unit
    if units.denominator != 1:
        finest = f"steps of 1/{system.unit} point"
        raise TrfError(f"{float(worth)} points", line, column, finest)
    return int(units)
