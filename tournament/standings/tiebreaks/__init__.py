"""The tie-breaks of C.07 (2026-03-01) and of the *Star games, by code.

A tie-break is a function of the score table, the tied players and the parsed code. To add one,
write the function and add an entry.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Any, Final, NamedTuple

from games.rules.messages import gettext_noop
from games.rules.text import Text
from tournament.standings.crosstable import PlayerId
from tournament.standings.errors import TiebreakError, refuse_tiebreaks
from tournament.standings.tiebreaks import buchholz, game_scores, knockout, own_results, performance
from tournament.standings.tiebreaks.code import TiebreakCode
from tournament.standings.tiebreaks.direct_encounter import direct_encounter
from tournament.standings.tiebreaks.score_table import ScoreTable
from tournament.standings.tiebreaks.values import Numbers, Values

__all__ = [
    "EDITION",
    "TIEBREAKS",
    "ScoreTable",
    "Tiebreak",
    "TiebreakCode",
    "other_edition",
    "parse_codes",
    "parse_tiebreak",
]

MOST_TIEBREAK_CODES = 40
EDITION: Final = date(2026, 3, 1)
"""The day from which this edition of C.07 is in force."""


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
    """A tie-break: its code, its name, its article of C.07, its function, how its values compare.

    - `article` is empty for those of the *Star games and of other systems.
    - `modifiers` are the letters of its modifiers.
    - `needs_bracket`: it reads the bracket, which only the crosstable of a knockout has.
    - `needs_ratings`: every player needs a rating; `needs_records`: every game needs a record that
      proves its score; `needs_counts`: it reads the counts of the verdict as well.
    - `find_lack` returns what the table lacks, so that nobody has a value; None if nothing.
    - `least_limit` is the least n of its modifier `L+n`; None if any will do.
    - `numbers` returns the values without their terms, for the most frequent codes, of which these
      take most time.
    """

    code: str
    name: str
    article: str
    compute: Callable[[ScoreTable, Sequence[PlayerId], TiebreakCode], Values]
    modifiers: str = ""
    scale: Scale = PLAIN
    is_ascending: bool = False
    is_swiss_only: bool = False
    depends_on_group: bool = False
    needs_bracket: bool = False
    needs_ratings: bool = False
    needs_records: bool = False
    needs_counts: bool = False
    find_lack: Callable[[ScoreTable], Text | None] | None = None
    least_limit: int | None = None
    numbers: Callable[[ScoreTable, Sequence[PlayerId], TiebreakCode], Numbers] | None = None


NEEDS_RATINGS: Any = {"needs_ratings": True, "find_lack": performance.lacks_a_rating}
NEEDS_BRACKET: Any = {"needs_bracket": True, "find_lack": knockout.lacks_a_bracket}

_ALL = (
    Tiebreak(
        "PTS",
        gettext_noop("points"),
        "",
        own_results.points,
        scale=UNITS,
        numbers=own_results.points_numbers,
    ),
    Tiebreak(
        "DE",
        gettext_noop("games of the tied players with each other"),
        "6",
        direct_encounter,
        "P",
        Scale(term=1),
        is_ascending=True,
        depends_on_group=True,
    ),
    Tiebreak("WIN", gettext_noop("wins, byes and forfeits included"), "7.1", own_results.wins),
    Tiebreak("WON", gettext_noop("games won"), "7.2", own_results.games_won),
    Tiebreak("BPG", gettext_noop("games played as second"), "7.3", own_results.games_second),
    Tiebreak("BWG", gettext_noop("games won as second"), "7.4", own_results.games_won_second),
    Tiebreak(
        "PS",
        gettext_noop("sum of the scores after each round"),
        "7.5",
        own_results.progressive,
        "C",
        UNITS,
    ),
    Tiebreak(
        "REP",
        gettext_noop("rounds played, without requested byes and forfeits"),
        "7.6",
        own_results.rounds_elected,
    ),
    Tiebreak(
        "STD",
        gettext_noop("rounds with more points than the opponent"),
        "7.7",
        own_results.standard_score,
        scale=Scale(basis=1),
    ),
    Tiebreak(
        "TPN",
        gettext_noop("pairing number"),
        "7.8",
        own_results.pairing_number,
        "R",
        is_ascending=True,
    ),
    Tiebreak(
        "BH",
        gettext_noop("Buchholz: the sum of the opponents' scores"),
        "8.1",
        buchholz.buchholz,
        "CMPF",
        UNITS,
        is_swiss_only=True,
        numbers=buchholz.buchholz_numbers,
    ),
    Tiebreak(
        "AOB",
        gettext_noop("mean Buchholz of the opponents"),
        "8.2",
        buchholz.average_of_buchholz,
        "F",
        UNITS,
        is_swiss_only=True,
    ),
    Tiebreak(
        "FB",
        gettext_noop("Buchholz with the last round drawn"),
        "8.3",
        buchholz.fore_buchholz,
        "CMP",
        UNITS,
        is_swiss_only=True,
    ),
    Tiebreak(
        "SB",
        gettext_noop(
            "Sonneborn-Berger: the scores of beaten opponents, and half of those of draws"
        ),
        "9.1",
        buchholz.sonneborn_berger,
        "CMP",
        Scale(2, 2, 1),
        numbers=buchholz.sonneborn_berger_numbers,
    ),
    Tiebreak(
        "KS",
        gettext_noop("Koya: points against those with half of the points or more"),
        "9.2",
        buchholz.koya,
        "L",
        UNITS,
    ),
    Tiebreak(
        "ARO",
        gettext_noop("mean rating of the opponents"),
        "10.1",
        performance.average_rating,
        "CM",
        **NEEDS_RATINGS,
    ),
    Tiebreak("TPR", gettext_noop("performance"), "10.2", performance.performance, **NEEDS_RATINGS),
    Tiebreak(
        "PTP",
        gettext_noop("perfect performance: the lowest rating that expects this score"),
        "10.3",
        performance.perfect_performance,
        **NEEDS_RATINGS,
    ),
    Tiebreak(
        "APRO",
        gettext_noop("mean performance of the opponents"),
        "10.4",
        performance.average_performance,
        **NEEDS_RATINGS,
    ),
    Tiebreak(
        "APPO",
        gettext_noop("mean perfect performance of the opponents"),
        "10.5",
        performance.average_perfect_performance,
        **NEEDS_RATINGS,
    ),
    Tiebreak("RTNG", gettext_noop("rating"), "10.6", own_results.own_rating, "R", **NEEDS_RATINGS),
    Tiebreak(
        "MMS",
        gettext_noop("McMahon score: the starting score and the points"),
        "",
        own_results.mcmahon_score,
        scale=UNITS,
    ),
    Tiebreak("GPTS", gettext_noop("points of the single games"), "", own_results.game_points),
    Tiebreak("STAGE", gettext_noop("pairings won"), "", knockout.stage, **NEEDS_BRACKET),
    Tiebreak(
        "LOST",
        gettext_noop("place of the player to whom the pairing was lost"),
        "",
        knockout.lost_to,
        is_ascending=True,
        **NEEDS_BRACKET,
    ),
    Tiebreak(
        "MARGIN",
        gettext_noop("sum of the differences of the scores of the games"),
        "",
        game_scores.margin,
        "L",
        needs_records=True,
        find_lack=game_scores.lacks_a_score,
        least_limit=0,
    ),
    Tiebreak(
        "STARS",
        gettext_noop("stars in all games"),
        "",
        game_scores.stars,
        needs_records=True,
        needs_counts=True,
        find_lack=game_scores.lacks_stars,
    ),
    Tiebreak(
        "QUARKS",
        gettext_noop("quarks in all games"),
        "",
        game_scores.quarks,
        needs_records=True,
        needs_counts=True,
        find_lack=game_scores.lacks_quarks,
    ),
)
TIEBREAKS = {tiebreak.code: tiebreak for tiebreak in _ALL}


@cache
def valid_codes(*, round_robin: bool) -> tuple[str, ...]:
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
    valid = valid_codes(round_robin=round_robin)
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
    if tiebreak.least_limit is not None and (code.limit or 0) < tiebreak.least_limit:
        raise TiebreakError(
            Text("%(code)s has a negative limit", code=code), str(code), (f"{code.name}/L+n",)
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

    Raises TiebreakError for a list that is empty or too long, and with all invalid codes.
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
    if not parts:
        valid = valid_codes(round_robin=round_robin)
        raise TiebreakError(Text("the list of tie-breaks is empty"), "", valid)
    codes: list[TiebreakCode] = []
    errors = []
    for part in parts:
        try:
            code = parse_tiebreak(part, round_robin=round_robin)
        except TiebreakError as error:
            errors.append(error)
            continue
        if code in codes and not TIEBREAKS[code.name].depends_on_group:
            detail = Text("%(code)s is in the list twice", code=code)
            errors.append(TiebreakError(detail, str(code)))
        codes.append(code)
    refuse_tiebreaks(errors)
    return tuple(codes)


def other_edition(codes: Sequence[TiebreakCode], starts_on: date) -> Text | None:
    """Say by which edition of C.07 an older event is ranked; None without its tie-breaks."""
    if starts_on >= EDITION or not any(TIEBREAKS[code.name].article for code in codes):
        return None
    return Text(
        "the tie-breaks are by FIDE's C.07 as in force from %(day)s; the event began earlier",
        day=EDITION.isoformat(),
    )
