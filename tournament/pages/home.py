"""The home page, the list of all events, and the search for players and events."""

from typing import Any, Final

from django.db.models import Max, Q, QuerySet
from rest_framework.request import Request

from games.core.pages import PageView
from games.core.pagination import NewestFirst
from games.core.requests import requested_choice, viewer
from games.queries import players_by_name
from tournament import queries
from tournament.models import Tournament
from tournament.views.seen import UNPUBLISHED

MOST_HOME_ROWS = 20
"""Events of each group on the home page, and results of each kind of a search."""

LONGEST_SEARCH: Final = 80

State = Tournament.State
EVENT_GROUPS: Final = {
    "running": ((State.RUNNING, State.REVIEW), "-starts_on"),
    "coming": ((State.DRAFT, State.REGISTRATION), "starts_on"),
    "past": ((State.FINAL, State.ARCHIVED, State.CANCELLED), "-starts_on"),
}
"""The states of each group of events, and its order on the home page."""


def seen_events(request: Request) -> "QuerySet[Tournament]":
    """Return the events that the reader may see."""
    return queries.visible_tournaments(*viewer(request, "tournament.see"))


class HomePage(PageView):
    template = "tournament/home.html"

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the events that the reader may see, in three groups, with their last round."""
        is_published = ~Q(round_set__state__in=UNPUBLISHED)
        events = seen_events(request).annotate(
            last_round=Max("round_set__number", filter=is_published)
        )
        return {
            name: list(events.filter(state__in=states).order_by(order, "name")[:MOST_HOME_ROWS])
            for name, (states, order) in EVENT_GROUPS.items()
        }


class EventsPage(PageView):
    """All events, the last created first; `?state=` is a group of the home page."""

    template = "tournament/events.html"

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return a page of the events."""
        group = requested_choice(request, "state", ("all", *EVENT_GROUPS))
        events = seen_events(request)
        if group != "all":
            events = events.filter(state__in=EVENT_GROUPS[group][0])
        return {"group": group, **NewestFirst().context("events", events, request)}


class SearchPage(PageView):
    """Players and events whose names contain `?q=`."""

    template = "tournament/search.html"

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the players and events that are found; none without a text."""
        text = " ".join(request.query_params.get("q", "").replace("\0", " ").split())
        text = text[:LONGEST_SEARCH]
        if not text:
            return {"text": ""}
        players = players_by_name(text).order_by("folded_name", "pk")[: MOST_HOME_ROWS + 1]
        events = seen_events(request).filter(name__icontains=text)
        return {
            "text": text,
            "most": MOST_HOME_ROWS,
            "players": list(players),
            "events": list(events.order_by("-starts_on", "name")[: MOST_HOME_ROWS + 1]),
        }
