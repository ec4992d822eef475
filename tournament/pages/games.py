"""The games of an event, newest round first, in pages."""

from typing import Any

from rest_framework.request import Request

from games.core.pagination import NewestFirst
from games.core.requests import viewer
from games.queries import game_as_json, visible_game_rows
from tournament.models import Tournament
from tournament.pages.event import EventPage


class GamesPage(EventPage):
    template = "tournament/games.html"
    public_read = "slug"
    tab = "games"

    def content(
        self, request: Request, tournament: Tournament, frame: dict[str, Any], **address: Any
    ) -> dict[str, Any]:
        """Return a page of the games."""
        rows = visible_game_rows(*viewer(request, "game.see")).filter(stream=tournament.stream)
        return NewestFirst().context("games", rows, request, game_as_json)
