"""Mails to applicants: their application has arrived, and what became of it.

They go to who has applied, or has agreed to be entered: to the address of the login, else to the
one that was confirmed. What becomes of an application is not public, so no feed tells it. What is
decided and taken back in half a minute is not told (tournament/subscriptions/mails.py sends it).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.utils import timezone, translation
from django.utils.translation import gettext, gettext_noop

from games.core.accounts.mail import harmless
from games.core.accounts.refusals import digests_of, has_refused
from games.core.references import page_url
from tournament.models import GATHERING, Entry, Notice, PersonalLink, Tournament

State = Entry.State
SENTENCES: Final[Mapping[str, str]] = {
    State.APPLIED: gettext_noop(
        "%(name)s has applied for a place in %(event)s. The organiser decides."
    ),
    State.ACCEPTED: gettext_noop("%(name)s is accepted and plays in %(event)s."),
    State.WAITING: gettext_noop("%(name)s is on the waiting list of %(event)s."),
    State.REFUSED: gettext_noop("The application of %(name)s to %(event)s is refused."),
}


def tell_applicant(entry: Entry) -> None:
    """Send the state of an entry to who has applied, in a while; to nobody without an address."""
    # A worker that begins to send one waits for this transaction, and tells the state after it.
    waiting = Notice.objects.select_for_update().filter(entry=entry, attempts=0)
    if address_of(entry)[0] and not waiting:
        Notice.objects.create(entry=entry, next_attempt_at=timezone.now() + GATHERING)


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail to an applicant, in words of their language."""

    to: str
    language: str
    subject: str
    sentence: str
    page: str


def letter_about(number: int) -> Letter | None:
    """Return what an applicant is told now; None if that is nothing, or nobody wants it."""
    rows = Entry.objects.select_related("tournament", "player__account", "player__merged_into")
    entry = rows.get(pk=number)
    address, language = address_of(entry)
    if not address or entry.state not in SENTENCES or has_refused(digests_of(address)):
        return None
    name, event = harmless(entry.player.current.name), harmless(entry.tournament.name)
    language = language or settings.LANGUAGE_CODE
    with translation.override(language):
        subject = gettext("%(event)s: your application") % {"event": event}
        sentence = gettext(SENTENCES[entry.state]) % {"name": name, "event": event}
    return Letter(address, language, subject, sentence, page_of(entry.tournament, entry))


def address_of(entry: Entry) -> tuple[str, str]:
    """Return the address of an applicant, and the language of mails to it; empty without one."""
    account = entry.player.current.account
    if account is not None and account.email and account.is_active:
        has_agreed = entry.agreement == Entry.Agreement.AGREED
        return (account.email, account.language) if has_agreed else ("", "")
    return entry.email, entry.language


def page_of(tournament: Tournament, entry: Entry) -> str:
    """Return the address of the applicant's page; without a login, with the personal link."""
    page = page_url(f"e/{tournament.slug}/me")
    link = PersonalLink.objects.filter(entry=entry, revoked_at=None).first()
    return f"{page}#{link.token}" if link and entry.email else page
