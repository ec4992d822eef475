"""The journal of an event, the newest lines first, in pages.

A line says what happened, when, and which account caused it; the names of accounts and the payloads
are for the officials of the event, so the page has names only for them, and no payloads.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from rest_framework.request import Request

from games.http.pagination import CursorPages
from games.http.public_reads import PublicRead
from games.journal import SYSTEM
from games.models import Account, JournalLine
from tournament.models import Tournament
from tournament.pages.event import EventPage

KINDS: Final[Mapping[str, Promise]] = {
    "tournament.created": _("Event created"),
    "tournament.imported": _("Event imported"),
    "tournament.edited": _("Settings changed"),
    "tournament.registration": _("Opened for entries"),
    "tournament.running": _("Event started"),
    "tournament.review": _("Results under review"),
    "tournament.final": _("Results final"),
    "tournament.archived": _("Event archived"),
    "tournament.cancelled": _("Event cancelled"),
    "tournament.resumed": _("Play resumed"),
    "tournament.reopened": _("Event reopened"),
    "applications.opened": _("Applications opened"),
    "applications.closed": _("Applications closed"),
    "entries.imported": _("Players imported"),
    "entry.applied": _("A player applied"),
    "entry.accepted": _("Player accepted"),
    "entry.refused": _("Application refused"),
    "entry.waiting": _("Player put on the waiting list"),
    "entry.withdrawn": _("A player left the event"),
    "entry.edited": _("Entry of a player changed"),
    "entry.consented": _("Consent of a player stored"),
    "entry.availability": _("Availability of a player changed"),
    "entry.checked_in": _("Player checked in"),
    "entry.checked_out": _("Check-in of a player undone"),
    "links.created": _("Personal links created"),
    "link.revoked": _("Personal link revoked"),
    "bye.granted": _("Bye granted"),
    "bye.cancelled": _("Bye cancelled"),
    "round.scheduled": _("Date of a round changed"),
    "round.paired": _("Round paired"),
    "round.set_by_hand": _("Round paired by hand"),
    "round.published": _("Pairings published"),
    "round.changed": _("Pairings changed"),
    "round.restored": _("Earlier pairings restored"),
    "round.unpaired": _("Pairings removed"),
    "round.complete": _("Round complete"),
    "round.reopened": _("Round reopened"),
    "game.imported": _("Game imported"),
    "game.open": _("Result of a game open"),
    "game.waiting": _("Result waits for the other player"),
    "game.confirmed": _("Result confirmed"),
    "game.disputed": _("Result disputed"),
    "game.adjourned": _("Game adjourned"),
    "game.annulled": _("Game annulled"),
    "report.record": _("Record sent"),
    "report.claim": _("Result sent"),
    "report.confirmation": _("Result agreed to"),
    "report.dispute": _("Result contested"),
    "report.slip": _("Result slip entered"),
    "report.ruling": _("Ruling of an arbiter"),
    "report.annulment": _("Annulment by an arbiter"),
    "report.adjournment": _("Adjournment by an arbiter"),
    "report.revocation": _("Decision of an arbiter revoked"),
    "report.refused": _("Record rejected"),
    "correction.committed": _("Correction made"),
    "role.invited": _("Official invited"),
    "role.granted": _("Official appointed"),
    "role.removed": _("Official removed"),
    "invitation.revoked": _("Invitation revoked"),
    "token.issued": _("Token issued"),
    "token.revoked": _("Token revoked"),
    "webhook.created": _("Webhook created"),
    "webhook.edited": _("Webhook changed"),
    "webhook.rotated": _("Secret of a webhook replaced"),
    "webhook.deleted": _("Webhook deleted"),
    "write.forced": _("Written over a newer version"),
    "payload.erased": _("Personal data erased"),
}
"""What the kinds of lines in the journal of an event say to readers."""


class JournalPage(EventPage):
    template = "tournament/journal.html"
    public_read = PublicRead.ADDRESS
    tab = "journal"

    def content(
        self, request: Request, tournament: Tournament, frame: dict[str, Any], **address: Any
    ) -> dict[str, Any]:
        """Return a page of the journal; two queries, or one without names."""
        pages = CursorPages()
        pages.ordering = ("-sequence",)
        rows = JournalLine.objects.filter(stream=tournament.stream)
        lines = pages.paginate_queryset(rows, request)
        names = _names_of(lines) if frame["is_official"] else {}
        return {
            "lines": [
                (line, KINDS.get(line.kind, line.kind), _actor(line, names)) for line in lines
            ],
            **pages.neighbours,
        }


def _names_of(lines: Iterable[JournalLine]) -> dict[str, str]:
    """Return the names of the accounts that caused lines, by actor."""
    numbers = {line.actor.removeprefix("account/") for line in lines if line.actor != SYSTEM}
    accounts = Account.objects.filter(pk__in=filter(str.isdecimal, numbers))
    return {f"account/{account.pk}": account.name for account in accounts}


def _actor(line: JournalLine, names: Mapping[str, str]) -> str:
    if line.actor == SYSTEM:
        return gettext("the service")
    number = line.actor.removeprefix("account/")
    return names.get(line.actor) or gettext("account %(number)s") % {"number": number}
