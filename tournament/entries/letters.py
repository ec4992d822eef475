"""Mails to applicants: their application has arrived, and what became of it.

They go to who has applied, or has agreed to be entered: to the address of the login, else to the
one that was confirmed. All who can still play hear that the event is cancelled, and why. What
becomes of an application is not public, so no feed tells it. What is decided and taken back in half
a minute is not told (tournament/subscriptions/mails.py sends it).
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time
from typing import Final
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils import timezone, translation
from django.utils.translation import gettext, gettext_noop

from games.core.accounts.mail import INVITATION_LIFETIME, harmless
from games.core.accounts.refusals import digests_of, has_refused
from games.core.places import country_name
from games.core.references import page_url
from games.core.text import labelled
from games.models import EmailLink
from tournament.core.queries import cancellation_reason
from tournament.core.texts import days_of
from tournament.models import GATHERING, Entry, Notice, PersonalLink, Subscription, Tournament

State = Entry.State
LAST_MINUTE: Final = time(23, 59)
Confirmed = Mapping[int, tuple[str, str]]
AGREED, DECLINED = Entry.Agreement.AGREED, Entry.Agreement.DECLINED
SENTENCES: Final[Mapping[str, tuple[str, str]]] = {
    State.APPLIED: (
        gettext_noop("%(event)s: the application of %(name)s has arrived"),
        gettext_noop("%(name)s has applied for a place in %(event)s. The organiser decides."),
    ),
    State.ACCEPTED: (
        gettext_noop("%(event)s: %(name)s is accepted"),
        gettext_noop("%(name)s is accepted and plays in %(event)s."),
    ),
    State.WAITING: (
        gettext_noop("%(event)s: %(name)s is on the waiting list, place %(place)s"),
        gettext_noop("%(name)s is on the waiting list of %(event)s, at place %(place)s."),
    ),
    State.REFUSED: (
        gettext_noop("%(event)s: the application of %(name)s is refused"),
        gettext_noop("The application of %(name)s to %(event)s is refused."),
    ),
}
"""The subject and the first sentence of the mail, by the state that it tells."""
CANCELLED: Final = (
    gettext_noop("%(event)s is cancelled"),
    gettext_noop("%(event)s is cancelled: %(reason)s"),
)
ABLE_TO_PLAY: Final = (State.APPLIED, State.ACCEPTED, State.WAITING)
"""The states of those who are told that the event is cancelled, or resumed."""


def end_of_link(tournament: Tournament, created_at: datetime) -> datetime:
    """Return until when a link works: for some days, and not after those of applications."""
    end = created_at + INVITATION_LIFETIME
    if last := tournament.registration_until:
        return min(end, datetime.combine(last, LAST_MINUTE, ZoneInfo(tournament.time_zone)))
    return end


def move_ends_of_links(tournament: Tournament) -> None:
    """Let the links that confirm applications work as long as one may apply now."""
    links = EmailLink.objects.filter(kind=EmailLink.Kind.APPLICATION, stream=tournament.stream)
    for link in links:
        link.expires_at = end_of_link(tournament, link.created_at)
    EmailLink.objects.bulk_update(links, ["expires_at"], batch_size=500)


def tell_applicant(entry: Entry) -> None:
    """Send the state of an entry to who has applied, in a while; to nobody without an address."""
    # A worker that begins to send one waits for this transaction, and tells the state after it.
    waiting = Notice.objects.select_for_update().filter(entry=entry, attempts=0)
    if address_of(entry)[0] and not waiting:
        Notice.objects.create(entry=entry, next_attempt_at=timezone.now() + GATHERING)


def tell_of_cancellation(tournament: Tournament) -> None:
    """Send to all who can still play that the event is cancelled, in a while."""
    told = _waiting_notices(tournament).values_list("entry", flat=True)
    _tell(tournament, {*told})


def tell_of_resumption(tournament: Tournament) -> None:
    """Send their state again to those who were told of the cancellation; else forget that."""
    waiting = _waiting_notices(tournament)
    told = {*waiting.values_list("entry", flat=True)}
    waiting.delete()
    _tell(tournament, told)


def _waiting_notices(tournament: Tournament) -> "QuerySet[Notice]":
    return Notice.objects.filter(entry__tournament=tournament, attempts=0)


def _tell(tournament: Tournament, besides: Collection[int]) -> None:
    """Send their state to all who can still play, besides these, if they have an address."""
    rows = tournament.entries.filter(state__in=ABLE_TO_PLAY).exclude(pk__in=besides)
    confirmed = _confirmed_addresses(tournament)
    due = timezone.now() + GATHERING
    Notice.objects.bulk_create(
        Notice(entry=entry, next_attempt_at=due)
        for entry in rows.select_related("player__account", "player__merged_into__account")
        if address_of(entry, confirmed)[0]
    )


def _confirmed_addresses(tournament: Tournament) -> Confirmed:
    """Return the addresses that players without a login have confirmed, by their account."""
    found = Subscription.objects.filter(tournament=tournament, is_confirmed=True, by_mail=True)
    rows = found.exclude(email="").values_list("account", "email", "language")
    return {account: (email, language) for account, email, language in rows}


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail to an applicant, in words of their language."""

    to: str
    language: str
    subject: str
    sentence: str
    facts: Sequence[str]
    page: str


