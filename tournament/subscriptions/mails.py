"""Send the mails that are due, `settings.MAIL_RATE` in a second, over one connection.

One worker sends at a time, which the broker knows, so that the rate is that of the service. A mail
that comes twice has the same Message-ID.
"""

import logging
import smtplib
import time
from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMultiAlternatives, get_connection
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext

from games.core import broker
from games.core.accounts.mail import harmless
from games.core.accounts.refusals import refusal_page
from games.core.references import page_url
from games.core.text import translated
from games.rules.text import Text
from tournament.entries.letters import Letter, letter_about
from tournament.models import Notice, PersonalLink, Subscription
from tournament.subscriptions.notices import Told, claim_notices, put_off, tell
from tournament.subscriptions.services import address_of, page_of

log = logging.getLogger(__name__)

TIME_LIMIT: Final = 20.0
"""Seconds after which no mail is begun: a task must be shorter than the broker's patience."""
SENDER: Final = "perihelion-mail-sender"
"""The key that exists while a worker sends."""
PATIENCE: Final = 45
"""Seconds after which another worker sends if this one was killed."""
LONGEST_SUBJECT: Final = 180


def send_due_mails() -> int:
    """Send the mails that are due; return how many were sent."""
    is_first = broker.ask(lambda b: b.set(SENDER, 1, nx=True, ex=PATIENCE), lambda: True)
    if not is_first:
        return 0
    try:
        return _send_until(time.monotonic() + TIME_LIMIT)
    finally:
        broker.ask(lambda b: b.delete(SENDER), lambda: None)


def _send_until(end: float) -> int:
    connection = get_connection()
    sent = 0
    while time.monotonic() < end:
        began = time.monotonic()
        notices = claim_notices(settings.MAIL_RATE, to_devices=False)
        told = tell(notices)
        links = personal_links([each.subscription for each in notices if each.subscription])
        for notice in notices:
            if time.monotonic() > end:
                break
            mail = _mail_of(
                notice, told.get(notice.pk, ()), links.get(notice.subscription_id or 0, "")
            )
            if mail is None:
                notice.delete()
                continue
            try:
                connection.open()  # only if it is not open
                connection.send_messages([mail])
            except (smtplib.SMTPException, OSError) as error:
                log.warning("%s was not sent: %s", notice, error)
                connection.close()
                is_refused = isinstance(error, smtplib.SMTPRecipientsRefused) and all(
                    code >= 500 for code, _ in error.recipients.values()
                )
                notice.delete() if is_refused else put_off(notice)
                continue
            notice.delete()
            sent += 1
        if len(notices) < settings.MAIL_RATE:
            break
        time.sleep(max(0.0, 1 - (time.monotonic() - began)))
    connection.close()
    return sent


def personal_links(subscriptions: Sequence[Subscription]) -> dict[int, str]:
    """Return the pages that need no login of the subscriptions whose account has none."""
    of_account = {
        (row.account_id, row.tournament_id): row for row in subscriptions if not row.account.email
    }
    links = PersonalLink.objects.filter(
        revoked_at=None, entry__tournament__in={event for _, event in of_account}
    ).select_related("entry__player__merged_into", "entry__tournament")
    found = {}
    for link in links:
        row = of_account.get((link.entry.player.current.account_id or 0, link.entry.tournament_id))
        if row is not None:
            found[row.pk] = page_url(f"e/{link.entry.tournament.slug}/me#{link.token}")
    return found


def words_of(told: Sequence[Told], link: str) -> list[dict[str, Any]]:
    """Return messages in the active language, as templates show them; `link` replaces theirs."""
    return [
        {
            "title": harmless(translated(one.message.title)),
            "lines": [
                line if one.message.is_written else harmless(translated(line)) for line in one.lines
            ],
            "link": link or one.message.link,
        }
        for one in told
    ]


def title_of(words: Sequence[dict[str, Any]]) -> str:
    """Return the title of the first message, and how many more there are."""
    title = str(words[0]["title"])
    if len(words) == 1:
        return title
    return translated(Text("%(title)s (and %(count)s more)", title=title, count=len(words) - 1))


def _mail_of(notice: Notice, told: Sequence[Told], link: str) -> EmailMultiAlternatives | None:
    """Return the mail of a notice; None if nothing of it holds any more, or nobody wants it."""
    if notice.entry_id is not None:
        return _letter(notice, letter_about(notice.entry_id))
    subscription: Any = notice.subscription
    address = address_of(subscription)
    if not told or not subscription.by_mail or not address:
        return None
    with translation.override(subscription.language or settings.LANGUAGE_CODE):
        words = words_of(told, link)
        title = title_of(words)
        reason = gettext("You have asked for these messages. Change that or have no more of them:")
        return _mail(notice, address, title, words, reason, page_of(subscription))


def _letter(notice: Notice, letter: Letter | None) -> EmailMultiAlternatives | None:
    """Return the mail to an applicant; None if there is nothing to say."""
    if letter is None:
        return None
    with translation.override(letter.language):
        lines = [*letter.facts, gettext("Your page of the event:")]
        words = [{"title": letter.sentence, "lines": lines, "link": letter.page}]
        reason = gettext("If you want no messages that others send you by this site, say so here:")
        return _mail(notice, letter.to, letter.subject, words, reason, refusal_page(letter.to))


def _mail(
    notice: Notice,
    address: str,
    title: str,
    words: Sequence[dict[str, Any]],
    reason: str,
    page: str,
) -> EmailMultiAlternatives:
    """Return a mail with messages, and with the page where the reader has no more of them."""
    host = urlsplit(settings.PUBLIC_URL).hostname
    language = translation.get_language()
    content = {"messages": words, "reason": reason, "page": page, "language": language}
    mail = EmailMultiAlternatives(
        title[:LONGEST_SUBJECT],
        _text_of(words, reason, page),
        None,
        [address],
        headers={
            "Message-ID": f"<{notice.created_at:%Y%m%d%H%M%S}.{notice.pk}@{host}>",
            "List-Unsubscribe": f"<{page}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "Auto-Submitted": "auto-generated",
        },
    )
    html = render_to_string("tournament/subscriptions/mail.html", content)
    mail.attach_alternative(html, "text/html")
    return mail


def _text_of(words: Sequence[dict[str, Any]], reason: str, page: str) -> str:
    lines: list[str] = []
    for one in words:
        lines += [one["title"], *one["lines"], "", f"    {one['link']}", ""]
    return "\n".join([*lines, reason, "", f"    {page}"])
