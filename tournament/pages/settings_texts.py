"""The labels, the help and the names of values of an event's settings, for readers."""

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

SETTING_LABELS: Final[Mapping[str, str | Promise]] = {
    "place": pgettext_lazy("of an event", "Place"),
    "starts_on": _("First day"),
    "ends_on": _("Last day"),
    "time_zone": _("Time zone"),
    "public": _("Visible to everyone"),
    "swap": _("The second player may swap after the first stone"),
    "tiebreaks": _("Ranking and tie-breaks, in their order"),
    "half_byes": _("Half-point byes that a player may request"),
    "half_byes_until_round": _("Last round of a requested half-point bye"),
    "missed_rounds": _("Rounds that a late entry has missed"),
    "initial_seat": _("Seat of the first number in round 1"),
    "check_in": _("Players check in"),
    "forecast": _("Forecast of the end"),
    "places": _("Places"),
    "fills_places": _("A free place goes to the first of the waiting list"),
    "seed_source": _("Seed ratings"),
    "rated": _("The games are rated"),
    "pool": _("Rating pool"),
    "confirm_hours": _("Hours to confirm a report"),
    "board": pgettext_lazy("of a game", "Board"),
    "games_per_pairing": _("Games of a pairing"),
    "main_minutes": _("Minutes of each player"),
    "increment_seconds": _("Seconds for each move"),
    "time_control": _("Time control in words"),
    "handicaps": _("Handicaps"),
    "handicap_table": _("Table of handicaps"),
    "handicap_share": _("Share of the difference"),
    "handicap_cap": _("Largest handicap"),
    "handicap_kinds": _("Kinds of handicaps"),
    "options": _("Options of the game"),
}

SETTING_HELP: Final[Mapping[str, str | Promise]] = {
    "public": _("Otherwise only its officials and players see it."),
    "half_byes_until_round": _("Empty: every round."),
    "missed_rounds": _("Half-point byes: as many as a player may request."),
    "check_in": _(
        "A player who has not checked in, for the event or for the round, is not paired."
    ),
    "forecast": _("How the event can end, by simulations of the rounds to come."),
    "seed_source": _("Pool: entries get their rating in the pool at the start, if they have one."),
    "places": _("Accepted entries at most; others are on the waiting list. Empty: no limit."),
    "fills_places": _("Otherwise a director accepts the next one."),
    "games_per_pairing": _("With two, the seats are exchanged for the second game."),
    "main_minutes": _(
        "The sum of all periods. A pool can rate only some time classes: bullet up to 3 minutes,"
        " blitz up to 10, rapid below 60, standard from 60, with the increments of 60 moves."
    ),
    "confirm_hours": _("After this time, a report that nobody disputes counts."),
    "handicaps": _(
        "Recommended: each game has the handicap of the table for the ratings. By hand: games are"
        " even until a director gives one."
    ),
    "handicap_table": _("Empty: that of the pool at the start."),
    "handicap_share": _("How much of the rating difference is given, in percent."),
    "handicap_cap": _("The most stones or points. Empty: as many as the table has."),
    "handicap_kinds": _("Empty: all kinds that have a value in this game."),
    "country": _("Three letters, such as POR."),
    "options": _("Separated by spaces; most games have none."),
}
