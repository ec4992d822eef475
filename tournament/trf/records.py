"""The records around the players, read and written: those of pairing programs (XX), and of TRF26.

What is read is collected before the tournament is assembled. Record XXG is our own: a player record
has one result in each round, so an event with two games in a pairing writes `XXG 2`, and the games
of each pairing in a record: round in columns 5-7, first and second player in 9-12 and 14-17, the
results of the first player in both games in 19-20, those of the second player in 22-23.

A line that starts with `###` is a comment, which other programs skip. One of ours names the struck
players, for whom TRF has no record; `own_record.py` has the other one.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

from games.rules.seat import Seat
from games.rules.text import Text
from tournament.standings.crosstable import Crosstable, Kind, PlayerId
from tournament.standings.points import CLASSIC, PointSystem, complete_points
from tournament.trf.columns import (
    GAME_LETTERS,
    LETTER_OF_AWARD,
    LETTER_OF_BYE,
    MOST_ROUNDS,
    check_blank,
    fit_text,
    format_points,
    number_at,
    parse_points,
    players_from,
    text_at,
)
from tournament.trf.errors import TrfError
from tournament.trf.own_record import NO_RECORD, PREFIX, OwnRecord, read_own
from tournament.trf.trf_file import AnnouncedBye, ForbiddenGroup, TrfFile


class AwardedPoints(NamedTuple):
    """Points that players get in a round instead of those of the result, or in addition."""

    line: int
    points: Fraction
    round: int
    players: tuple[PlayerId, ...]
    is_addition: bool


class VirtualPoints(NamedTuple):
    """Virtual points of a range of players in a range of rounds (record 250)."""

    line: int
    points: Fraction
    rounds: range
    players: range


class PairingGames(NamedTuple):
    """The results of the games of a pairing, for each of its players (record XXG)."""

    line: int
    round: int
    players: tuple[PlayerId, PlayerId]
    games: tuple[tuple[Kind, ...], tuple[Kind, ...]]


@dataclass(slots=True)
class Records:
    """The values of the records, with the number of the line where a later check needs it."""

    rounds: int = 0
    initial_seat: Seat | None = None
    points: dict[str, Fraction] = field(default_factory=dict)
    unknown_points: Fraction | None = None
    points_line: int = 1
    absent: list[tuple[int, PlayerId]] = field(default_factory=list)
    byes: list[tuple[int, int, Kind, PlayerId]] = field(default_factory=list)
    forbidden: list[tuple[int, ForbiddenGroup]] = field(default_factory=list)
    virtual: dict[PlayerId, tuple[int, list[Fraction]]] = field(default_factory=dict)
    virtual_ranges: list[VirtualPoints] = field(default_factory=list)
    awarded: list[AwardedPoints] = field(default_factory=list)
    games_per_pairing: int = 1
    games: list[PairingGames] = field(default_factory=list)
    tiebreaks: tuple[str, ...] = ()
    system: str = ""
    struck: tuple[PlayerId, ...] = ()
    own: OwnRecord = NO_RECORD
    own_line: int = 1


STRUCK = "### not in the standings, less than half of the games played (FIDE C.05 6.6):"
_STRUCK = re.compile(re.escape(STRUCK) + r"((?: +[0-9]{1,5})+) *")


POINTS_BB = {
    "BBW": ("win",),
    "BBD": ("draw",),
    "BBL": ("loss",),
    "BBZ": ("zero_bye",),
    "BBF": ("forfeit_loss",),
    "BBU": ("pairing_bye",),
}
POINTS_162 = {
    "W": ("win",),
    "D": ("draw",),
    "L": ("loss",),
    "P": ("pairing_bye",),
    "A": ("forfeit_loss", "zero_bye"),
    "Z": ("forfeit_loss", "zero_bye"),
    "F": ("full_bye",),
    "H": ("half_bye",),
}
UNKNOWN_RESULT = "X"
"""The letter in record 162 of a result that is not known, as that of an adjourned game."""
POINTS_XXS = {
    "W": ("win",),
    "D": ("draw",),
    "L": ("loss",),
    "FW": ("forfeit_win",),
    "FL": ("forfeit_loss",),
    "PAB": ("pairing_bye",),
    "FPB": ("full_bye",),
    "HPB": ("half_bye",),
    "ZPB": ("zero_bye",),
}
POINTS_XXS_BY_COLOUR = {
    "WW": ("win",),
    "BW": ("win",),
    "WD": ("draw",),
    "BD": ("draw",),
    "WL": ("loss",),
    "BL": ("loss",),
}
"""The codes of JaVaFo for each colour: points differ by colour in no event here."""
XXS_ENTRY = re.compile(r"([A-Za-z]+)\s*=\s*(\S+)")
POINTS_299 = {
    **{letter: (kind.name.lower(),) for kind, letter in LETTER_OF_AWARD.items()},
    "A": ("forfeit_loss", "zero_bye"),
}


def _read_bb(records: Records, line: str, number: int) -> bool:
    points = parse_points(line[3:].strip(), number, 4)
    records.points |= dict.fromkeys(POINTS_BB[line[:3].upper()], points)
    records.points_line = number
    return True


def _read_162(records: Records, line: str, number: int) -> bool:
    check_blank(line, number, (4, 5))
    for start in range(5, len(line.rstrip()), 9):
        check_blank(line, number, range(start + 6, start + 10))
        letter = line[start].upper()
        points = parse_points(line[start + 1 : start + 5].strip(), number, start + 2)
        if letter in POINTS_162:
            # XXS and 299, which separate what A combines, have priority wherever they are.
            records.points = dict.fromkeys(POINTS_162[letter], points) | records.points
            records.points_line = number
        elif letter == UNKNOWN_RESULT:
            records.unknown_points = points
            records.points_line = number
        else:
            raise TrfError(
                Text("%(word)s is not a result", word=f"{letter!r}"),
                number,
                start + 1,
                Text("W, D, L, P, A or Z"),
            )
    return True


def _read_xxs(records: Records, line: str, number: int) -> bool:
    words = list(XXS_ENTRY.finditer(line, 3))
    known = {**POINTS_XXS, **POINTS_XXS_BY_COLOUR}
    if XXS_ENTRY.sub("", line[3:]).strip(" ,;") or any(w[1].upper() not in known for w in words):
        return False
    by_colour: dict[str, Fraction] = {}
    for word in words:
        code = word[1].upper()
        points = parse_points(word[2].rstrip(",;"), number, word.start() + 1)
        names = known[code]
        if code in POINTS_XXS_BY_COLOUR and by_colour.setdefault(names[0], points) != points:
            detail = Text("%(code)s, which differs from the other colour", code=code)
            expected = Text("the same points for both colours")
            raise TrfError(detail, number, word.start() + 1, expected)
        records.points |= dict.fromkeys(names, points)
        records.points_line = number
    return True


def _read_299(records: Records, line: str, number: int) -> bool:
    """Read abnormal points: of a result in all rounds, or of players in a round."""
    check_blank(line, number, (4, 6, 7, 12, 13, 18, 19, 23))
    letter = text_at(line, 5, 5).upper()
    text, column = (text_at(line, 14, 17), 14) if text_at(line, 14, 17) else (line[7:11].strip(), 8)
    round_number = number_at(line, 20, 22, number, "round")
    players = players_from(line, 24, number)
    if letter and letter not in POINTS_299:
        raise TrfError(
            Text("%(word)s is not a result", word=f"{letter!r}"),
            number,
            5,
            Text("W D L + - F H Z, or blank"),
        )
    if letter and not players and not round_number:
        records.points |= dict.fromkeys(POINTS_299[letter], parse_points(text, number, column))
        records.points_line = number
        return True
    if not players:
        raise TrfError(Text("points without players"), number, 24, Text("pairing numbers"))
    if not round_number:
        raise TrfError(Text("points without a round"), number, 20, Text("a round"))
    points = parse_points(text, number, column, signed=True)
    records.awarded.append(AwardedPoints(number, points, round_number, players, not letter))
    return True


POINT_READERS: dict[str, Callable[[Records, str, int], bool]] = {
    **dict.fromkeys(POINTS_BB, _read_bb),
    "162": _read_162,
    "XXS": _read_xxs,
    "299": _read_299,
}


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


def _read_comment(records: Records, line: str, number: int) -> bool:
    if line.startswith(PREFIX):
        records.own, records.own_line = read_own(line, number), number
        return True
    match = _STRUCK.fullmatch(line)
    if match is None:
        return False
    records.struck = tuple(dict.fromkeys(map(int, match[1].split())))
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
    "###": _read_comment,
    "250": _read_250,
    "192": _read_192,
    "202": _read_tiebreaks,
    "212": _read_tiebreaks,
    **POINT_READERS,
}


POINTS_26 = {
    "W": "win",
    "D": "draw",
    "L": "loss",
    "A": "zero_bye",
    "P": "pairing_bye",
}


def event_records_16(trf: TrfFile) -> Iterator[str]:
    """Write the records about the event of TRF16, and those of TRF26 that TRF16 lacks.

    The type of the tournament is that of record 092: some programs that read TRF16 refuse a record
    192 with a code that is younger than they are.
    """
    crosstable = trf.crosstable
    yield f"XXR {crosstable.rounds}"
    if crosstable.initial_seat is not None:
        yield f"XXC {'white1' if crosstable.initial_seat is Seat.FIRST else 'black1'}"
    points = {}
    if crosstable.points != CLASSIC:
        for code, (name,) in POINTS_BB.items():
            points[name] = _points(crosstable.points, name)
            yield f"{code} {format_points(points[name])}"
    yield from _record_162(_unknown_points(crosstable))
    others = _other_points(crosstable.points, points)
    if others:
        codes = {name: code for code, (name,) in POINTS_XXS.items()}
        entries = (f"{codes[name]}={format_points(others[name]).strip()}" for name in others)
        yield f"XXS {' '.join(entries)}"
    yield from _encoded_settings(trf)


def event_records_26(trf: TrfFile) -> Iterator[str]:
    """Write the records about the event of TRF26."""
    crosstable = trf.crosstable
    yield f"142 {crosstable.rounds}"
    if crosstable.initial_seat is not None:
        yield f"152 {'W' if crosstable.initial_seat is Seat.FIRST else 'B'}"
    points, entries = {}, {}
    if crosstable.points != CLASSIC:
        points = {name: _points(crosstable.points, name) for name in POINTS_26.values()}
        # An absence is worth a loss by default; bbpPairings 6.0.0 does not know its letter.
        entries = {
            letter: points[name]
            for letter, name in POINTS_26.items()
            if letter != "A" or points[name] != points["loss"]
        }
        points["forfeit_loss"] = points["zero_bye"]
    yield from _record_162(entries | _unknown_points(crosstable))
    for name, worth in _other_points(crosstable.points, points).items():
        yield f"299 {LETTER_OF_AWARD[Kind[name.upper()]]}        {format_points(worth)}"
    if system := trf.system or ("CUSTOM_ROUNDROBIN" if crosstable.round_robin else ""):
        yield f"192 {fit_text(system)}"
    yield from _encoded_settings(trf)


def _record_162(points: Mapping[str, Fraction]) -> Iterator[str]:
    if points:
        entries = (f"{letter}{format_points(worth)}" for letter, worth in points.items())
        yield "162  " + "    ".join(entries)


def _unknown_points(crosstable: Crosstable) -> dict[str, Fraction]:
    """Return the points of an adjourned game as those of `X`, which are a draw's by default."""
    results = (result for player in crosstable.players for result in player.results)
    units = {crosstable.units_of(result) for result in results if result.adjourned}
    if units <= {crosstable.points.draw}:
        return {}
    return {UNKNOWN_RESULT: Fraction(units.pop(), crosstable.points.unit)}


