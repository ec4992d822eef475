"""Readers of the records around the players: the XX records of pairing programs, and TRF26.

`point_readers.py` has those about points. Record XXG is our own: a player record has one result in
each round, so an event with two games in a pairing writes `XXG 2`, and the games of each pairing in
a record: round in columns 5-7, first and second player in 9-12 and 14-17, the results of the first
player in both games in 19-20, those of the second player in 22-23.
"""

import re
from collections.abc import Callable

from games.rules.seat import Seat
from games.rules.text import Text
from tournament.standings.crosstable import Kind, PlayerId
from tournament.trf.columns import (
    GAME_LETTERS,
    MOST_ROUNDS,
    check_blank,
    number_at,
    parse_points,
    players_from,
    text_at,
)
from tournament.trf.errors import TrfError
from tournament.trf.point_readers import POINT_READERS
from tournament.trf.records import PairingGames, Records, VirtualPoints
from tournament.trf.trf_file import ForbiddenGroup

BYES_240 = {"F": Kind.FULL_BYE, "H": Kind.HALF_BYE, "Z": Kind.ZERO_BYE, "": Kind.ZERO_BYE}
LETTERS_OF_XXG = {letter: kind for letter, (kind, is_short) in GAME_LETTERS.items() if not is_short}
MOST_RANGES = 1000

_SEPARATORS = re.compile(r"[\s,/]+")


def read_record(records: Records, line: str, number: int) -> bool:
    """Add a line to the records; return False if it is unknown. Raises TrfError."""
    read = RECORD_READERS.get(line[:3].upper())
    return read is not None and read(records, line, number)


def _read_rounds(records: Records, line: str, number: int) -> bool:
    rounds = number_at(line, 4, len(line), number, "number of rounds")
    if not 1 <= rounds <= MOST_ROUNDS:
        raise TrfError(
            Text("%(rounds)s rounds", rounds=rounds),
            number,
            5,
            Text("1 to %(most)s rounds", most=MOST_ROUNDS),
        )
    records.rounds = rounds
    return True


def _read_152(records: Records, line: str, _: int) -> bool:
    seats = {"W": Seat.FIRST, "B": Seat.SECOND}
    records.initial_seat = seats.get(line[4:].strip().upper())
    return records.initial_seat is not None


def _read_xxc(records: Records, line: str, _: int) -> bool:
    words = line[4:].lower().split()
    seats = {"white1": Seat.FIRST, "black1": Seat.SECOND}
    for word in words:
        records.initial_seat = seats.get(word, records.initial_seat)
    return bool(words) and all(word in seats for word in words)


def _read_xxz(records: Records, line: str, number: int) -> bool:
    records.absent += [(number, player) for player in _listed_players(line[3:], number)]
    return True


def _read_240(records: Records, line: str, number: int) -> bool:
    check_blank(line, number, (4, 6, 10))
    letter = text_at(line, 5, 5).upper()
    if letter not in BYES_240:
        raise TrfError(
            Text("%(word)s is not a bye", word=f"{letter!r}"), number, 5, Text("F, H or Z")
        )
    round_number = number_at(line, 7, 9, number, "round")
    if not round_number:
        raise TrfError(Text("a bye without a round"), number, 7, Text("a round"))
    for player in players_from(line, 11, number):
        records.byes.append((number, round_number, BYES_240[letter], player))
    return True


def _read_xxp(records: Records, line: str, number: int) -> bool:
    return _forbid(records, ForbiddenGroup(_listed_players(line[3:], number)), number)


def _read_260(records: Records, line: str, number: int) -> bool:
    check_blank(line, number, (4, 8, 12))
    first = number_at(line, 5, 7, number, "round") or 1
    last = number_at(line, 9, 11, number, "round") or first
    if last < first:
        raise TrfError(
            Text("a range that ends before it starts"),
            number,
            9,
            Text("%(number)s or later", number=first),
        )
    return _forbid(records, ForbiddenGroup(players_from(line, 13, number), first, last), number)


def _forbid(records: Records, group: ForbiddenGroup, number: int) -> bool:
    if len(group.players) < 2:
        detail = Text("a forbidden pair with fewer than two players")
        raise TrfError(detail, number, 5, Text("two players or more"))
    records.forbidden.append((number, group))
    return True


