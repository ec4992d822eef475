"""Readers of the records about points: BBW and similar, XXS, 162 and 299."""

from collections.abc import Callable

from games.rules.text import Text
from tournament.trf.columns import (
    LETTER_OF_AWARD,
    check_blank,
    number_at,
    parse_points,
    players_from,
    text_at,
)
from tournament.trf.errors import TrfError
from tournament.trf.records import AwardedPoints, Records

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
    for word in line[3:].split():
        code, _, text = word.partition("=")
        names = POINTS_XXS.get(code.upper())
        if names is None:
            return False
        points = parse_points(text, number, line.index(word) + 1)
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