def letter_about(number: int) -> Letter | None:
    """Return what an applicant is told now; None if that is nothing, or nobody wants it."""
    rows = Entry.objects.select_related("tournament", "player__account", "player__merged_into")
    entry = rows.get(pk=number)
    tournament = entry.tournament
    is_cancelled = tournament.state == Tournament.State.CANCELLED and entry.state in ABLE_TO_PLAY
    confirmed = _confirmed_addresses(tournament) if is_cancelled else None
    address, language = address_of(entry, confirmed)
    if not address or entry.state not in SENTENCES or has_refused(digests_of(address)):
        return None
    reason = cancellation_reason(tournament)
    language = language or settings.LANGUAGE_CODE
    values = {
        "name": harmless(entry.player.current.name),
        "event": harmless(tournament.name),
        "place": place_in_queue(entry),
        "reason": harmless(reason),
    }
    sentences = SENTENCES[entry.state]
    if is_cancelled:
        sentences = CANCELLED if reason else (CANCELLED[0], CANCELLED[0])
    with translation.override(language):
        subject, sentence = (gettext(text) % values for text in sentences)
        facts = [*facts_of(tournament)]
    return Letter(address, language, subject, sentence, facts, page_of(tournament, entry))


def place_in_queue(entry: Entry) -> int:
    """Return the place of an entry on the waiting list, if it is on it."""
    waiting = Entry.objects.filter(tournament=entry.tournament_id, state=State.WAITING)
    at, pk = entry.entered_at, entry.pk
    return waiting.filter(Q(entered_at__lt=at) | Q(entered_at=at, pk__lte=pk)).count()


def facts_of(tournament: Tournament) -> Iterator[str]:
    """Yield what an applicant wants to know of an event besides, as far as it says so."""
    country = country_name(tournament.country) if tournament.country else ""
    place = ", ".join(filter(None, (tournament.venue, tournament.place, country)))
    for label, text in (
        (gettext("Days"), days_of(tournament)),
        (gettext("Venue"), harmless(place)),
        (gettext("Entry fee"), harmless(tournament.fee_text)),
        (gettext("Contact"), " ".join(tournament.contact.split())),
    ):
        if text:
            yield labelled(label, text)


def address_of(entry: Entry, confirmed: Confirmed | None = None) -> tuple[str, str]:
    """Return the address of an applicant, and the language of mails to it; empty without one.

    With the addresses that are `confirmed`, also of those whom the organiser has entered.
    """
    account, agreement = entry.player.current.account, entry.agreement
    if account is not None and account.email and account.is_active:
        is_told = agreement == AGREED if confirmed is None else agreement != DECLINED
        return (account.email, account.language) if is_told else ("", "")
    if confirmed and account is not None and not entry.email:
        return confirmed.get(account.pk, ("", ""))
    return entry.email, entry.language


def page_of(tournament: Tournament, entry: Entry) -> str:
    """Return the address of the applicant's page; without a login, with the personal link."""
    page = page_url(f"e/{tournament.slug}/me")
    link = PersonalLink.objects.filter(entry=entry, revoked_at=None).first()
    account = entry.player.current.account
    has_login = account is not None and account.email
    return f"{page}#{link.token}" if link and not has_login else page
