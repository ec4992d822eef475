"""Calendars to subscribe to: of an event, and of a player."""

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from games.http.errors import NotFound
from games.http.request import viewer
from games.models import Player
from tournament import queries
from tournament.documents.calendar import MOST_EVENTS, calendar, event_days, player_days
from tournament.models import Entry
from tournament.views.lookup import tournament_seen_by
from tournament.views.negotiation import written

ICS = {(200, "text/calendar"): OpenApiTypes.STR}


class EventCalendar(APIView):
    @extend_schema(operation_id="event_calendar", responses=ICS)
    def get(self, request: Request, slug: str) -> HttpResponse:
        """The event and those of its rounds that have a day."""
        tournament = tournament_seen_by(request, slug)
        days = event_days(tournament)
        text = calendar(tournament.name, days, time_zone=tournament.time_zone)
        return written(text, "ics", slug)


class PlayerCalendar(APIView):
    @extend_schema(operation_id="player_calendar", responses=ICS)
    def get(self, request: Request, player_id: int) -> HttpResponse:
        """The events in which a player takes part, and the boards of published rounds."""
        found = Player.objects.filter(pk=player_id).select_related("merged_into").first()
        if found is None:
            raise NotFound("not_found", f"there is no player {player_id}")
        player = found.merged_into or found
        seen = queries.visible_tournaments(*viewer(request, "tournament.see"))
        entered = Entry.objects.filter(player=player, state=Entry.State.ACCEPTED)
        own = seen.filter(pk__in=entered.values("tournament")).order_by("-starts_on", "-pk")
        text = calendar(player.name, player_days(player, own[:MOST_EVENTS]))
        return written(text, "ics", f"player-{player.pk}")
