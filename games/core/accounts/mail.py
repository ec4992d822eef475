"""Create, send, open and revoke the single-purpose links that are sent by email, and messages.

A request answers the same whether an address has an account or not: a link that leads nowhere is
created too, and the task does not send it.

A message is in the language in which it was requested, one about a game in that of its account.
"""

from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.core import signing
from django.core.mail import send_mail
from django.db.models import F, Q, QuerySet
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext, gettext_noop

from games.core.broker import send_on_commit
from games.core.errors import Conflict, Unprocessable
from games.models import Account, EmailLink
from games.models.attempts import MAX_ATTEMPTS
from games.rules.text import Text

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


def text_of(link: EmailLink, token: str) -> str:
    """Return the text of a message; one about a game does not contain the token."""
    kind = Kind(link.kind)
    until = f"{date_format(link.expires_at)}, {link.expires_at:%H:%M} UTC"
    values = {"role": link.get_role_display(), "name": link.name, "until": until}
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


LIFETIMES: Final = {
    Kind.SIGN_UP: timedelta(days=1),
    Kind.PASSWORD: timedelta(hours=1),
    Kind.INVITATION: timedelta(days=14),
}
MOST_SENDS: Final = 3
"""Messages about one link."""
LINK_RETENTION: Final = timedelta(days=30)
"""How long a link is stored after it has expired, with its address."""
ACCOUNT_LINK_SALT: Final = "games.links"
TO_ACCOUNTS: Final = (Kind.PASSWORD, Kind.PROPOSAL, Kind.ACCEPTANCE)
"""The kinds of messages that only an address with an active account gets."""


def current_language() -> str:
    """Return the language of the page that makes a request; English for the API."""
    return translation.get_language() or settings.LANGUAGE_CODE


def find_account(email: str) -> Account | None:
    """Return the active account with an address, without regard to case."""
    return Account.objects.filter(email__iexact=email, is_active=True).order_by("pk").first()


def open_links(kind: EmailLink.Kind) -> "QuerySet[EmailLink]":
    """Return the links that can still be used."""
    usable = Q(used_at=None, revoked_at=None, expires_at__gt=timezone.now())
    return EmailLink.objects.filter(usable, kind=kind)


def request_link(kind: EmailLink.Kind, email: str, **fields: Any) -> EmailLink:
    """Create a link and send it, or send the open one of the same kind again."""
    same = {name: fields[name] for name in ("stream", "role") if name in fields}
    link = open_links(kind).select_for_update().filter(email__iexact=email, **same).first()
    if link is None:
        expires_at = timezone.now() + LIFETIMES[kind]
        link = EmailLink.objects.create(
            kind=kind, email=email, language=current_language(), expires_at=expires_at, **fields
        )
        send_on_commit("games.tasks.send_link", link.pk)
    elif link.sends < MOST_SENDS:
        resend_link(link)
    return link


def request_message(
    kind: EmailLink.Kind, stream: str, to: Account, *, name: str, until: datetime, by: Account
) -> None:
    """Send a message about a game, at most one each day of this kind between two accounts."""
    since = timezone.now() - timedelta(days=1)
    sent = EmailLink.objects.filter(kind=kind, email__iexact=to.email, by=by)
    if not to.email or sent.filter(created_at__gt=since).exists():
        return
    message = EmailLink.objects.create(
        kind=kind,
        email=to.email,
        stream=stream,
        name=name,
        language=to.language or current_language(),
        expires_at=until,
        by=by,
    )
    send_on_commit("games.tasks.send_link", message.pk)


def revoke_messages(stream: str) -> None:
    """Do not send the messages of a stream that are not sent yet."""
    unsent = EmailLink.objects.filter(stream=stream, sent_at=None, revoked_at=None)
    unsent.update(revoked_at=timezone.now())


def resend_link(link: EmailLink) -> None:
    """Send a link again with a new token; raises Conflict if it was sent too often."""
    if link.sends >= MOST_SENDS:
        detail = Text(
            "the message was sent %(count)s times; revoke it and create another one",
            count=MOST_SENDS,
        )
        raise Conflict("resend_limit", detail)
    link.sends, link.attempts, link.sent_at = link.sends + 1, 0, None
    link.expires_at = timezone.now() + LIFETIMES[Kind(link.kind)]
    link.save(update_fields=["sends", "attempts", "sent_at", "expires_at"])
    send_on_commit("games.tasks.send_link", link.pk)


def token_of(link: EmailLink) -> str:
    """Return the token in the message."""
    return signing.dumps([link.pk, link.sends], salt=ACCOUNT_LINK_SALT)


def use_link(token: str, kind: EmailLink.Kind) -> EmailLink:
    """Return the link of a token and mark it as used; raises Unprocessable if it does not work."""
    try:
        number, sends = signing.loads(token, salt=ACCOUNT_LINK_SALT)
    except (signing.BadSignature, ValueError, TypeError):
        number, sends = 0, 0
    link = open_links(kind).select_for_update().filter(pk=number, sends=sends).first()
    if link is None:
        detail = Text("the token is wrong, used, revoked, replaced by a later message, or expired")
        raise Unprocessable("invalid_link", detail, at="/token")
    link.used_at = timezone.now()
    link.save(update_fields=["used_at"])
    return link


def due_links() -> "QuerySet[EmailLink]":
    """Return the links whose message is to be sent, the oldest first."""
    due = EmailLink.objects.filter(sent_at=None, used_at=None, revoked_at=None)
    due = due.filter(expires_at__gt=timezone.now(), attempts__lt=MAX_ATTEMPTS)
    return due.order_by("created_at", "pk")


def send_link(link_id: int) -> None:
    """Send the message of a link, unless it is sent or failed too often."""
    if not due_links().filter(pk=link_id).order_by().update(attempts=F("attempts") + 1):
        return
    link = EmailLink.objects.get(pk=link_id)
    if link.kind not in TO_ACCOUNTS or find_account(link.email):
        with translation.override(link.language or settings.LANGUAGE_CODE):
            send_mail(link.get_kind_display(), text_of(link, token_of(link)), None, [link.email])
    EmailLink.objects.filter(pk=link.pk, sends=link.sends).update(sent_at=timezone.now())


def delete_old_links() -> None:
    """Delete the links that expired long ago."""
    EmailLink.objects.filter(expires_at__lt=timezone.now() - LINK_RETENTION).delete()
