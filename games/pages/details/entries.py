"""Why an entry, its byes or its link is refused."""

from typing import Final

from django.utils.translation import gettext_noop

ENTRY_DETAILS: Final = (
    gettext_noop("%(count)s accepted entries have no pairing number and are not paired"),
    gettext_noop(
        "%(count)s of %(places)s places are taken; put the player on the waiting list (`wait`), or "
        "change `places`"
    ),
    gettext_noop("players who do not play in round %(number)s: %(count)s"),
    gettext_noop("%(event)s has no check-in; set `check_in`"),
    gettext_noop("%(name)s has a %(kind)s in round %(number)s already; cancel it first"),
    gettext_noop("%(name)s has a pairing number; withdraw instead"),
    gettext_noop("%(name)s has already applied"),
    gettext_noop("%(name)s has already entered"),
    gettext_noop("%(name)s has no link"),
    gettext_noop("%(name)s is already %(state)s"),
    gettext_noop("%(system)s: the schedule has no requested byes"),
    gettext_noop("%(system)s: the schedule is fixed; late entries are not possible"),
    gettext_noop("%(word)s is not the number of a round, such as 3"),
    gettext_noop("a director granted a bye in round %(number)s"),
    gettext_noop(
        "birth_year is %(value)s; it must be from %(first)s to %(last)s, the year of the event"
    ),
    gettext_noop("entry %(number)s is not an accepted entry of %(event)s"),
    gettext_noop("every round is paired; it is too late for a bye"),
    gettext_noop("every round is paired; it is too late to enter"),
    gettext_noop("first_round is from %(first)s to %(last)s"),
    gettext_noop("half-point byes are possible up to round %(last)s"),
    gettext_noop("no player of the event has the name or the pairing number %(text)s"),
    gettext_noop("no player of the event has the pairing number %(number)s"),
    gettext_noop("only a director grants a full-point bye"),
    gettext_noop("pairing numbers: %(detail)s"),
    gettext_noop("pairing numbers: %(detail)s; send `accept`: %(codes)s"),
    gettext_noop("round %(number)s is paired; grant byes for later rounds instead"),
    gettext_noop("round 1 is paired; the seed ratings decided its starting scores"),
    gettext_noop("several players have this name; write one of: %(names)s"),
    gettext_noop("some entries have a lot, but not %(names)s"),
    gettext_noop("the entry of %(name)s is %(state)s"),
    gettext_noop("the form names no player; load the page again"),
    gettext_noop("the schedule pairs every player from round 1 on"),
    gettext_noop("the most half-point byes of a player: %(most)s"),
    gettext_noop("there is no bye %(number)s in %(event)s"),
    gettext_noop("there is no entry %(number)s in %(event)s"),
    gettext_noop("there is no player with the pairing number %(number)s"),
    gettext_noop("two entries have the lot %(lot)s"),
)
