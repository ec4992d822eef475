"""Create, send, open and revoke the single-purpose links that are sent by email, and messages.

The messages of the account pages are stored as rows, and sent by a task (`Message`).

A message is in the language in which it was requested, one about a game in that of its account.

A message that one person has sent to another says the name of the event or of the
player, which `harmless` cleans, and who sent it, and nothing else that somebody has written. Quotas
limit these messages for each sender and each recipient, and a recipient can refuse all of them by
the address at their end (games/core/accounts/refusals.py).
"""

import re
import unicodedata
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.core import signing
from django.core.mail import EmailMessage, send_mail
from django.db.models import F, Min, Q, QuerySet, Sum
from django.db.models.functions import Greatest
from django.utils import timezone, translation
from django.utils.translation import gettext, gettext_noop

from games.core.accounts.refusals import digests_of, has_refused, refusal_page
from games.core.broker import send_on_commit
from games.core.errors import Conflict
from games.core.limits import check_quota
from games.core.text import moment_text, translated
from games.models import Account, EmailLink, Message
from games.models.addresses import same_address
from games.rules.text import Text, restored, storable

Kind = EmailLink.Kind

MESSAGE_TEXTS: Final = {
    Kind.INVITATION: gettext_noop("%(sender)s offers you a role in the event %(name)s: %(role)s."),
    Kind.APPLICATION: gettext_noop(
        "Somebody has applied for a place in %(name)s with this address. The application counts"
        " once you confirm it here:"
    ),
    Kind.PROPOSAL: gettext_noop(
        "%(name)s proposes a game to you. Accept or decline it until %(until)s:"
    ),
    Kind.ACCEPTANCE: gettext_noop(
        "%(name)s has accepted the game that you proposed. Report it until %(until)s:"
    ),
    Kind.BEGUN: gettext_noop(
        "%(name)s has accepted the game that you proposed, and has the first turn:"
    ),
    Kind.TURN: gettext_noop("It is your turn, to move or to answer, in the game with %(name)s:"),
    Kind.ENDED: gettext_noop("Your game with %(name)s has ended:"),
}
GAME_PAGES: Final = {
    Kind.PROPOSAL: "/reports",
    Kind.ACCEPTANCE: "/reports",
    Kind.BEGUN: "/live",
    Kind.TURN: "/live",
    Kind.ENDED: "",
}
"""The messages about a game, with its page, which needs a login and no token."""

LIMITED: Final = (Kind.PROPOSAL, Kind.ACCEPTANCE)
"""The messages about a game that the recipient may not have agreed to, or has asked for once."""

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
    until = moment_text(link.expires_at, link.content.get("time_zone", ""))
    values = {"name": harmless(link.name), "until": until}
    values |= {"sender": sender_of(link), "role": link.get_role_display()}
    text = gettext(MESSAGE_TEXTS[kind]) % values
    site = settings.PUBLIC_URL
    if kind in GAME_PAGES:
        number = link.stream.rpartition("/")[2]
        lines = [harmless(translated(line)) for line in restored(link.content.get("lines", []))]
        page = f"    {site}/games/{number}{GAME_PAGES[kind]}"
        return "\n".join([text, *lines, "", page, *_refusal(link)])
    if kind == Kind.APPLICATION:
        limit = gettext("The link works until %(until)s.") % {"until": until}
        address = f"    {site}/applications/{token}"
        return "\n".join([text, "", address, "", limit, *_refusal(link)])
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


def _refusal(link: EmailLink) -> list[str]:
    """Return the end of a message that somebody else has caused."""
    sentence = gettext("If you want no messages that others send you by this site, say so here:")
    return ["", sentence, "", f"    {refusal_page(link.email)}"]


INVITATION_LIFETIME: Final = timedelta(days=14)
MOST_SENDS: Final = 3
"""Messages about one link."""
ACCOUNT_LINK_SALT: Final = "games.links"
PAUSES: Final = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 20, 60, 180, 480, 960))
"""Since a message was to be sent: when it is tried again, so that a day without a mail server loses
none."""
MESSAGE_LIFETIME: Final = timedelta(days=1)
"""How long it is tried to send a message of the account pages."""


def find_account(email: str) -> Account | None:
    """Return the active account with an address, in whatever form it is written."""
    return Account.objects.filter(email=same_address(email), is_active=True).first()


def open_links(kind: EmailLink.Kind) -> "QuerySet[EmailLink]":
    """Return the links that can still be used."""
    usable = Q(used_at=None, revoked_at=None, expires_at__gt=timezone.now())
    return EmailLink.objects.filter(usable, kind=kind)


def create_link(
    kind: EmailLink.Kind,
    email: str,
    *,
    until: datetime | None = None,
    language: str = "",
    is_sent: bool = True,
    **fields: Any,
) -> EmailLink:
    """Create a link and send it, by default in the language of the page that makes a request.

    It expires as an invitation does, or at the time `until`. One that is not sent is shown to the
    account of the address only.
    """
    link = EmailLink.objects.create(
        kind=kind,
        email=email,
        language=language or translation.get_language() or settings.LANGUAGE_CODE,
        expires_at=until or timezone.now() + INVITATION_LIFETIME,
        sends=int(is_sent),
        **fields,
    )
    if is_sent:
        send_on_commit("games.tasks.send_link", link.pk)
    return link