def _read_xxa(records: Records, line: str, number: int) -> bool:
    check_blank(line, number, range(4, len(line.rstrip()) + 1, 5))
    player = number_at(line, 5, 8, number, "player")
    cells = [line[start : start + 5].strip() for start in range(8, len(line.rstrip()), 5)]
    points = [parse_points(cell, number, 9 + 5 * i) for i, cell in enumerate(cells)]
    records.virtual[player] = (number, points)
    return True


def _read_250(records: Records, line: str, number: int) -> bool:
    check_blank(line, number, (4, 9, 14, 18, 22, 27, *range(32, len(line.rstrip()) + 1)))
    text, column = (text_at(line, 10, 13), 10) if text_at(line, 10, 13) else (line[4:8].strip(), 5)
    first_round = number_at(line, 15, 17, number, "round")
    last_round = number_at(line, 19, 21, number, "round") or first_round
    first = number_at(line, 23, 26, number, "player")
    last = number_at(line, 28, 31, number, "player") or first
    if not (1 <= first_round <= last_round <= MOST_ROUNDS and 1 <= first <= last):
        raise TrfError(
            Text("a range that ends before it starts"), number, 15, Text("rounds and players")
        )
    rounds, players = range(first_round, last_round + 1), range(first, last + 1)
    if len(records.virtual_ranges) >= MOST_RANGES:
        raise TrfError(
            Text("too many ranges"), number, 1, Text("at most %(most)s", most=MOST_RANGES)
        )
    points = parse_points(text, number, column)
    records.virtual_ranges.append(VirtualPoints(number, points, rounds, players))
    return True


def _read_xxg(records: Records, line: str, number: int) -> bool:
    """Read `XXG 2`, or a pairing with the results of its games, as in `XXG   1    3    7 1= 0=`."""
    if len(line.split()) == 2:
        records.games_per_pairing = number_at(line, 4, len(line), number, "number of games")
        if records.games_per_pairing not in (1, 2):
            raise TrfError(
                Text("%(count)s games in a pairing", count=records.games_per_pairing),
                number,
                5,
                Text("1 or 2"),
            )
        return True
    check_blank(line, number, (4, 8, 13, 18, 21, *range(24, len(line.rstrip()) + 1)))
    round_number = number_at(line, 5, 7, number, "round")
    players = number_at(line, 9, 12, number, "player"), number_at(line, 14, 17, number, "player")
    games = _games_at(line, 19, number), _games_at(line, 22, number)
    records.games.append(PairingGames(number, round_number, players, games))
    return True


def _games_at(line: str, column: int, number: int) -> tuple[Kind, ...]:
    letters = line[column - 1 : column + 1]
    if len(letters) != 2 or not set(letters) <= LETTERS_OF_XXG.keys():
        detail = Text("%(word)s are not the results of two games", word=f"{letters!r}")
        raise TrfError(detail, number, column, Text("two of 1 = 0 + -"))
    return tuple(LETTERS_OF_XXG[letter] for letter in letters)


def _read_192(records: Records, line: str, _: int) -> bool:
    records.system = line[4:].strip()
    return True


def _read_tiebreaks(records: Records, line: str, _: int) -> bool:
    codes = tuple(line[4:].upper().replace(",", " ").split())
    records.tiebreaks = codes if line.startswith("212") else ("PTS", *codes)
    return True


def _listed_players(text: str, number: int) -> tuple[PlayerId, ...]:
    players = []
    for word in _SEPARATORS.split(text.strip()):
        if not (word.isascii() and word.isdigit() and len(word) <= 5 and int(word)):
            raise TrfError(
                Text("invalid player %(word)s", word=f"{word[:20]!r}"),
                number,
                5,
                Text("pairing numbers"),
            )
        players.append(int(word))
    return tuple(players)


RECORD_READERS: dict[str, Callable[[Records, str, int], bool]] = {
    "XXR": _read_rounds,
    "142": _read_rounds,
    "XXC": _read_xxc,
    "152": _read_152,
    "XXZ": _read_xxz,
    "240": _read_240,
    "XXP": _read_xxp,
    "260": _read_260,
    "XXA": _read_xxa,
    "XXG": _read_xxg,
    "250": _read_250,
    "192": _read_192,
    "202": _read_tiebreaks,
    "212": _read_tiebreaks,
    **POINT_READERS,
}
