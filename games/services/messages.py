"""The texts of messages by email, in the active language."""

from typing import Final

from django.conf import settings
from django.utils.formats import date_format
from django.utils.translation import gettext, gettext_noop

from games.models import EmailLink

Kind = EmailLink.Kind

MESSAGE_TEXTS: Final = {
    Kind.SIGN_UP: gettext_noop("Somebody, probably you, asked for an account with this address."),
    Kind.PASSWORD: gettext_noop(
        "Somebody, probably you, asked to set a new password for your account."
    ),
    Kind.INVITATION: gettext_noop("You are invited to be %(role)s of %(name)s."),
    Kind.PROPOSAL: gettext_noop(
        "%(name)s proposes a game to you. Accept or decline it until %(until)s:"
    ),
    Kind.ACCEPTANCE: gettext_noop(
        "%(name)s has accepted the game that you proposed. Report it until %(until)s:"
    ),
}
PAGES: Final = {
    Kind.SIGN_UP: "sign-up/confirm",
    Kind.PASSWORD: "password/confirm",
    Kind.INVITATION: "invitations/accept",
}
"""The pages of the links; browsers do not send what follows the `#`."""
GAME_PAGES: Final = (Kind.PROPOSAL, Kind.ACCEPTANCE)
"""The messages about a game; its page needs a login and no token."""


def subject_of(link: EmailLink) -> str:
    """Return the subject of a message."""
    return link.get_kind_display()


def text_of(link: EmailLink, token: str) -> str:
    """Return the text of a message; one about a game does not contain the token."""
    kind = Kind(link.kind)
    until = f"{date_format(link.expires_at)}, {link.expires_at:%H:%M} UTC"
    values = {
        "role": link.get_role_display(),
        "name": link.name,
        "until": until,
    }
    text = gettext(MESSAGE_TEXTS[kind]) % values
    if kind in GAME_PAGES:
        number = link.stream.rpartition("/")[2]
        return "\n".join([text, "", f"    {settings.PUBLIC_URL}/games/{number}/reports"])
    return "\n".join(
        [
            text,
            "",
            gettext("Open this page to go on:"),
            "",
            f"    {settings.PUBLIC_URL}/{PAGES[kind]}#{token}",
            "",
            gettext("It works once, until %(until)s.") % {"until": until},
            gettext("If you did not ask for it, do nothing."),
        ]
    )
