"""How the event can end: the document that the API has, as a table and a plot.

Without a forecast of the current state the page has a button that asks for one.
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from rest_framework.request import Request

from games.core.forms import Form
from games.core.tables.html import table_context
from tournament.core.pages import EventPage
from tournament.forecasts.services import (
    find_forecast,
    read_forecast,
    requested_top,
    require_shown,
    state_to_forecast,
)
from tournament.forecasts.tables import forecast_document
from tournament.forecasts.views import RequestForecast
from tournament.models import Tournament
from tournament.rounds.pages import card_link


class ForecastPage(EventPage):
    """The forecast, or how far its simulations are; the page then loads itself again."""

    public_read = "site"  # the ratings of a pool are in its journal
    query_names = ("top",)
    template = "tournament/forecasts/forecast.html"
    tab = "forecast"
    actions = {"request": Form(RequestForecast)}

    def next_address(self, request: Request, name: str, content: Any, **address: Any) -> str:
        """Return the address of the page, with the same places."""
        return request.get_full_path()

    def content(self, request: Request, tournament: Tournament, **address: Any) -> dict[str, Any]:
        """Return the table, or the progress of the task that computes it."""
        require_shown(request, tournament)
        state = state_to_forecast(tournament)
        forecast = find_forecast(tournament, state)
        players = len(state.event.crosstable.players)
        top = requested_top(request, players)
        shown = {
            "forecast": forecast,
            "through": state.through,
            "top": top,
            "tops": sorted({1, 2, 3, 5, 10, top} & set(range(1, players + 1))),
            "kept": urlencode({"top": top}),
        }
        if forecast is None or forecast.finished_at is None:
            self.is_final = False
            return shown
        found = read_forecast(request, forecast, state)
        document = forecast_document(tournament, found)

        def row_class(record: Mapping[str, Any]) -> str:
            return "own" if entries[record["number"]] == own else ""

        own = self.event_frame["own_entry"].pk if self.event_frame["own_entry"] else None
        entries = state.participants.entries
        return shown | {
            "document": document,
            "ended_early": found.ended_early,
            "error": 100 * found.largest_error,
            **table_context(document, links={"name": card_link(tournament)}, row_class=row_class),
        }
