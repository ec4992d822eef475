"""The names of tie-breaks for readers, from the codes in the headings of tables."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from django import template
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournament.standings.errors import TiebreakError
from tournament.standings.tiebreaks.code import TiebreakCode

register = template.Library()

TIEBREAK_NAMES: Final[dict[str, Promise]] = {
    "PTS": _("points"),
    "DE": _("games of the tied players with each other"),
    "WIN": _("wins, byes and forfeits included"),
    "WON": _("games won"),
    "BPG": _("games played as second"),
    "BWG": _("games won as second"),
    "PS": _("sum of the scores after each round"),
    "REP": _("rounds played, without requested byes and forfeits"),
    "STD": _("rounds with more points than the opponent"),
    "TPN": _("pairing number"),
    "BH": _("Buchholz: the sum of the opponents' scores"),
    "AOB": _("mean Buchholz of the opponents"),
    "FB": _("Buchholz with the last round drawn"),
    "SB": _("Sonneborn-Berger: the scores of beaten opponents, and half of those of draws"),
    "KS": _("Koya: points against those with half of the points or more"),
    "ARO": _("mean rating of the opponents"),
    "TPR": _("performance"),
    "PTP": _("perfect performance: the lowest rating that expects this score"),
    "APRO": _("mean performance of the opponents"),
    "APPO": _("mean perfect performance of the opponents"),
    "RTNG": _("rating"),
    "MMS": _("McMahon score: the starting score and the points"),
    "GPTS": _("points of the single games"),
    "STAGE": _("ties won"),
    "LOST": _("place of the player to whom the tie was lost"),
    "MARGIN": _("sum of the differences of the scores of the games"),
    "STARS": _("stars in all games"),
    "QUARKS": _("quarks in all games"),
}
_COUNT: Final = re.compile(r" \(\d+\)$")
"""What the label of a second column of the same tie-break ends with."""


@register.filter
def tiebreak_name(label: str) -> str:
    """Return the name of a tie-break with its modifiers; the label itself if it is unknown."""
    try:
        code = TiebreakCode.parse(_COUNT.sub("", label))
    except TiebreakError:
        return label
    if code.name not in TIEBREAK_NAMES:
        return label
    return ", ".join([str(TIEBREAK_NAMES[code.name]), *_modifier_names(code)])


@register.filter
def tiebreak_names(labels: Iterable[str]) -> list[tuple[str, str]]:
    """Return each label with its name."""
    return [(label, tiebreak_name(label)) for label in labels]


def _modifier_names(code: TiebreakCode) -> Iterator[str]:
    count = {"count": code.low}
    if code.high == 1:
        yield gettext("without the lowest and the highest")
    elif code.high:
        yield gettext("without the %(count)s lowest and the %(count)s highest") % count
    elif code.low == 1:
        yield gettext("without the lowest")
    elif code.low:
        yield gettext("without the %(count)s lowest") % count
    if code.limit is not None:
        yield gettext("limit %(limit)s") % {"limit": f"{code.limit:+d}"}
    if code.forfeits_count:
        yield gettext("forfeits count as games")
    if code.fore:
        yield gettext("the last round drawn")
    if code.is_reversed:
        yield gettext("reversed order")
