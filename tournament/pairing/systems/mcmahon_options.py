"""The options of the McMahon system (tournament/pairing/systems/mcmahon.py)."""

from games.rules.messages import gettext_noop
from tournament.pairing.options import NumberOption, Option, WordOption

HIGHEST = 4000
"""The highest rating that an option may name."""

BAND = NumberOption(
    "band",
    gettext_noop("Points of a band"),
    gettext_noop("the rating points of one band"),
    default=100,
    least=1,
    most=HIGHEST,
)
BAR_OPTION = NumberOption(
    "bar",
    gettext_noop("Upper limit of the bands"),
    gettext_noop("the rating above which all players start equal"),
    default=None,
    least=1,
    most=HIGHEST,
)
FLOOR_OPTION = NumberOption(
    "floor",
    gettext_noop("Lower limit of the bands"),
    gettext_noop("the rating below which all players start equal"),
    default=None,
    least=1,
    most=HIGHEST,
)
PAIRING_METHOD = WordOption(
    "pairing_method",
    gettext_noop("Pairing of a score group"),
    gettext_noop("how a score group is paired"),
    {
        "folded": gettext_noop("the first player meets the last, the second the second-last"),
        "adjacent": gettext_noop("the first player meets the second, the third the fourth"),
        "slide": gettext_noop("the upper half meets the lower half, in order"),
    },
)
MCMAHON_OPTIONS: tuple[Option, ...] = (BAND, BAR_OPTION, FLOOR_OPTION, PAIRING_METHOD)
