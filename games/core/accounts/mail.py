"""Create, send, open and revoke the single-purpose links that are sent by email, and messages.

A request answers the same whether an address has an account or not: a link that leads nowhere is
created too, and the task does not send it.

A message is in the language in which it was requested, one about a game in that of its account.

A message that one person has sent to another (`BY_OTHERS`) says the name of the event or of the
player, which `harmless` cleans, and who sent it, and nothing else that somebody has written. Quotas
limit these messages for each sender and each recipient, and a recipient can refuse all of them by
the address at their end (games/core/accounts/refusals.py).
"""

import re
import unicodedata
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.core import signing
from django.core.mail import EmailMessage
from django.db.models import F, Q, QuerySet, Sum
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext, gettext_noop

from games.core.accounts.refusals import digests_of, has_refused, normalised, refusal_page
from games.core.broker import send_on_commit
from games.core.errors import Conflict, Unprocessable
from games.core.limits import check_quota
from games.models import Account, EmailLink
from games.models.attempts import MAX_ATTEMPTS
from games.rules.text import Text

Kind = EmailLink.Kind

MESSAGE_TEXTS: Final = {
    Kind.SIGN_UP: gettext_noop("Somebody, probably you, asked for an account with this address."),
    Kind.PASSWORD: gettext_noop(
        "Somebody, probably you, asked to set a new password for your account."
    ),
    Kind.INVITATION: gettext_noop("%(sender)s offers you a role in the event %(name)s: %(role)s."),
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
}
"""The pages of the links; browsers do not send what follows the `#`."""
GAME_PAGES: Final = (Kind.PROPOSAL, Kind.ACCEPTANCE)
"""The messages about a game; its page needs a login and no token."""
BY_OTHERS: Final = (Kind.INVITATION, *GAME_PAGES)
"""The messages that somebody else has caused, which a recipient can refuse."""


BEFORE_LETTER: Final = re.compile(r"([.\u2024\u3002\uff0e\uff61])(?=\w)(?!\d)")
"""A dot, as browsers read one in an address, before a letter."""
AFTER_SCHEME: Final = re.compile(r"(?<=[^\W\d]):(?=\S)")
"""A colon after a letter, as in `https:`."""


def harmless(text: str) -> str:
    """Return a name for a message: on one line, and without what mail programs make a link of.

    Control and format characters are dropped. A space follows each dot before a letter, and each
    colon after one, so that neither `www.example.org` nor `https://10.0.0.1` is an address.
    """
    words = unicodedata.normalize("NFC", text).split()
    line = " ".join(words)
    line = "".join(letter for letter in line if unicodedata.category(letter)[0] != "C")
    return AFTER_SCHEME.sub(": ", BEFORE_LETTER.sub(r"\1 ", line))


def sender_of(link: EmailLink) -> str:
    """Return the name and the address of the account that has caused a message."""
    if link.by is None:
        return ""
    name, email = harmless(link.by.name), link.by.email or ""
    return f"{name} ({email})" if name else email


def text_of(link: EmailLink, token: str) -> str:
    """Return the text of a message; one about a game does not contain the token."""
    kind = Kind(link.kind)
    until = f"{date_format(link.expires_at)}, {link.expires_at:%H:%M} UTC"
    values = {"name": link.name, "until": until}
    if kind in BY_OTHERS:
        values |= {"name": harmless(link.name), "sender": sender_of(link)}
        values |= {"role": link.get_role_display()}
    text = gettext(MESSAGE_TEXTS[kind]) % values
    site = settings.PUBLIC_URL
    if kind in GAME_PAGES:
        number = link.stream.rpartition("/")[2]
        return "\n".join([text, "", f"    {site}/games/{number}/reports", *_refusal(link)])
    if kind == Kind.INVITATION:
        return "\n".join(
            [
                text,
                "",
                gettext("You have the role only if you accept it. Accept or decline it here:"),
                "",
                f"    {site}/invitations/{token}",
                "",
                gettext("The offer stands until %(until)s.") % {"until": until},
                *_refusal(link),
            ]
        )
    return "\n".join(
        [
            text,
            "",
            gettext("Open this page to go on:"),
            "",
            f"    {site}/{PAGES[kind]}#{token}",
            "",
            gettext("It works once, until %(until)s.") % {"until": until},
            gettext("If you did not ask for it, do nothing."),
        ]
    )


