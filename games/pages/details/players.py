"""Why something with a registered player is refused."""

from typing import Final

from django.utils.translation import gettext_noop

PLAYER_DETAILS: Final = (
    gettext_noop(
        "%(name)s was entered or has played; a second registration of the same person is merged, "
        "not deleted"
    ),
    gettext_noop("%(subject)s: %(detail)s; %(detail2)s"),
    gettext_noop("a player has at most %(most)s ids"),
    gettext_noop("an organisation is at most 16 small letters and digits, such as fide"),
    gettext_noop("both are entered in %(events)s, so they are two persons"),
    gettext_noop("both have an account; they are merged when one account is closed"),
    gettext_noop("external_id is %(value)s; write the organisation and the id, as fide:1503014"),
    gettext_noop("keep and merge are the same player"),
    gettext_noop("name the player by `player_id` (or `new`)"),
    gettext_noop("player %(number)s (%(name)s) has the id %(scheme)s:%(id)s"),
    gettext_noop("player %(number)s was merged into player %(other)s"),
    gettext_noop("player %(number)s was merged since; undo that merge first"),
    gettext_noop("players %(numbers)s fit"),
    gettext_noop("send the name of the player"),
    gettext_noop("several lines mean player %(number)s; %(detail)s"),
    gettext_noop("sex is m or w, the codes of FIDE, or empty"),
    gettext_noop("the details of player %(number)s differ"),
    gettext_noop("the merge is undone already"),
    gettext_noop("there is no merge %(number)s"),
    gettext_noop("there is no player %(number)s"),
    gettext_noop("these details may mean another person; ask the organiser to enter you"),
    gettext_noop("they have different ids of %(scheme)s; correct the wrong one first"),
)