def request_message(
    kind: EmailLink.Kind,
    stream: str,
    to: Account,
    *,
    name: str,
    until: datetime,
    by: Account | None,
    lines: Iterable[Text] = (),
) -> None:
    """Send a message about a game, with further lines.

    Of proposals and acceptances, at most one of its kind is sent each day between two accounts, and
    none above a quota of the sender or the recipient: the page of the recipient's games shows the
    game in any case. A game by turns, which both have agreed to, has its messages without limit.
    """
    email = to.email
    if not email:
        return
    since = timezone.now() - timedelta(days=1)
    today = EmailLink.objects.filter(kind__in=LIMITED, created_at__gt=since)
    by_sender, to_recipient = today.filter(by=by), today.filter(email=email)
    quotas = settings.QUOTAS
    if kind in LIMITED and (
        by_sender.filter(kind=kind, email=email).exists()
        or by_sender.count() >= quotas["game_mails_by_sender"]
        or to_recipient.count() >= quotas["game_mails_to_recipient"]
    ):
        return
    create_link(
        kind,
        email,
        until=until,
        language=to.language,
        stream=stream,
        name=name,
        by=by,
        content={"lines": storable([*lines])},
    )


def check_sender(by: Account) -> None:
    """Raise QuotaReached if an account has offered as many roles, or sent as often, in a day.

    A link of today counts with all its messages, and with one if it had none. Call it after a lock
    of the account.
    """
    links = _invitations_of_today().filter(by=by)
    sends = links.aggregate(total=Sum(Greatest("sends", 1)))["total"] or 0
    check_quota("invitations_by_sender", sends + 1, by=by)


def check_recipient(email: str, *, by: Account) -> None:
    """Raise QuotaReached if an address has had its messages with invitations of a day."""
    links = _invitations_of_today().filter(email=email)
    sends = links.aggregate(total=Sum("sends"), first=Min("expires_at"))
    until = sends["first"] and sends["first"] - INVITATION_LIFETIME + timedelta(days=1)
    check_quota("invitations_to_recipient", (sends["total"] or 0) + 1, by=by, until=until)


def _invitations_of_today() -> "QuerySet[EmailLink]":
    since = timezone.now() - timedelta(days=1) + INVITATION_LIFETIME
    return EmailLink.objects.filter(kind=Kind.INVITATION, expires_at__gt=since)


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
    link.expires_at = timezone.now() + INVITATION_LIFETIME
    link.save(update_fields=["sends", "attempts", "sent_at", "expires_at"])
    send_on_commit("games.tasks.send_link", link.pk)


def token_of(link: EmailLink) -> str:
    """Return the token in the message."""
    return signing.dumps([link.pk, link.sends], salt=ACCOUNT_LINK_SALT)


def links_of(token: str, kind: EmailLink.Kind) -> "QuerySet[EmailLink]":
    """Return the link of a token, if it can still be used."""
    return sent_links(token) & open_links(kind)


def sent_links(token: str) -> "QuerySet[EmailLink]":
    """Return the link of a token, also if it works no more."""
    try:
        number, sends = signing.loads(token, salt=ACCOUNT_LINK_SALT)
    except (signing.BadSignature, ValueError, TypeError):
        return EmailLink.objects.none()
    return EmailLink.objects.filter(pk=number, sends=sends)


def _next_attempt() -> Q:
    """Return the condition that a message is to be attempted: the first time at once."""
    now, due = timezone.now(), Q(attempts=0)
    for attempts, pause in enumerate(PAUSES, start=1):
        due |= Q(attempts=attempts, created_at__lte=now - pause)
    return due


def waiting_links() -> "QuerySet[EmailLink]":
    """Return the links whose message is not sent yet, and not given up."""
    waiting = EmailLink.objects.filter(sends__gt=0, sent_at=None, used_at=None, revoked_at=None)
    return waiting.filter(attempts__lte=len(PAUSES), expires_at__gt=timezone.now())


def due_links() -> "QuerySet[EmailLink]":
    """Return the links whose message is to be sent, the oldest first."""
    return waiting_links().filter(_next_attempt()).order_by("created_at", "pk")


def count_failing() -> int:
    """Return how many messages wait that could not be sent at least twice."""
    failing = Q(attempts__gte=2)
    links, messages = waiting_links(), Message.objects.filter(attempts__lte=len(PAUSES))
    return links.filter(failing).count() + messages.filter(failing).count()


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
    if link.kind in GAME_PAGES and not find_account(link.email):
        return False
    return not has_refused(digests_of(link.email))


def _headers(link: EmailLink) -> dict[str, str]:
    """Return the fields by which a mail program refuses further messages (RFC 2369, RFC 8058)."""
    return {
        "List-Unsubscribe": f"<{refusal_page(link.email)}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }


def delete_old_links() -> None:
    """Delete links, with their addresses, LINK_DAYS after they expired, and messages not sent."""
    now = timezone.now()
    EmailLink.objects.filter(expires_at__lt=now - timedelta(days=settings.LINK_DAYS)).delete()
    Message.objects.filter(created_at__lt=now - MESSAGE_LIFETIME).delete()


def store_message(email: str, subject: str, text: str, *, is_wanted: bool = True) -> None:
    """Store a message of the account pages, and send it after the transaction."""
    message = Message.objects.create(email=email, subject=subject, text=text, is_wanted=is_wanted)
    send_on_commit("games.tasks.send_message", message.pk)


def due_messages() -> "QuerySet[Message]":
    """Return the messages that are to be sent, the oldest first."""
    since = timezone.now() - MESSAGE_LIFETIME
    due = Message.objects.filter(_next_attempt(), created_at__gt=since)
    return due.order_by("created_at", "pk")


def send_message(message_id: int) -> None:
    """Send a message and delete it, unless it is sent or failed too often."""
    if not due_messages().filter(pk=message_id).order_by().update(attempts=F("attempts") + 1):
        return
    message = Message.objects.get(pk=message_id)
    if message.is_wanted:
        send_mail(message.subject, message.text, None, [message.email])
    message.delete()
