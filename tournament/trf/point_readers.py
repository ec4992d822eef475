"""Records about points: what results are worth, and what a round brought somebody instead.

BBW and its like and XXS are those of pairing programs, 162 and 299 TRF26's own.
"""

from collections.abc import Callable

from tournament.trf.columns import LETTER_OF_AWARD, cut, points, whole
from tournament.trf.errors import TrfError
from tournament.trf.records import AwardedPoints, Records, columns_of_players

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


def _points_bb(notes: Records, line: str, number: int) -> bool:
    for name in POINTS_BB[line[:3]]:
        notes.worth[name] = points(line[3:].strip(), number, 4)
    notes.worth_line = number
    return True


def _points_162(notes: Records, line: str, number: int) -> bool:
    for start in range(5, len(line.rstrip()), 9):
        letter = line[start].upper()
        worth = points(line[start + 1 : start + 5].strip(), number, start + 2)
        for name in POINTS_162.get(letter, ()):
            notes.worth[name] = worth
            notes.worth_line = number
        if letter not in POINTS_162 and letter != "X":
            raise TrfError(f"{letter!r} is no result", number, start + 1, "W, D, L, P, A or Z")
    return True


def _points_xxs(notes: Records, line: str, number: int) -> bool:
    for word in line[3:].split():
        code, _, text = word.partition("=")
        if code.upper() not in POINTS_XXS:
            return False
        for name in POINTS_XXS[code.upper()]:
            notes.worth[name] = points(text, number, line.index(word) + 1)
            notes.worth_line = number
    return True


def _award_299(notes: Records, line: str, number: int) -> bool:
    """Read an abnormal award: of a result anywhere, of players' round, or added to what it was."""
    letter = cut(line, 5, 5).upper()
    text, column = (cut(line, 14, 17), 14) if cut(line, 14, 17) else (cut(line, 8, 11), 8)
    round_number = whole(line, 20, 22, number, "round")
    players = columns_of_players(line, 24, number)
    if letter and letter not in POINTS_299:
        raise TrfError(f"{letter!r} is no result", number, 5, "W D L + - F H Z, or blank")
    if letter and not players and not round_number:
        for name in POINTS_299[letter]:
            notes.worth[name] = points(text, number, column)
        notes.worth_line = number
        return True
    if not players:
        raise TrfError("points for nobody", number, 24, "pairing numbers")
    if not round_number:
        raise TrfError("points of no round", number, 20, "a round")
    worth = points(text, number, column, signed=True)
    notes.awards.append(AwardedPoints(number, worth, round_number, players, not letter))
    return True


POINT_READERS: dict[str, Callable[[Records, str, int], bool]] = {
    **dict.fromkeys(POINTS_BB, _points_bb),
    "162": _points_162,
    "XXS": _points_xxs,
    "299": _award_299,
}
