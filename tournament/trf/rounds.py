"""How far an event has come: its last completed round, byes announced beyond it, open boards."""

from collections.abc import Mapping, Sequence

from games.rules.seat import Seat
from tournament.standings.crosstable import ABSENT, PAIRED, Kind, PlayerId, RoundResult
from tournament.trf.errors import TrfError
from tournament.trf.player_record import OpenPairing, PlayerRecord, cell_column
from tournament.trf.records import Records


def last_round(sheets: Sequence[PlayerRecord]) -> int:
    """Find the last round with results; a round with open boards has none but byes."""
    open_round = 0
    paired = 0
    for sheet in sheets:
        for index, cell in enumerate(sheet.cells):
            if isinstance(cell, OpenPairing):
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


def announced_byes(
    by_number: Mapping[PlayerId, PlayerRecord],
    notes: Records,
    completed: int,
    rounds: int,
) -> dict[tuple[int, PlayerId], Kind]:
    """Give the byes, by round and player, of rounds that are not yet played.

    They stand in the players' cells, in 240 lines (checked against the cells of any round) and
    in XXZ, which means the next round. Cells that say of everybody that he is absent are blanks
    of a round to come. Raises TrfError where two of them contradict.
    """
    announced: dict[tuple[int, PlayerId], Kind] = {}
    for number, sheet in by_number.items():
        for index, cell in enumerate(sheet.cells[completed:], start=completed + 1):
            if isinstance(cell, RoundResult):
                announced[index, number] = cell.kind
    for index in range(completed + 1, rounds + 1):
        if all(announced.get((index, number)) is Kind.ZERO_BYE for number in by_number):
            for number in by_number:
                del announced[index, number]
    for line, round_number, kind, number in notes.byes:
        sheet = known(by_number, number, line)
        if round_number > rounds:
            detail = f"a bye in round {round_number}, after the last"
            raise TrfError(detail, line, 7, f"1 to {rounds}")
        cell = sheet.cells[round_number - 1] if round_number <= len(sheet.cells) else None
        stated = cell.kind if isinstance(cell, RoundResult) else kind
        if stated is not kind or isinstance(cell, OpenPairing):
            detail = f"a {kind} in round {round_number}, where the player's line has another result"
            raise TrfError(detail, line, 5, "one result a round")
        if round_number > completed:
            announced[round_number, number] = kind
    for line, number in notes.absent:
        known(by_number, number, line)
        if completed < rounds:
            announced.setdefault((completed + 1, number), Kind.ZERO_BYE)
    return announced


def enter_byes(
    notes: Records, results: Mapping[PlayerId, list[RoundResult]], completed: int
) -> None:
    """Write the 240 byes of completed rounds into the rows whose cells leave them out."""
    for _, round_number, kind, number in notes.byes:
        if round_number <= completed:
            row = results[number]
            row.extend([ABSENT] * (round_number - len(row)))
            row[round_number - 1] = RoundResult(kind)


def open_boards(
    by_number: Mapping[PlayerId, PlayerRecord],
    announced: Mapping[tuple[int, PlayerId], Kind],
    round_number: int,
) -> tuple[tuple[PlayerId, PlayerId], ...]:
    """Give the pairings without a result, (first, second); raises TrfError for one-sided ones."""
    boards = {}
    for number, sheet in by_number.items():
        cell = sheet.cells[round_number - 1] if round_number <= len(sheet.cells) else None
        if isinstance(cell, OpenPairing):
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


def known(by_number: Mapping[PlayerId, PlayerRecord], number: PlayerId, line: int) -> PlayerRecord:
    """Give a player's sheet; raises TrfError for the line that names nobody."""
    sheet = by_number.get(number)
    if sheet is None:
        raise TrfError(f"player {number} is not in the file", line, 5, "a player of the event")
    return sheet
