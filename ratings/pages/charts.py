"""The charts of pages, in the language of the reader; those of the API are in English."""

from typing import Any, Final

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils.formats import date_format
from rest_framework.request import Request

from games.core.pages import PageView
from games.core.text import decimal_text
from games.pages.words import say
from games.play.lookup import visible_games
from ratings.queries.charts import draw_player_ratings
from ratings.runs.changes import find_rated_player
from ratings.runs.views import CHART_POLICY
from ratings.systems.charts import ChartLanguage
from ratings.views.requested import requested_pool

PAGE_LANGUAGE: Final = ChartLanguage(say, date_format, decimal_text)
"""The language of the reader."""


class PlayerChartPage(PageView):
    """The chart of a player's rating in the pool `?pool=`."""

    def get(self, request: Request, player_id: int = 0, **address: Any) -> HttpResponseBase:
        """Return the picture; raises NotFound for a player without a rating."""
        player = find_rated_player(player_id)
        pool = requested_pool(request)
        chart = draw_player_ratings(player.pk, pool, visible_games(request), PAGE_LANGUAGE)
        return chart_response(chart)


def chart_response(chart: str) -> HttpResponse:
    """Return a chart as a picture, whose policy allows its own style."""
    headers = {"Content-Security-Policy": CHART_POLICY}
    return HttpResponse(chart, content_type="image/svg+xml; charset=utf-8", headers=headers)
