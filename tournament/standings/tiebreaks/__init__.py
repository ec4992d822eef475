"""Tie-breaks of C.07, edition in force from 2026-03-01, and the family's own.

A tie-break is a function of the ledger, the players it is asked for and the code as written; only
DE looks at who is still level. A new one is a function and an entry in `TIEBREAKS`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tournament.standings.crosstable import PlayerId
from tournament.standings.errors import TiebreakError
from tournament.standings.tiebreaks import (
    buchholz,
    direct_encounter,
    game_scores,
    own_results,
    performance,
)
from tournament.standings.tiebreaks.buchholz import Tallies
from tournament.standings.tiebreaks.code import TiebreakCode
from tournament.standings.tiebreaks.score_table import ScoreTable

__all__ = [
    "TIEBREAKS",
    "ScoreTable",
    "Tiebreak",
    "TiebreakCode",
    "parse_codes",
    "parse_tiebreak",
    "valid_codes",
]


MOST_CODES = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Tiebreak:
    """One entry of the list of codes.

    `modifiers` are the letters it knows. The powers say in what a value, an element's value and
    its basis are counted: 0 as they are, 1 in units of points, 2 in products of units.
    """

    article: str
    title: str
    compute: Callable[[ScoreTable, Sequence[PlayerId], TiebreakCode], Tallies]
    modifiers: str = ""
    power: int = 0
    element_power: int = 0
    basis_power: int = 0
    is_ascending: bool = False
    is_swiss_only: bool = False
    sees_group: bool = False


TIEBREAKS: dict[str, Tiebreak] = {
    "PTS": Tiebreak(
        article="",
        title="Points",
        compute=own_results.points,
        power=1,
        element_power=1,
        basis_power=1,
    ),
    "DE": Tiebreak(
        article="6",
        title="Direct encounter",
        compute=direct_encounter.direct_encounter,
        modifiers="P",
        element_power=1,
        is_ascending=True,
        sees_group=True,
    ),
    "WIN": Tiebreak(article="7.1", title="Rounds won", compute=own_results.wins),
    "WON": Tiebreak(article="7.2", title="Games won", compute=own_results.games_won),
    "BPG": Tiebreak(article="7.3", title="Games second", compute=own_results.games_second),
    "BWG": Tiebreak(article="7.4", title="Games won second", compute=own_results.games_won_second),
    "PS": Tiebreak(
        article="7.5",
        title="Progressive scores",
        compute=own_results.progressive,
        modifiers="C",
        power=1,
        element_power=1,
        basis_power=1,
    ),
    "REP": Tiebreak(
        article="7.6", title="Rounds elected to play", compute=own_results.rounds_elected
    ),
    "STD": Tiebreak(
        article="7.7", title="Standard score", compute=own_results.standard_score, basis_power=1
    ),
    "TPN": Tiebreak(
        article="7.8",
        title="Pairing number",
        compute=own_results.pairing_number,
        modifiers="R",
        is_ascending=True,
    ),
    "BH": Tiebreak(
        article="8.1",
        title="Buchholz",
        compute=buchholz.buchholz,
        modifiers="CMPF",
        power=1,
        element_power=1,
        basis_power=1,
        is_swiss_only=True,
    ),
    "AOB": Tiebreak(
        article="8.2",
        title="Average of opponents' Buchholz",
        compute=buchholz.average_of_buchholz,
        modifiers="F",
        power=1,
        element_power=1,
        basis_power=1,
        is_swiss_only=True,
    ),
    "FB": Tiebreak(
        article="8.3",
        title="Fore Buchholz",
        compute=buchholz.fore_buchholz,
        modifiers="CMP",
        power=1,
        element_power=1,
        basis_power=1,
        is_swiss_only=True,
    ),
    "SB": Tiebreak(
        article="9.1",
        title="Sonneborn-Berger",
        compute=buchholz.sonneborn_berger,
        modifiers="CMP",
        power=2,
        element_power=2,
        basis_power=1,
    ),
    "KS": Tiebreak(
        article="9.2",
        title="Koya",
        compute=buchholz.koya,
        modifiers="L",
        power=1,
        element_power=1,
        basis_power=1,
    ),
    "ARO": Tiebreak(
        article="10.1",
        title="Average rating of opponents",
        compute=performance.average_rating,
        modifiers="CM",
    ),
    "TPR": Tiebreak(article="10.2", title="Performance rating", compute=performance.performance),
    "PTP": Tiebreak(
        article="10.3", title="Perfect performance", compute=performance.perfect_performance
    ),
    "APRO": Tiebreak(
        article="10.4",
        title="Average performance of opponents",
        compute=performance.average_performance,
    ),
    "APPO": Tiebreak(
        article="10.5",
        title="Average perfect performance of opponents",
        compute=performance.average_perfect_performance,
    ),
    "RTNG": Tiebreak(article="10.6", title="Rating", compute=own_results.own_rating, modifiers="R"),
    "MMS": Tiebreak(
        article="house",
        title="McMahon score",
        compute=own_results.mcmahon_score,
        power=1,
        element_power=1,
        basis_power=1,
    ),
    "MARGIN": Tiebreak(
        article="house", title="Margin of game scores", compute=game_scores.margin, modifiers="L"
    ),
    "STARS": Tiebreak(article="house", title="Stars", compute=game_scores.stars),
    "QUARKS": Tiebreak(article="house", title="Quarks", compute=game_scores.quarks),
}


def valid_codes(*, round_robin: bool = False) -> tuple[str, ...]:
    """List the codes an event may use, each with its modifiers: `BH[/Cn|/Mn][/P][/F]`."""
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
    """Read one code and check that it exists, knows its modifiers and suits the event.

    Raises TiebreakError that lists the valid codes.

    >>> str(parse_tiebreak("bh/c1"))
    'BH/C1'
    """
    valid = valid_codes(round_robin=round_robin)
    try:
        code = TiebreakCode.parse(text)
    except TiebreakError as fault:
        raise TiebreakError(fault.detail, fault.code, valid) from fault
    tiebreak = TIEBREAKS.get(code.name)
    if tiebreak is None:
        raise TiebreakError(f"{code.name[:40]} is no tie-break", str(code), valid)
    for letter in sorted(code.modifiers - set(tiebreak.modifiers)):
        raise TiebreakError(f"{code.name} knows no modifier {letter}", str(code), valid)
    if round_robin and tiebreak.is_swiss_only:
        raise TiebreakError(f"{code.name} is not for a round robin", str(code), valid)
    return code


def parse_codes(
    texts: Sequence[str] | str, *, round_robin: bool = False
) -> tuple[TiebreakCode, ...]:
    """Read an event's list, `PTS,BH/C1,SB` or its parts; only DE may stand in it twice.

    Raises TiebreakError for an empty or endless list, and for a code that is unknown, out of place
    or repeated.
    """
    parts = texts.split(",") if isinstance(texts, str) else texts
    if len(parts) > MOST_CODES:
        raise TiebreakError(f"the list has {len(parts)} codes, more than {MOST_CODES}", "")
    codes = tuple(parse_tiebreak(part, round_robin=round_robin) for part in parts)
    if not codes:
        raise TiebreakError("the list of tie-breaks is empty", "", valid_codes())
    for index, code in enumerate(codes):
        if code in codes[:index] and not TIEBREAKS[code.name].sees_group:
            raise TiebreakError(f"{code} stands twice in the list", str(code))
    return codes