def _points(system: PointSystem, name: str) -> Fraction:
    return Fraction(getattr(system, name), system.unit)


def _other_points(system: PointSystem, points: dict[str, Fraction]) -> dict[str, Fraction]:
    """Return the points that do not follow from those already written, by field."""
    written = complete_points(**points)
    worth = {name: _points(system, name) for name in written}
    return {name: worth[name] for name in written if worth[name] != written[name]}


def _encoded_settings(trf: TrfFile) -> Iterator[str]:
    settings = {"212": ",".join(trf.tiebreaks), "222": trf.header.encoded_time}
    for code, text in settings.items():
        if text:
            yield f"{code} {fit_text(text)}"


def pairing_records_16(trf: TrfFile) -> Iterator[str]:
    """Write the virtual points and the forbidden pairs of TRF16."""
    crosstable = trf.crosstable
    for player in crosstable.players:
        if player.virtual:
            points = (Fraction(units, crosstable.points.unit) for units in player.virtual)
            yield f"XXA {player.number:>4}{''.join(f' {format_points(worth)}' for worth in points)}"
    for group in trf.forbidden:
        if group.first <= 1 and group.last in (0, crosstable.rounds):
            yield f"XXP{_numbers(group.players)}"
        else:
            yield _record_260(group, crosstable)


