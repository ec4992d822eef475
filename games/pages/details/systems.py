"""What is wrong with the options of a pairing system, or with the players for it."""

from typing import Final

from django.utils.translation import gettext_noop

SYSTEM_DETAILS: Final = (
    gettext_noop("%(count)s cycles"),
    gettext_noop(
        "%(count)s ties were paired in round %(number)s, and the bracket has %(due)s; it cannot be "
        "continued"
    ),
    gettext_noop("%(first)s and %(second)s are kept apart but have to meet"),
    gettext_noop("%(first)s and %(second)s have to meet but were paired in round %(number)s"),
    gettext_noop(
        "%(first)s had to meet %(second)s in round %(number)s but met %(other)s; the bracket "
        "cannot be continued"
    ),
    gettext_noop("%(option)s is not an option of this pairing system; %(detail)s"),
    gettext_noop("%(option)s is not set"),
    gettext_noop("%(option)s must be a whole number"),
    gettext_noop("%(option)s must be between %(least)s and %(most)s"),
    gettext_noop("%(option)s must be between %(least)s and %(most)s, not %(value)s"),
    gettext_noop("%(option)s must be one of %(names)s"),
    gettext_noop("%(option)s must be true or false"),
    gettext_noop("%(players)s players in %(cycles)s cycles have no round %(number)s"),
    gettext_noop(
        "%(players)s players in %(groups)s groups leave %(smallest)s players in the smallest "
        "group; each group needs %(needed)s"
    ),
    gettext_noop("a knockout needs at least two players"),
    gettext_noop(
        "a knockout of %(players)s players ends with round %(last)s; this is round %(number)s"
    ),
    gettext_noop("a round robin needs at least two players"),
    gettext_noop(
        "a round robin of %(players)s players in %(detail)s has %(rounds)s rounds; this is round "
        "%(number)s"
    ),
    gettext_noop("at least two players must qualify for the knockout"),
    gettext_noop("in a league, the games of an absent player are lost by forfeit"),
    gettext_noop("it has no options"),
    gettext_noop("one cycle"),
    gettext_noop("players not in the tournament: %(numbers)s"),
    gettext_noop("the bar, %(bar)s, is below the floor, %(floor)s"),
    gettext_noop("the players cannot be ranked before the round: %(detail)s"),
    gettext_noop("the separations contain more than %(most)s pairs"),
    gettext_noop("there is no pairing system %(name)s"),
    gettext_noop("there is no pairing system %(name)s; the systems are %(names)s"),
    gettext_noop("valid options: %(names)s"),
)
