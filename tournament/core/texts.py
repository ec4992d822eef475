"""What an event says to readers: its days, its state, and the kinds of lines in its journal."""

from collections.abc import Mapping
from typing import Final

from django.utils.formats import date_format, get_format
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournament.core.queries import local_day
from tournament.models import Tournament

KIND_TEXTS: Final[Mapping[str, Promise]] = {
    "tournament.created": _("Event created"),
    "tournament.imported": _("Event imported"),
    "tournament.edited": _("Settings changed"),
    "tournament.moved": _("Address of the event changed"),
    "tournament.announced": _("Announcement of the directors"),
    "announcement.withdrawn": _("Announcement withdrawn"),
    "tie.decided": _("Tie decided"),
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
    "entry.applied": _("A player applied"),
    "entry.accepted": _("Player accepted"),
    "entry.refused": _("Application refused"),
    "entry.waiting": _("Player put on the waiting list"),
    "entry.withdrawn": _("A player left the event"),
    "entry.retracted": _("Application withdrawn"),
    "entry.returned": _("A player came back to the event"),
    "entry.edited": _("Entry of a player changed"),
    "entry.agreed": _("Player agreed to the entry"),
    "entry.declined": _("Player declined the entry"),
    "entry.consented": _("Consent of a player stored"),
    "entry.checked_in": _("Player checked in"),
    "entry.checked_out": _("Check-in of a player undone"),
    "links.created": _("Personal links created"),
    "link.revoked": _("Personal link revoked"),
    "bye.granted": _("Bye granted"),
    "bye.cancelled": _("Bye cancelled"),
    "round.scheduled": _("Date of a round changed"),
    "round.end_set": _("End of a round changed"),
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
    "rating.filed": _("Results sent to the ratings"),
    "correction.committed": _("Correction made"),
    "role.invited": _("Official invited"),
    "role.granted": _("Official appointed"),
    "role.removed": _("Official removed"),
    "roles.second_factor": _("Second factor of the directors"),
    "invitation.revoked": _("Invitation revoked"),
    "invitation.declined": _("Invitation declined"),
    "token.issued": _("Token issued"),
    "token.revoked": _("Token revoked"),
    "webhook.created": _("Webhook created"),
    "webhook.edited": _("Webhook changed"),
    "webhook.rotated": _("Secret of a webhook replaced"),
    "webhook.deleted": _("Webhook deleted"),
    "write.forced": _("Written over a newer version"),
    "payload.erased": _("Personal data erased"),
}


def days_of(event: Tournament) -> str:
    """Return the days of an event, as short as the language says them."""
    first, last, form = event.starts_on, event.ends_on, get_format("DATE_FORMAT")
    if first == last or first.year != last.year or not form.endswith("F Y"):
        days = [date_format(first), date_format(last)]
        return " – ".join(dict.fromkeys(days))
    if first.month != last.month:
        return f"{date_format(first, form.removesuffix(' Y'))} – {date_format(last)}"
    return f"{date_format(first, form.removesuffix(' F Y'))}–{date_format(last)}"


def state_in_words(event: Tournament) -> str:
    """Return the state of an event; while it is open for entries, whether it is so on this day."""
    first, last = event.registration_from, event.registration_until
    if event.state == Tournament.State.REGISTRATION and (first or last):
        today = local_day(event)
        if first and today < first:
            return gettext("entries open on %(day)s") % {"day": date_format(first)}
        if last and today > last:
            return gettext("entries closed on %(day)s") % {"day": date_format(last)}
    return event.get_state_display()