def _refusal(link: EmailLink) -> list[str]:
    """Return the end of a message that somebody else has caused."""
    sentence = gettext("If you want no messages that others send you by this site, say so here:")
    return ["", sentence, "", f"    {refusal_page(link.email)}"]


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


def create_link(kind: EmailLink.Kind, email: str, **fields: Any) -> EmailLink:
    """Create a link and send it."""
    expires_at = timezone.now() + LIFETIMES[kind]
    link = EmailLink.objects.create(
        kind=kind, email=email, language=current_language(), expires_at=expires_at, **fields
    )
    send_on_commit("games.tasks.send_link", link.pk)
    return link


def request_link(kind: EmailLink.Kind, email: str, **fields: Any) -> EmailLink:
    """Create a link and send it, or send the open one of the same kind again."""
    link = open_links(kind).select_for_update().filter(email__iexact=email).first()
    if link is None:
        link = create_link(kind, email, **fields)
    elif link.sends < MOST_SENDS:
        resend_link(link)
    return link


def request_message(
    kind: EmailLink.Kind, stream: str, to: Account, *, name: str, until: datetime, by: Account
) -> None:
    """Send a message about a game, at most one each day of this kind between two accounts.

    None is sent above a quota of the sender or the recipient: the page of the recipient's games
    shows the game in any case.
    """
    if not to.email:
        return
    email = normalised(to.email)
    today = EmailLink.objects.filter(
        kind__in=GAME_PAGES, created_at__gt=timezone.now() - timedelta(days=1)
    )
    by_sender, to_recipient = today.filter(by=by), today.filter(email=email)
    quotas = settings.QUOTAS
    if (
        by_sender.filter(kind=kind, email=email).exists()
        or by_sender.count() >= quotas["game_mails_by_sender"]
        or to_recipient.count() >= quotas["game_mails_to_recipient"]
    ):
        return
    message = EmailLink.objects.create(
        kind=kind,
        email=email,
        stream=stream,
        name=name,
        language=to.language or current_language(),
        expires_at=until,
        by=by,
    )
    send_on_commit("games.tasks.send_link", message.pk)


def check_invitation_quotas(email: str, *, by: Account) -> None:
    """Raise QuotaReached if an account, or an address, has had its invitations of a day.

    A link that was sent today counts with all its messages. Call it after a lock of the account.
    """
    since = timezone.now() - timedelta(days=1) + LIFETIMES[Kind.INVITATION]
    today = EmailLink.objects.filter(kind=Kind.INVITATION, expires_at__gt=since)
    for quota, links in (
        ("invitations_by_sender", today.filter(by=by)),
        ("invitations_to_recipient", today.filter(email=email)),
    ):
        sends = links.aggregate(total=Sum("sends"))["total"] or 0
        check_quota(quota, sends + 1, by=by)


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


def links_of(token: str, kind: EmailLink.Kind) -> "QuerySet[EmailLink]":
    """Return the link of a token, if it can still be used."""
    try:
        number, sends = signing.loads(token, salt=ACCOUNT_LINK_SALT)
    except (signing.BadSignature, ValueError, TypeError):
        return EmailLink.objects.none()
    return open_links(kind).filter(pk=number, sends=sends)


def use_link(token: str, kind: EmailLink.Kind) -> EmailLink:
    """Return the link of a token and mark it as used; raises Unprocessable if it does not work."""
    link = links_of(token, kind).select_for_update().first()
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
    link = EmailLink.objects.select_related("by").get(pk=link_id)
    if _is_wanted(link):
        with translation.override(link.language or settings.LANGUAGE_CODE):
            text = text_of(link, token_of(link))
            EmailMessage(
                link.get_kind_display(), text, None, [link.email], headers=_headers(link)
            ).send()
    EmailLink.objects.filter(pk=link.pk, sends=link.sends).update(sent_at=timezone.now())


def _is_wanted(link: EmailLink) -> bool:
    """Return True if a message can be sent to the address of a link."""
    if link.kind in TO_ACCOUNTS and not find_account(link.email):
        return False
    return link.kind not in BY_OTHERS or not has_refused(digests_of(link.email))


def _headers(link: EmailLink) -> dict[str, str]:
    """Return the fields by which a mail program refuses further messages (RFC 2369, RFC 8058)."""
    if link.kind not in BY_OTHERS:
        return {}
    return {
        "List-Unsubscribe": f"<{refusal_page(link.email)}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }


def delete_old_links() -> None:
    """Delete the links that expired long ago."""
    EmailLink.objects.filter(expires_at__lt=timezone.now() - LINK_RETENTION).delete()
