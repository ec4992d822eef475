"""A player record (001), read cell by cell."""

from fractions import Fraction
from typing import NamedTuple

from games.rules.seat import Seat
from games.rules.text import Text
from tournament.standings.crosstable import ABSENT, PLAYED, Competitor, Kind, PlayerId, RoundResult
from tournament.trf.columns import (
    BYE_LETTERS,
    CELL_WIDTH,
    FIRST_CELL,
    GAME_LETTERS,
    MOST_NUMBER,
    MOST_ROUNDS,
    SEATS_OF_COLOURS,
    number_at,
    parse_points,
    text_at,
)
from tournament.trf.errors import TrfError, attempt


class UnplayedPairing(NamedTuple):
    """A pairing without a result, in the record of one of the players."""

    round: int
    opponent: PlayerId
    seat: Seat


class PlayerRecord(NamedTuple):
    """A player record before it is compared with the others; `cells[r - 1]` is round r."""

    line: int
    competitor: Competitor
    points: Fraction | None
    rank: int
    cells: tuple[RoundResult | UnplayedPairing | None, ...]


def read_player(line: str, number: int, errors: list[TrfError]) -> PlayerRecord | None:
    """Read a line with a player record, and add all that is wrong in it to the errors.

    Return None if the number or a result cannot be read: others cannot be compared with these.
    """
    wrong: list[TrfError] = []
    player = attempt(wrong, _pairing_number, line, number) or 0
    rating = attempt(errors, number_at, line, 49, 52, number, "rating") or 0
    points = attempt(errors, _points, line, number)
    rank = attempt(errors, number_at, line, 86, 89, number, "rank") or 0
    line = line.rstrip()
    rounds = attempt(wrong, _count_rounds, line, number) or 0
    cells = [attempt(wrong, _read_cell, line, index + 1, number) for index in range(rounds)]
    errors += wrong
    if wrong:
        return None
    return PlayerRecord(
        line=number,
        competitor=Competitor(
            number=player,
            sex=text_at(line, 10, 10),
            title=text_at(line, 11, 13),
            name=text_at(line, 15, 47),
            rating=rating,
            federation=text_at(line, 54, 56),
            fide_id=text_at(line, 58, 68),
            birth=text_at(line, 70, 79),
        ),
        points=points,
        rank=rank,
        cells=tuple(cells),
    )


def _pairing_number(line: str, number: int) -> PlayerId:
    player = number_at(line, 5, 8, number, "pairing number")
    for column in (4, 9):
        if line[column - 1 : column].strip():
            detail = Text(
                "%(number)s exceeds the columns of the pairing number",
                number=f"{line[3:9].strip()!r}",
            )
            raise TrfError(
                detail, number, column, Text("1 to %(most)s in columns 5 to 8", most=MOST_NUMBER)
            )
    if not player:
        raise TrfError(
            Text("a player without a pairing number"), number, 5, Text("a number from 1")
        )
    return player


def _points(line: str, number: int) -> Fraction | None:
    points = text_at(line, 81, 84)
    return parse_points(points, number, 81, signed=True) if points else None


def _count_rounds(line: str, number: int) -> int:
    rounds = -(-(len(line) - FIRST_CELL) // CELL_WIDTH) if len(line) > FIRST_CELL else 0
    if rounds > MOST_ROUNDS:
        raise TrfError(
            Text("%(rounds)s rounds", rounds=rounds),
            number,
            len(line),
            Text("at most %(most)s rounds", most=MOST_ROUNDS),
        )
    return rounds


def cell_column(round_number: int) -> int:
    """Return the first column of the cell of a round."""
    return FIRST_CELL + CELL_WIDTH * (round_number - 1) + 1


def _read_cell(line: str, round_number: int, number: int) -> RoundResult | UnplayedPairing | None:
    start = cell_column(round_number) - 1
    cell = line[start : start + CELL_WIDTH]
    if not cell.strip():
        return None
    if cell[4:5].strip() or cell[6:7].strip() or cell[8:].strip():
        expected = "opponent in four columns, colour at +5, result at +7"
        raise TrfError(
            Text("%(word)s is not in its columns", word=f"{cell.strip()!r}"),
            number,
            start + 1,
            expected,
        )
    opponent = number_at(line, start + 1, start + 4, number, "opponent")
    colour, letter = cell[5:6].strip().lower(), cell[7:8].strip().upper()
    if not opponent:
        if letter not in BYE_LETTERS:
            raise TrfError(
                Text("%(word)s without an opponent", word=f"{letter!r}"),
                number,
                start + 8,
                Text("U, F, H or Z"),
            )
        if colour not in ("", "-"):
            raise TrfError(
                Text("colour %(colour)s without an opponent", colour=f"{colour!r}"),
                number,
                start + 6,
                "-",
            )
        kind = BYE_LETTERS[letter]
        return ABSENT if kind is ABSENT.kind else RoundResult(kind)
    if colour not in SEATS_OF_COLOURS:
        raise TrfError(
            Text("%(word)s is not a colour", word=f"{colour!r}"),
            number,
            start + 6,
            Text("w, b or -"),
        )
    seat = SEATS_OF_COLOURS[colour]
    if letter and letter not in GAME_LETTERS:
        detail = Text("%(word)s is not a result against an opponent", word=f"{letter!r}")
        raise TrfError(detail, number, start + 8, "1 = 0 W D L + -")
    kind, short = GAME_LETTERS.get(letter, (Kind.WIN, False))
    if seat is not None:
        if not letter:
            return UnplayedPairing(round_number, opponent, seat)
    elif kind in PLAYED:
        raise TrfError(Text("a game without a colour"), number, start + 6, Text("w or b"))
    return RoundResult(kind, opponent, seat, short)
