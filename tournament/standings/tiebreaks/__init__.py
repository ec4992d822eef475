"""The tie-breaks of C.07 (2026-03-01) and of the *Star games, by code.

A tie-break is a function of the score table, the tied players and the parsed code. To add one,
write the function and add it to `TIEBREAKS`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from games.rules.text import Text
from tournament.standings.crosstable import PlayerId
from tournament.standings.errors import TiebreakError
from tournament.standings.tiebreaks import buchholz, game_scores, knockout, own_results, performance
from tournament.standings.tiebreaks.code import TiebreakCode
from tournament.standings.tiebreaks.direct_encounter import direct_encounter
from tournament.standings.tiebreaks.score_table import ScoreTable
from tournament.standings.tiebreaks.values import Numbers, Values

__all__ = [
    "TIEBREAKS",
    "ScoreTable",
    "Tiebreak",
    "TiebreakCode",
    "parse_codes",
    "parse_tiebreak",
]

MOST_TIEBREAK_CODES = 40


class Scale(NamedTuple):
    """The unit of a value, its terms and their bases, as a power of the units of a point.

    0 is a plain number, 1 a number of units, 2 a product of units.
    """

    value: int = 0
    term: int = 0
    basis: int = 0


PLAIN = Scale()
UNITS = Scale(1, 1, 1)


@dataclass(frozen=True, slots=True)
class Tiebreak:
    """A tie-break: its function, the letters of its modifiers, and how its values compare.

    Only the crosstable of a knockout has the bracket that `needs_bracket` reads. `numbers` returns
    the values without their terms, for the most frequent codes, of which these take most time.
    """

    compute: Callable[[ScoreTable, Sequence[PlayerId], TiebreakCode], Values]
    modifiers: str = ""
    scale: Scale = PLAIN
    is_ascending: bool = False
    is_swiss_only: bool = False
    depends_on_group: bool = False
    needs_bracket: bool = False
    numbers: Callable[[ScoreTable, Sequence[PlayerId], TiebreakCode], Numbers] | None = None


TIEBREAKS = {
    "PTS": Tiebreak(own_results.points, scale=UNITS, numbers=own_results.points_numbers),
    "DE": Tiebreak(direct_encounter, "P", Scale(term=1), is_ascending=True, depends_on_group=True),
    "WIN": Tiebreak(own_results.wins),
    "WON": Tiebreak(own_results.games_won),
    "BPG": Tiebreak(own_results.games_second),
    "BWG": Tiebreak(own_results.games_won_second),
    "PS": Tiebreak(own_results.progressive, "C", UNITS),
    "REP": Tiebreak(own_results.rounds_elected),
    "STD": Tiebreak(own_results.standard_score, scale=Scale(basis=1)),
    "TPN": Tiebreak(own_results.pairing_number, "R", is_ascending=True),
    "BH": Tiebreak(
        buchholz.buchholz, "CMPF", UNITS, is_swiss_only=True, numbers=buchholz.buchholz_numbers
    ),
    "AOB": Tiebreak(buchholz.average_of_buchholz, "F", UNITS, is_swiss_only=True),
    "FB": Tiebreak(buchholz.fore_buchholz, "CMP", UNITS, is_swiss_only=True),
    "SB": Tiebreak(
        buchholz.sonneborn_berger,
        "CMP",
        Scale(2, 2, 1),
        numbers=buchholz.sonneborn_berger_numbers,
    ),
    "KS": Tiebreak(buchholz.koya, "L", UNITS),
    "ARO": Tiebreak(performance.average_rating, "CM"),
    "TPR": Tiebreak(performance.performance),
    "PTP": Tiebreak(performance.perfect_performance),
    "APRO": Tiebreak(performance.average_performance),
    "APPO": Tiebreak(performance.average_perfect_performance),
    "RTNG": Tiebreak(own_results.own_rating, "R"),
    "MMS": Tiebreak(own_results.mcmahon_score, scale=UNITS),
    "GPTS": Tiebreak(own_results.game_points),
    "STAGE": Tiebreak(knockout.stage, needs_bracket=True),
    "LOST": Tiebreak(knockout.lost_to, is_ascending=True, needs_bracket=True),
    "MARGIN": Tiebreak(game_scores.margin, "L"),
    "STARS": Tiebreak(game_scores.stars),
    "QUARKS": Tiebreak(game_scores.quarks),
}


@cache
def _valid_codes(*, round_robin: bool) -> tuple[str, ...]:
    """Return the codes allowed in an event with their modifiers, as in `BH[/Cn|/Mn][/P][/F]`."""
    forms = {"L": "[/L±n]", "P": "[/P]", "F": "[/F]", "R": "[/R]"}
    listed = []
    for name, tiebreak in TIEBREAKS.items():
        if round_robin and tiebreak.is_swiss_only:
            continue
        cuts = [f"/{letter}n" for letter in "CM" if letter in tiebreak.modifiers]
        form = name + (f"[{'|'.join(cuts)}]" if cuts else "")
        listed.append(form + "".join(forms[m] for m in "LPFR" if m in tiebreak.modifiers))
    return tuple(listed)


def parse_tiebreak(text: str, *, round_robin: bool = False) -> TiebreakCode:
    """Read a code and check that it exists, has these modifiers and is allowed in the event.

    Raises TiebreakError with the list of valid codes.

    >>> str(parse_tiebreak("bh/c1"))
    'BH/C1'
    """
    valid = _valid_codes(round_robin=round_robin)
    try:
        code = TiebreakCode.parse(text)
    except TiebreakError as error:
        raise TiebreakError(error.detail, error.code, valid) from error
    tiebreak = TIEBREAKS.get(code.name)
    if tiebreak is None:
        raise TiebreakError(
            Text("%(code)s is not a tie-break", code=code.name[:40]), str(code), valid
        )
    for letter in sorted(code.modifiers - set(tiebreak.modifiers)):
        raise TiebreakError(
            Text("%(code)s has no modifier %(modifier)s", code=code.name, modifier=letter),
            str(code),
            valid,
        )
    if round_robin and tiebreak.is_swiss_only:
        raise TiebreakError(
            Text("%(code)s is not for a round robin", code=code.name), str(code), valid
        )
    return code


def parse_codes(
    texts: Sequence[str] | str, *, round_robin: bool = False
) -> tuple[TiebreakCode, ...]:
    """Read an event's list, `PTS,BH/C1,SB` or its items; only DE may be repeated.

    Raises TiebreakError for a list that is empty or too long, and for an invalid code.
    """
    parts = texts.split(",") if isinstance(texts, str) else texts
    if len(parts) > MOST_TIEBREAK_CODES:
        raise TiebreakError(
            Text(
                "the list has %(count)s codes, more than %(most)s",
                count=len(parts),
                most=MOST_TIEBREAK_CODES,
            ),
            "",
        )
    codes = tuple(parse_tiebreak(part, round_robin=round_robin) for part in parts)
    if not codes:
        valid = _valid_codes(round_robin=round_robin)
        raise TiebreakError(Text("the list of tie-breaks is empty"), "", valid)
    for index, code in enumerate(codes):
        if code in codes[:index] and not TIEBREAKS[code.name].depends_on_group:
            raise TiebreakError(Text("%(code)s is in the list twice", code=code), str(code))
    return codes
