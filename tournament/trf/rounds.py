"""The last completed round, the byes announced after it, and the open pairings of the next."""

from collections import Counter
from collections.abc import Mapping, Sequence

from games.rules.seat import Seat
from games.rules.text import Text
from tournament.standings.crosstable import ABSENT, PAIRED, Kind, PlayerId, RoundResult
from tournament.trf.errors import TrfError, attempt, raise_first
from tournament.trf.player_record import PlayerRecord, UnplayedPairing, cell_column
from tournament.trf.records import Records


def last_completed_round(players: Sequence[PlayerRecord]) -> int:
    """Return the last round that is over.

    Only the last round with pairings can be open: if it has no result but byes. In an earlier
    round, or beside results, a pairing without a result is an adjourned game. A round without
    pairings is over if a player has the pairing-allocated bye and all others have byes too;
    otherwise that bye was given before the round is paired.
    """
    played = unplayed = 0
    byes: Counter[int] = Counter()
    pairing_byes = set()
    for player in players:
        for round_number, cell in enumerate(player.cells, start=1):
            if isinstance(cell, UnplayedPairing):
                unplayed = max(unplayed, round_number)
            elif cell is not None and cell.kind in PAIRED:
                played = max(played, round_number)
            elif cell is not None:
                byes[round_number] += 1
                if cell.kind is Kind.PAIRING_BYE:
                    pairing_byes.add(round_number)
    over = [number for number in pairing_byes if byes[number] == len(players)]
    return unplayed - 1 if unplayed > played else max(played, *over, 0)


def announced_byes(
    by_number: Mapping[PlayerId, PlayerRecord], records: Records, completed: int, rounds: int
) -> dict[tuple[int, PlayerId], Kind]:
    """Return the byes of rounds after the completed ones, by round and player.

    They come from the cells of the players, from 240 records, which must agree with the cells of
    all rounds, and from XXZ records, which are for the next round. A later round with an absence
    for all players is blank. Raises TrfError for contradictory byes.
    """
    errors: list[TrfError] = []
    byes: dict[tuple[int, PlayerId], Kind] = {}
    for number, player in by_number.items():
        for round_number, cell in enumerate(player.cells[completed:], start=completed + 1):
            if isinstance(cell, RoundResult):
                byes[round_number, number] = cell.kind
    for round_number in range(completed + 1, rounds + 1):
        if all(byes.get((round_number, number)) is Kind.ZERO_BYE for number in by_number):
            for number in by_number:
                del byes[round_number, number]
    for line, round_number, kind, number in records.byes:
        found = attempt(errors, find_player, by_number, number, line)
        if found is None:
            continue
        if round_number > rounds:
            detail = Text("a bye in round %(round)s, after the last round", round=round_number)
            errors.append(TrfError(detail, line, 7, Text("1 to %(most)s", most=rounds)))
            continue
        cell = found.cells[round_number - 1] if round_number <= len(found.cells) else None
        cell_kind = cell.kind if isinstance(cell, RoundResult) else kind
        if cell_kind is not kind or isinstance(cell, UnplayedPairing):
            detail = Text(
                "a %(kind)s in round %(round)s, where the player record has another result",
                kind=kind,
                round=round_number,
            )
            errors.append(TrfError(detail, line, 5, Text("one result in each round")))
        elif round_number > completed:
            byes[round_number, number] = kind
    for line, number in records.absent:
        attempt(errors, find_player, by_number, number, line)
        if completed < rounds:
            byes.setdefault((completed + 1, number), Kind.ZERO_BYE)
    raise_first(errors)
    return byes


def fill_in_byes(
    records: Records, results: Mapping[PlayerId, list[RoundResult]], completed: int
) -> None:
    """Write the byes of 240 records into the results of completed rounds."""
    for _, round_number, kind, number in records.byes:
        if round_number <= completed:
            row = results[number]
            row.extend([ABSENT] * (round_number - len(row)))
            row[round_number - 1] = RoundResult(kind)


def open_pairings(
    by_number: Mapping[PlayerId, PlayerRecord],
    announced: Mapping[tuple[int, PlayerId], Kind],
    round_number: int,
) -> tuple[tuple[PlayerId, PlayerId], ...]:
    """Return the pairings without a result, (first, second); raises TrfError if they disagree."""
    open_cells = {}
    for number, player in by_number.items():
        cell = player.cells[round_number - 1] if round_number <= len(player.cells) else None
        if isinstance(cell, UnplayedPairing):
            open_cells[number] = (cell, player.line)
    errors, pairings = [], []
    column = cell_column(round_number)
    for number, (cell, line) in open_cells.items():
        opposite = open_cells.get(cell.opponent)
        if opposite is None or opposite[0].opponent != number or cell.opponent == number:
            detail = Text(
                "paired with %(first)s, who is not paired with %(second)s",
                first=cell.opponent,
                second=number,
            )
            errors.append(TrfError(detail, line, column, Text("matching player records")))
        elif opposite[0].seat is cell.seat:
            detail = Text("both players have one colour")
            errors.append(TrfError(detail, line, column + 5, Text("w and b")))
        elif (round_number, number) in announced:
            detail = Text("a bye and a pairing in one round")
            errors.append(TrfError(detail, line, column, Text("one of them")))
        if cell.seat is Seat.FIRST:
            pairings.append((number, cell.opponent))
    raise_first(errors)
    return tuple(sorted(pairings))


def has_first_seat(number: PlayerId, result: RoundResult) -> bool:
    """Return True for one side of a pairing; without seats, for the lower number."""
    if result.seat is None:
        return number < (result.opponent or 0)
    return result.seat is Seat.FIRST


def find_player(
    by_number: Mapping[PlayerId, PlayerRecord], number: PlayerId, line: int
) -> PlayerRecord:
    """Return the record of the player whom a line refers to; raises TrfError if there is none."""
    player = by_number.get(number)
    if player is None:
        raise TrfError(
            Text("player %(number)s is not in the file", number=number),
            line,
            5,
            Text("a player of the event"),
        )
    return player
