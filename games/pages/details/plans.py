"""What is wrong with a plan that compares formats of an event."""

from typing import Final

from django.utils.translation import gettext_noop

PLANS: Final = (
    gettext_noop("%(detail)s can play at most %(most)s rounds, not %(rounds)s"),
    gettext_noop("%(detail)s need %(needed)s rounds; at most %(most)s are simulated"),
    gettext_noop("%(line)s has no rating, a whole number up to 4000"),
    gettext_noop("%(line)s is not a rating and, after it, its error"),
    gettext_noop("%(system)s is not one of the systems"),
    gettext_noop("%(system)s: %(players)s players"),
    gettext_noop("%(word)s is no number of rounds; write 5, or 5-7"),
    gettext_noop("a plan compares at least one format"),
    gettext_noop("a plan has between 2 and %(most)s players, not %(count)s"),
    gettext_noop("plan %(number)s has no simulation yet"),
    gettext_noop("plan %(number)s has no simulation yet; see its `state`"),
    gettext_noop(
        "players x rounds x simulations over all formats are %(count)s, at most %(most)s are "
        "allowed; these formats allow %(possible)s simulations"
    ),
    gettext_noop("the error %(error)s is above %(most)s points"),
    gettext_noop("the rating %(rating)s is above %(most)s"),
    gettext_noop("these are %(count)s formats; at most %(most)s are compared"),
    gettext_noop("you have no plan %(number)s"),
)
