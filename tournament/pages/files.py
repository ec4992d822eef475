"""The files of an event, and its calendar."""

from typing import Any

from django.db.models import F
from rest_framework.request import Request

from tournament.models import Tournament
from tournament.pages.event import EventPage


class ExportsPage(EventPage):
    """All files that anyone who sees the event can save or print."""

    template = "tournament/exports.html"
    public_read = "slug"
    tab = "exports"

    def content(
        self, request: Request, tournament: Tournament, frame: dict[str, Any], **address: Any
    ) -> dict[str, Any]:
        """Return the numbers of the rounds that have a certificate."""
        certified = tournament.certificates.filter(version=F("round__version"))
        return {"certified": set(certified.values_list("round__number", flat=True))}


class CalendarPage(EventPage):
    """The days of the event, and the address to subscribe to."""

    template = "tournament/calendar.html"
    public_read = "slug"

    def content(
        self, request: Request, tournament: Tournament, frame: dict[str, Any], **address: Any
    ) -> dict[str, Any]:
        """Return the rounds that have a date."""
        dated = [this_round for this_round in frame["rounds"] if this_round.starts_on]
        return {
            "dated": dated,
            "file": request.build_absolute_uri(
                f"/api/v1/tournaments/{tournament.slug}/calendar.ics"
            ),
        }
