"""Calendars to subscribe to: of an event, and of a player."""

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from games.core.errors import NotFound
from games.core.requests import viewer
from games.core.tables.views import file_response
from games.core.views import ApiView
from games.http.languages import language_of_sheet, vary_by_language
from games.models import Player
from games.rules.text import Text
from tournament import queries
from tournament.core.lookup import tournament_seen_by
from tournament.models import Entry
from tournament.tables.calendar import MOST_CALENDAR_EVENTS, event_calendar, player_calendar

CALENDAR_TYPE = "text/calendar"
CALENDAR_RESPONSES = {(200, CALENDAR_TYPE): OpenApiTypes.STR}


class EventCalendar(ApiView):
    @extend_schema(operation_id="event_calendar", responses=CALENDAR_RESPONSES)
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Return the event, and its rounds that have a date."""
        tournament = tournament_seen_by(request, slug)
        with language_of_sheet(request):
            text = event_calendar(tournament)
        return vary_by_language(file_response(text, CALENDAR_TYPE, f"{slug}.ics"))


class PlayerCalendar(ApiView):
    @extend_schema(operation_id="player_calendar", responses=CALENDAR_RESPONSES)
    def get(self, request: Request, player_id: int) -> HttpResponse:
        """Return the events of a player, and the boards of published rounds."""
        found = Player.objects.filter(pk=player_id).select_related("merged_into").first()
        if found is None:
            raise NotFound("not_found", Text("there is no player %(number)s", number=player_id))
        player = found.merged_into or found
        visible = queries.visible_tournaments(*viewer(request, "tournament.see"))
        entries = player.entries.filter(state=Entry.State.ACCEPTED)
        tournaments = visible.filter(pk__in=entries.values("tournament"))
        latest = tournaments.order_by("-starts_on", "-pk")[:MOST_CALENDAR_EVENTS]
        with language_of_sheet(request):
            text = player_calendar(player, latest)
        return vary_by_language(file_response(text, CALENDAR_TYPE, f"player-{player.pk}.ics"))
