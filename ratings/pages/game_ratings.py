"""How a game is rated in each pool, with the change of each player, or why it is not."""

from typing import Any

from rest_framework.request import Request

from games.core.pages import PageView
from games.play.lookup import get_visible_game
from ratings.runs.changes import game_ratings_as_json


class GameRatingsPage(PageView):
    template = "ratings/game_ratings.html"

    def context(self, request: Request, game_id: int = 0, **address: Any) -> dict[str, Any]:
        """Return the game with its state and changes in each pool that it is filed with."""
        game = get_visible_game(request, game_id)
        names = {
            number: player.name
            for player in (game.first, game.second)
            for number in (player.pk, player.current_id)
        }
        pools = [
            pool
            | {
                "changes": [
                    change | {"name": names.get(change["player"], "")} for change in pool["changes"]
                ]
            }
            for pool in game_ratings_as_json(game)
        ]
        return {"game": game, "pools": pools}
