"""Why a handicap is refused, and why one is recommended."""

from typing import Final

from django.utils.translation import gettext_noop

HANDICAPS: Final = (
    gettext_noop("%(handicap)s is bound to the seat; name the handicap of the new seats, or none"),
    gettext_noop("%(handicap)s: seats are exchanged in the return game, so give points"),
    gettext_noop(
        "%(share)s %% of the difference of the %(basis)s, %(difference)s points; it is worth "
        "%(value)s points by table %(version)s"
    ),
    gettext_noop("%(kind)s are given from 1 to %(most)s"),
    gettext_noop("%(text)s; expected `second 3 stones` or `first 2 points`"),
    gettext_noop("board is %(value)s; valid are: %(names)s"),
    gettext_noop("first and second are the same person"),
    gettext_noop("no table has a value for %(handicap)s, so the game could not be rated"),
    gettext_noop("no table has a value for %(kind)s in these games"),
    gettext_noop("no table has a value for %(kind)s in these games; valid: %(names)s"),
    gettext_noop("no table has values of handicaps for these games"),
    gettext_noop("no table has values of handicaps for these games; set by_hand"),
    gettext_noop("player %(number)s has no rating in %(pool)s"),
    gettext_noop("stones are for the second seat: the other side moves first"),
    gettext_noop("the event has no handicaps: its `handicaps` are none, which the start fixes"),
    gettext_noop(
        "the game at board %(board)s has a report; its handicap stays %(handicap)s unless the game "
        "is annulled"
    ),
    gettext_noop("the kind is %(word)s; expected stones or points"),
    gettext_noop("the seat is %(word)s; expected first or second"),
    gettext_noop("there is no table of handicaps %(name)s"),
)
