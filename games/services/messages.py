"""The texts of messages by email."""

from typing import Final

from django.conf import settings

from games.models import EmailLink

Kind = EmailLink.Kind

SUBJECTS: Final = {
    Kind.SIGN_UP: "Confirm your account",
    Kind.PASSWORD: "Set a new password",
    Kind.INVITATION: "Invitation to an event",
    Kind.PROPOSAL: "Proposal of a game",
    Kind.ACCEPTANCE: "Your proposal of a game was accepted",
}
TEXTS: Final = {
    Kind.SIGN_UP: "Somebody, probably you, asked for an account with this address.",
    Kind.PASSWORD: "Somebody, probably you, asked to set a new password for your account.",
    Kind.INVITATION: "You are invited to be {role} of {stream}.",
    Kind.PROPOSAL: "{name} proposes a game to you. Accept or decline it until {until}:",
    Kind.ACCEPTANCE: "{name} has accepted the game that you proposed. Report it until {until}:",
}
PAGES: Final = {
    Kind.SIGN_UP: "sign-up/confirm",
    Kind.PASSWORD: "password/confirm",
    Kind.INVITATION: "invitations/accept",
}
"""The pages of the links; browsers do not send what follows the `#`."""
GAME_PAGES: Final = {Kind.PROPOSAL: "api/v1/games/{game}", Kind.ACCEPTANCE: "games/{game}/reports"}
"""The pages of messages about a game, which need a login and no token."""


def text_of(link: EmailLink, token: str) -> str:
    """Return the text of a message; one about a game does not contain the token."""
    kind, until = Kind(link.kind), f"{link.expires_at:%Y-%m-%d %H:%M} UTC"
    text = TEXTS[kind].format(role=link.role, stream=link.stream, name=link.name, until=until)
    if kind in GAME_PAGES:
        page = GAME_PAGES[kind].format(game=link.stream.rpartition("/")[2])
        return "\n".join([text, "", f"    {settings.PUBLIC_URL}/{page}"])
    return "\n".join(
        [
            text,
            "",
            "Open this page to go on:",
            "",
            f"    {settings.PUBLIC_URL}/{PAGES[kind]}#{token}",
            "",
            f"It works once, until {until}.",
            "If you did not ask for it, do nothing.",
        ]
    )
