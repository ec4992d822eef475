"""The values of details that are words: states, roles, seats and kinds, with names for readers."""

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext_noop

WORD_DETAILS: Final[Mapping[str, str]] = {
    "draft": gettext_noop("in preparation"),
    "registration": gettext_noop("open for entries"),
    "running": gettext_noop("running"),
    "review": gettext_noop("results under review"),
    "final": gettext_noop("final"),
    "archived": gettext_noop("final, archived"),
    "planned": gettext_noop("not paired yet"),
    "drafted": gettext_noop("being paired"),
    "published": gettext_noop("being played"),
    "complete": gettext_noop("complete"),
    "locked": gettext_noop("complete"),
    "applied": gettext_noop("applied; the organiser decides"),
    "accepted": gettext_noop("accepted"),
    "refused": gettext_noop("refused"),
    "waiting": gettext_noop("on the waiting list"),
    "withdrawn": gettext_noop("withdrawn"),
    "cancelled": gettext_noop("cancelled"),
    "open": gettext_noop("being played"),
    "disputed": gettext_noop("disputed"),
    "confirmed": gettext_noop("confirmed"),
    "annulled": gettext_noop("annulled"),
    "owner": gettext_noop("owner"),
    "director": gettext_noop("director"),
    "scorer": gettext_noop("scorer"),
    "player": gettext_noop("player"),
    "site staff": gettext_noop("the site's staff"),
    "first": gettext_noop("first"),
    "second": gettext_noop("second"),
    "stones": gettext_noop("stones"),
    "points": gettext_noop("points"),
    "ratings": gettext_noop("ratings"),
    "scores": gettext_noop("scores"),
    "no result": gettext_noop("no result"),
    "win": gettext_noop("win"),
    "draw": gettext_noop("draw"),
    "loss": gettext_noop("loss"),
    "forfeit-win": gettext_noop("win by forfeit"),
    "forfeit-loss": gettext_noop("loss by forfeit"),
    "game": gettext_noop("game"),
    "free": gettext_noop("free round"),
    "pairing-bye": gettext_noop("pairing-allocated bye"),
    "full-bye": gettext_noop("full-point bye"),
    "half-bye": gettext_noop("half-point bye"),
    "zero-bye": gettext_noop("zero-point bye"),
}
"""The words, and their names for readers."""
