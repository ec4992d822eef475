"""The runs of a pool, what one computed; a player's chart; how a game is rated."""

from typing import Any, Final

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils.formats import date_format
from rest_framework.request import Request

from games.core.namesakes import shown_names, tell_apart
from games.core.pages import PageView
from games.core.pagination import NewestFirst
from games.core.tables.html import picture_policy
from games.core.text import decimal_text
from games.play.boards import say
from games.play.queries import get_visible_game, visible_games
from ratings.core.pools import find_pool, requested_pool
from ratings.runs.changes import (
    CHANGE_FIELDS,
    change_as_json,
    draw_player_ratings,
    find_rated_player,
    game_ratings_as_json,
    run_changes,
)
from ratings.runs.queries import find_run, finished_runs
from ratings.runs.views import NewestRunPages
from ratings.systems.charts import CHART_STYLE, ChartLanguage


class RunsPage(PageView):
    template = "ratings/runs/runs.html"

    def context(self, request: Request, code: str = "", **address: Any) -> dict[str, Any]:
        pool = find_pool(code)
        return {"pool": pool, **NewestFirst().context("runs", finished_runs(pool), request)}


class RatingRunPage(PageView):
    template = "ratings/runs/run.html"

    def context(
        self, request: Request, code: str = "", number: int = 0, **address: Any
    ) -> dict[str, Any]:
        """Return a page of the changes by the games that the reader may see."""
        pool = find_pool(code)
        run = find_run(pool, number)
        rows = run_changes(run, visible_games(request))
        return {
            "pool": pool,
            "run": run,
            **NewestRunPages().context(
                "changes", rows.values(*CHANGE_FIELDS), request, change_as_json
            ),
        }


CHART_POLICY: Final = picture_policy(CHART_STYLE)
PAGE_LANGUAGE: Final = ChartLanguage(say, date_format, decimal_text)
"""The language of the reader."""


class PlayerChartPage(PageView):
    """The chart of a player's rating in the pool `?pool=`."""

    def get(self, request: Request, player_id: int = 0, **address: Any) -> HttpResponseBase:
        """Return the picture; raises NotFound for a player without a rating."""
        player = find_rated_player(player_id)
        pool = requested_pool(request)
        chart = draw_player_ratings(player.pk, pool, visible_games(request), PAGE_LANGUAGE)
        headers = {"Content-Security-Policy": CHART_POLICY}
        return HttpResponse(chart, content_type="image/svg+xml; charset=utf-8", headers=headers)


class GameRatingsPage(PageView):
    template = "ratings/runs/game_ratings.html"

    def context(self, request: Request, game_id: int = 0, **address: Any) -> dict[str, Any]:
        """Return the game with its state and changes in each pool that it is filed with."""
        game = get_visible_game(request, game_id)
        names = shown_names(
            {"id": player.pk, "name": player.name, "country": player.country, "club": player.club}
            for player in (game.first, game.second)
        )
        return {
            "game": {
                "pk": game.pk,
                "first": {"player": {"name": names[game.first_id]}},
                "second": {"player": {"name": names[game.second_id]}},
            },
            "pools": tell_apart(game_ratings_as_json(game), names),
        }
