"""The ratings of an event: the performance of each player, and what the results change."""

from typing import Any

from rest_framework.request import Request

from games.play.lookup import visible_games
from ratings.comparisons.queries import event_ratings_as_json
from ratings.models import Pool
from tournament.models import Tournament
from tournament.pages.event import EventPage


class EventRatingsPage(EventPage):
    template = "tournament/ratings.html"
    tab = "ratings"

    def content(
        self, request: Request, tournament: Tournament, frame: dict[str, Any], **address: Any
    ) -> dict[str, Any]:
        """Return the rows, and whether they are rated, expected or not requested."""
        pool = Pool.objects.filter(code=tournament.pool).first() if tournament.rated else None
        games = visible_games(request).filter(stream=tournament.stream, void=False)
        found = event_ratings_as_json(pool, tournament.stream, games)
        return {"pool": pool, "state": found["state"], "rows": found["rows"]}
