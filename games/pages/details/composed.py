"""The texts that the source puts together from several of its texts."""

from typing import Final

from django.utils.translation import gettext_noop

COMPOSED: Final = (
    gettext_noop("%(count)s errors; %(detail)s"),
    gettext_noop("%(detail)s; a pairing is possible with `relax`: %(names)s"),
    gettext_noop("%(name)s is not a member here; %(detail)s"),
    gettext_noop("%(word)s is not a modifier of %(code)s: %(detail)s"),
    gettext_noop("it needs the bracket of a knockout"),
    gettext_noop("it needs the records of the games"),
    gettext_noop("line %(line)s, %(column)s: %(detail)s"),
    gettext_noop("line %(line)s, column %(column)s: %(detail)s; expected %(detail2)s"),
    gettext_noop("no response: %(detail)s"),
    gettext_noop("player %(player)s, round %(number)s: %(detail)s"),
    gettext_noop("player %(player)s: %(detail)s"),
    gettext_noop("players %(numbers)s cannot all be paired with each other%(detail)s"),
    gettext_noop("the response has the status %(status)s; redirects are not followed"),
)
