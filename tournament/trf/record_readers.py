"""Records around the players: the XX lines of pairing programs, and TRF26's own.

Each is read into a `Records`, which the reader turns into byes, forbidden pairs and acceleration
once all lines are seen. Those about points stand in `point_records.py`.
"""

import re
from collections.abc import Callable

from games.rules.seat import Seat
from tournament.standings.crosstable import Kind, PlayerId
from tournament.trf.columns import MOST_ROUNDS, cut, points, whole
from tournament.trf.errors import TrfError
from tournament.trf.point_readers import POINT_READERS
from tournament.trf.records import Records, columns_of_players
from tournament.trf.trf_file import ForbiddenGroup

BYES_240 = {"F": Kind.FULL_BYE, "H": Kind.HALF_BYE, "Z": Kind.ZERO_BYE, "": Kind.ZERO_BYE}

MOST_RANGES = 1000

_PLAYERS = re.compile(r"[\s,/]+")


def read_record(notes: Records, line: str, number: int) -> bool:
    """Take one line into the notes; False when it is not understood. Raises TrfError."""
    read = READERS.get(line[:3].upper())
    return read is not None and read(notes, line, number)


def _rounds(notes: Records, line: str, number: int) -> bool:
    rounds = whole(line, 4, len(line), number, "number of rounds")
    if not 1 <= rounds <= MOST_ROUNDS:
        raise TrfError(f"{rounds} rounds", number, 5, f"1 to {MOST_ROUNDS} rounds")
    notes.rounds = rounds
    return True


def _initial_colour(notes: Records, line: str, _: int) -> bool:
    seats = {"W": Seat.FIRST, "B": Seat.SECOND}
    notes.initial_seat = seats.get(line[4:].strip().upper())
    return notes.initial_seat is not None


def _configuration(notes: Records, line: str, _: int) -> bool:
    words = line[4:].lower().split()
    seats = {"white1": Seat.FIRST, "black1": Seat.SECOND}
    for word in words:
        notes.initial_seat = seats.get(word, notes.initial_seat)
    return bool(words) and all(word in seats for word in words)


def _absent(notes: Records, line: str, number: int) -> bool:
    notes.absent += [(number, player) for player in _players(line[3:], number)]
    return True


def _bye_240(notes: Records, line: str, number: int) -> bool:
    letter = cut(line, 5, 5).upper()
    if letter not in BYES_240:
        raise TrfError(f"{letter!r} is no bye", number, 5, "F, H or Z")
    round_number = whole(line, 7, 9, number, "round")
    if not round_number:
        raise TrfError("a bye of no round", number, 7, "a round")
    for player in columns_of_players(line, 11, number):
        notes.byes.append((number, round_number, BYES_240[letter], player))
    return True


def _forbidden_xxp(notes: Records, line: str, number: int) -> bool:
    return _forbid(notes, ForbiddenGroup(_players(line[3:], number)), number)


def _forbidden_260(notes: Records, line: str, number: int) -> bool:
    first = whole(line, 5, 7, number, "round") or 1
    last = whole(line, 9, 11, number, "round") or first
    return _forbid(notes, ForbiddenGroup(columns_of_players(line, 13, number), first, last), number)


def _forbid(notes: Records, group: ForbiddenGroup, number: int) -> bool:
    if len(group.players) < 2:
        raise TrfError("a forbidden pair of fewer than two", number, 5, "two players or more")
    notes.forbidden.append((number, group))
    return True


def _virtual_xxa(notes: Records, line: str, number: int) -> bool:
    player = whole(line, 5, 8, number, "player")
    cells = [line[start : start + 5].strip() for start in range(8, len(line.rstrip()), 5)]
    values = [points(cell, number, 9 + 5 * i) for i, cell in enumerate(cells)]
    notes.virtual[player] = (number, values)
    return True


def _virtual_250(notes: Records, line: str, number: int) -> bool:
    text, column = (cut(line, 10, 13), 10) if cut(line, 10, 13) else (cut(line, 5, 8), 5)
    first_round = whole(line, 15, 17, number, "round")
    last_round = whole(line, 19, 21, number, "round") or first_round
    first = whole(line, 23, 26, number, "player")
    last = whole(line, 28, 31, number, "player") or first
    if not (1 <= first_round <= last_round <= MOST_ROUNDS and 1 <= first <= last):
        raise TrfError("a range that ends before it begins", number, 15, "rounds and players")
    rounds, players = range(first_round, last_round + 1), range(first, last + 1)
    if len(notes.ranges) >= MOST_RANGES:
        raise TrfError("too many ranges", number, 1, f"at most {MOST_RANGES}")
    notes.ranges.append((number, points(text, number, column), rounds, players))
    return True


def _system(notes: Records, line: str, _: int) -> bool:
    notes.system = line[4:].strip()
    return True


def _tiebreaks(notes: Records, line: str, _: int) -> bool:
    codes = tuple(line[4:].upper().replace(",", " ").split())
    notes.tiebreaks = codes if line.startswith("212") else ("PTS", *codes)
    return True


def _players(text: str, number: int) -> tuple[PlayerId, ...]:
    players = []
    for word in _PLAYERS.split(text.strip()):
        if not (word.isascii() and word.isdigit() and len(word) <= 5 and int(word)):
            raise TrfError(f"{word[:20]!r} is no player", number, 5, "pairing numbers")
        players.append(int(word))
    return tuple(players)


READERS: dict[str, Callable[[Records, str, int], bool]] = {
    "XXR": _rounds,
    "142": _rounds,
    "XXC": _configuration,
    "152": _initial_colour,
    "XXZ": _absent,
    "240": _bye_240,
    "XXP": _forbidden_xxp,
    "260": _forbidden_260,
    "XXA": _virtual_xxa,
    "250": _virtual_250,
    "192": _system,
    "202": _tiebreaks,
    "212": _tiebreaks,
    **POINT_READERS,
}
