"""What the file of an event contains and the service cannot store."""

from typing import Final

from django.utils.translation import gettext_noop

LEFT_OUT: Final = (
    gettext_noop("%(count)s more lines"),
    gettext_noop("the day and month of birth; only the year is stored"),
    gettext_noop("the deputy arbiter %(name)s"),
    gettext_noop("the forbidden pairs: %(system)s does not support them"),
    gettext_noop("the forbidden pairs: there are more than %(most)s"),
    gettext_noop(
        "the pairing-allocated bye of player %(player)s in round %(round)s, which is not paired"
    ),
    gettext_noop("the pairs forbidden from round %(first)s on: there are %(rounds)s rounds"),
    gettext_noop("the tie-break %(code)s: %(detail)s"),
    gettext_noop("the time control %(text)s"),
    gettext_noop("the tournament type %(code)s, which is not supported; %(system)s replaces it"),
    gettext_noop("the virtual points of accelerated rounds, which %(system)s does not use"),
    gettext_noop(
        "the virtual points of accelerated rounds, which are not those of Baku acceleration"
    ),
)
