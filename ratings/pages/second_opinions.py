"""What other rating systems make of a player's games, beside the official rating."""

from typing import Any

from django.utils import timezone
from rest_framework.request import Request

from games.core.pages import PageView
from games.play.lookup import visible_games
from ratings.queries.second_opinions import second_opinions_as_json
from ratings.runs.changes import find_rated_player
from ratings.views.requested import requested_pool


class SecondOpinionPage(PageView):
    """The opinions about a player in the pool `?pool=`, by games that the reader may see."""

    template = "ratings/second_opinion.html"

    def context(self, request: Request, player_id: int = 0, **address: Any) -> dict[str, Any]:
        """Return the official rating and the opinions; raises NotFound without a rated game."""
        player = find_rated_player(player_id)
        pool = requested_pool(request)
        today = timezone.now().date()
        found = second_opinions_as_json(player, pool, visible_games(request), today=today)
        return found | {"player": player, "pool": pool}
