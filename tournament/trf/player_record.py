"""One player's line of a report, read cell by cell."""

from fractions import Fraction
from typing import NamedTuple

from games.rules.seat import Seat
from tournament.standings.crosstable import ABSENT, PLAYED, Competitor, Kind, PlayerId, RoundResult
from tournament.trf.columns import (
    BYE_LETTERS,
    CELL_WIDTH,
    FIRST_CELL,
    GAME_LETTERS,
    MOST_NUMBER,
    MOST_ROUNDS,
    SEATS,
    cut,
    points,
    whole,
)
from tournament.trf.errors import TrfError


class OpenPairing(NamedTuple):
    """A pairing without a result, as one side's line tells it."""

    round: int
    opponent: PlayerId
    seat: Seat


class PlayerRecord(NamedTuple):
    """A player's line before it is compared with the others; `cells[r - 1]` is round r."""

    line: int
    competitor: Competitor
    points: Fraction | None
    rank: int
    cells: tuple[RoundResult | OpenPairing | None, ...]


def read_player(line: str, number: int) -> PlayerRecord:
    """Read an 001 line; raises TrfError with the column at fault."""
    player = whole(line, 5, 8, number, "pairing number")
    for column in (4, 9):
        if line[column - 1 : column].strip():
            told = f"{line[3:9].strip()!r} runs over the columns of the pairing number"
            raise TrfError(told, number, column, f"1 to {MOST_NUMBER} in columns 5 to 8")
    if not player:
        raise TrfError("a player without a pairing number", number, 5, "a number from 1")
    written = cut(line, 81, 84)
    line = line.rstrip()
    rounds = -(-(len(line) - FIRST_CELL) // CELL_WIDTH) if len(line) > FIRST_CELL else 0
    if rounds > MOST_ROUNDS:
        raise TrfError(f"{rounds} rounds", number, len(line), f"at most {MOST_ROUNDS} rounds")
    return PlayerRecord(
        line=number,
        competitor=Competitor(
            number=player,
            sex=cut(line, 10, 10),
            title=cut(line, 11, 13),
            name=cut(line, 15, 47),
            rating=whole(line, 49, 52, number, "rating"),
            federation=cut(line, 54, 56),
            fide_id=cut(line, 58, 68),
            birth=cut(line, 70, 79),
        ),
        points=points(written, number, 81, signed=True) if written else None,
        rank=whole(line, 86, 89, number, "rank"),
        cells=tuple(_read_cell(line, index + 1, number) for index in range(rounds)),
    )


def cell_column(round_number: int) -> int:
    """Give the column, from 1, at which a round's opponent begins."""
    return FIRST_CELL + CELL_WIDTH * (round_number - 1) + 1


def _read_cell(line: str, round_number: int, number: int) -> RoundResult | OpenPairing | None:
    start = FIRST_CELL + CELL_WIDTH * (round_number - 1)
    cell = line[start : start + CELL_WIDTH]
    if not cell.strip():
        return None
    if cell[4:5].strip() or cell[6:7].strip() or cell[8:].strip():
        expected = "opponent in four columns, colour at +5, result at +7"
        raise TrfError(f"{cell.strip()!r} stands askew", number, start + 1, expected)
    opponent = whole(line, start + 1, start + 4, number, "opponent")
    colour, letter = cell[5:6].strip().lower(), cell[7:8].strip().upper()
    if not opponent:
        if letter not in BYE_LETTERS:
            raise TrfError(f"{letter!r} without an opponent", number, start + 8, "U, F, H or Z")
        if colour not in ("", "-"):
            raise TrfError(f"colour {colour!r} without an opponent", number, start + 6, "-")
        kind = BYE_LETTERS[letter]
        return ABSENT if kind is ABSENT.kind else RoundResult(kind)
    if colour not in SEATS:
        raise TrfError(f"{colour!r} is no colour", number, start + 6, "w, b or -")
    seat = SEATS[colour]
    if letter and letter not in GAME_LETTERS:
        raise TrfError(
            f"{letter!r} is no result against an opponent", number, start + 8, "1 = 0 W D L + -"
        )
    kind, short = GAME_LETTERS.get(letter, (Kind.WIN, False))
    if seat is not None:
        if not letter:
            return OpenPairing(round_number, opponent, seat)
    elif kind in PLAYED:
        raise TrfError("a game without a colour", number, start + 6, "w or b")
    return RoundResult(kind, opponent, seat, short)
