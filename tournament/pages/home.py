"""The home page: what this service is, and its running, coming and last events."""

from typing import Any

from rest_framework.request import Request

from games.http.request import viewer
from games.pages.views import PageView
from tournament import queries
from tournament.models import Tournament

MOST = 20
"""Events of each group that the page lists."""

State = Tournament.State
GROUPS = (
    ("running", (State.RUNNING, State.REVIEW), "-starts_on"),
    ("coming", (State.DRAFT, State.REGISTRATION), "starts_on"),
    ("past", (State.FINAL, State.ARCHIVED, State.CANCELLED), "-starts_on"),
)
"""The states of each group and its order."""


class HomePage(PageView):
    template = "tournament/home.html"

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the events that the reader may see, in three groups."""
        events = queries.visible_tournaments(*viewer(request, "tournament.see"))
        return {
            name: list(events.filter(state__in=states).order_by(order, "name")[:MOST])
            for name, states, order in GROUPS
        }