def struck_comment(struck: Sequence[PlayerId]) -> Iterator[str]:
    """Write the comment that names the struck players."""
    if struck:
        yield f"{STRUCK} {' '.join(map(str, struck))}"


def bye_records(byes: Iterable[AnnouncedBye]) -> Iterator[str]:
    """Write announced byes, a record for each round and kind."""
    for (round_number, kind), group in groupby(sorted(byes), key=lambda bye: (bye.round, bye.kind)):
        players = _numbers([bye.player for bye in group])
        yield f"240 {LETTER_OF_BYE[kind]} {round_number:>3}{players}"


def pairing_records_26(trf: TrfFile) -> Iterator[str]:
    """Write the acceleration and the forbidden pairs of TRF26."""
    yield from _acceleration(trf.crosstable)
    for group in trf.forbidden:
        yield _record_260(group, trf.crosstable)


def _record_260(group: ForbiddenGroup, crosstable: Crosstable) -> str:
    last = group.last or crosstable.rounds
    return f"260 {group.first:03} {last:03}{_numbers(group.players)}"


def _numbers(players: Sequence[PlayerId]) -> str:
    return "".join(f" {number:>4}" for number in players)


def _acceleration(crosstable: Crosstable) -> Iterator[str]:
    """Write a record for each range of players and rounds with equal virtual points."""
    for virtual, players in groupby(crosstable.players, key=lambda player: player.virtual):
        numbers = [player.number for player in players]
        first = 1
        for units, rounds in groupby(virtual):
            next_first = first + len(list(rounds))
            if units:
                points = format_points(Fraction(units, crosstable.points.unit))
                yield (
                    f"250      {points} {first:03} {next_first - 1:03} "
                    f"{numbers[0]:04} {numbers[-1]:04}"
                )
            first = next_first
