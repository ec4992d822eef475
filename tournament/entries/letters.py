"""Mails to applicants: their application has arrived, and what became of it.

They go to who has applied, or has agreed to be entered: to the address of the login, else to the
one that was confirmed. What becomes of an application is not public, so no feed tells it.
"""

from collections.abc import Mapping
from typing import Final

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext, gettext_noop

from games.core.accounts.mail import harmless, store_message
from games.core.accounts.refusals import digests_of, has_refused, refusal_page
from games.core.references import page_url
from tournament.models import Entry, PersonalLink, Tournament

State = Entry.State
SENTENCES: Final[Mapping[str, str]] = {
    State.APPLIED: gettext_noop(
        "%(name)s has applied for a place in %(event)s. The organiser decides."
    ),
    State.ACCEPTED: gettext_noop("%(name)s is accepted and plays in %(event)s."),
    State.WAITING: gettext_noop("%(name)s is on the waiting list of %(event)s."),
    State.REFUSED: gettext_noop("The application of %(name)s to %(event)s is refused."),
}
LONGEST_SUBJECT: Final = 180


def tell_applicant(tournament: Tournament, entry: Entry) -> None:
    """Send the state of an entry to who has applied; to nobody without an address."""
    address, language = address_of(entry)
    if not address:
        return
    values = {"name": harmless(entry.player.current.name), "event": harmless(tournament.name)}
    with translation.override(language or settings.LANGUAGE_CODE):
        lines = [
            gettext(SENTENCES[entry.state]) % values,
            "",
            gettext("Your page of the event:"),
            "",
            f"    {page_of(tournament, entry)}",
            "",
            gettext("If you want no messages that others send you by this site, say so here:"),
            "",
            f"    {refusal_page(address)}",
        ]
        subject = gettext("%(event)s: your application") % values
    is_wanted = not has_refused(digests_of(address))
    store_message(address, subject[:LONGEST_SUBJECT], "\n".join(lines), is_wanted=is_wanted)


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
