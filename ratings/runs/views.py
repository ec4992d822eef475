"""The changes of a player's ratings, and the state of a game in each pool."""

from typing import Any

import django_filters
from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.requests import is_flag_set
from games.core.tables.views import BOM_PARAMETER, CSV, HTML, NDJSON, SVG, NegotiatedView
from games.core.views import ApiView
from games.http.content_policy import picture_policy
from games.http.generics import ValuesListView
from games.play.lookup import get_visible_game, visible_games
from games.views.games import IdFilter
from ratings.documents.history import history_document
from ratings.models import Change
from ratings.queries.charts import draw_player_ratings
from ratings.runs.changes import (
    CHANGE_FIELDS,
    change_as_json,
    find_rated_player,
    game_ratings_as_json,
    player_changes,
)
from ratings.serializers.ratings import ChangeSerializer, GameRatingSerializer
from ratings.systems.charts import CHART_STYLE
from ratings.views.change_pages import HistoryPages
from ratings.views.requested import requested_pool

HISTORY_POOL_PARAMETER = OpenApiParameter(
    "pool", str, description="the code of a pool; default: all"
)
CHART_POLICY = picture_policy(CHART_STYLE)
CHART_POOL = OpenApiParameter("pool", str, required=True, description="the code of a pool")


class ChangeFilter(django_filters.FilterSet):
    pool = django_filters.CharFilter(field_name="pool__code", label="the code of a pool")
    opponent = IdFilter(field_name="opponent", label="the id of a player")

    class Meta:
        model = Change
        fields: list[str] = []


@extend_schema_view(get=extend_schema(operation_id="player_history"))
class PlayerHistory(ValuesListView):
    """List the changes of a player's ratings, newest first, with all values of the computation.

    A change by a game that the account may not see is left out.
    """

    queryset = Change.objects.none()
    serializer_class = ChangeSerializer
    filterset_class = ChangeFilter
    pagination_class = HistoryPages
    fields = CHANGE_FIELDS
    row_as_json = staticmethod(change_as_json)

    def get_queryset(self) -> Any:
        player = find_rated_player(int(self.kwargs["player_id"]))
        return player_changes(player.pk, visible_games(self.request))


class PlayerHistoryFile(NegotiatedView):
    """The changes in the format of the single renderer that the address sets."""

    @extend_schema(
        parameters=[HISTORY_POOL_PARAMETER, BOM_PARAMETER], responses=CSV | NDJSON | HTML
    )
    def get(self, request: Request, player_id: str) -> HttpResponse:
        """Return the changes of a player's ratings as a file, newest first.

        CSV columns: `pool,run,game,event,round,played_on,effective_at,seat,opponent_id,opponent,
        score,before,opponent_before,handicap_part,expected,expected_at_pairing,k,change,after,
        explanation`; an
        apostrophe precedes text that a spreadsheet would run as a formula. The HTML page contains
        at most 1,000 changes.
        """
        player = find_rated_player(int(player_id))
        rows = player_changes(player.pk, visible_games(request))
        if "pool" in request.query_params:
            rows = rows.filter(pool=requested_pool(request))
        document = history_document(player, rows, is_printed=self.renderer.shows_notes)
        mark = is_flag_set(request, "bom")
        return self.render(document, document.heading.file_stem, byte_order_mark=mark)


class PlayerChart(ApiView):
    @extend_schema(
        operation_id="player_chart",
        parameters=[CHART_POOL],
        responses=SVG,
    )
    def get(self, request: Request, player_id: str) -> HttpResponse:
        """Return a chart of a player's rating in a pool, with the interval of 95 %.

        Each point is the rating after an event or a casual game, with its numbers as a title; the
        table of the same numbers is `ratings.csv`.
        """
        player = find_rated_player(int(player_id))
        pool = requested_pool(request)
        chart = draw_player_ratings(player.pk, pool, visible_games(request))
        headers = {"Content-Security-Policy": CHART_POLICY}
        return HttpResponse(chart, content_type="image/svg+xml", headers=headers)


class GameRatings(ApiView):
    @extend_schema(operation_id="game_ratings", responses=GameRatingSerializer(many=True))
    def get(self, request: Request, game_id: int) -> Response:
        """Return the state of a game in each pool: `pending`, `rated`, or `excluded` and why."""
        return Response(game_ratings_as_json(get_visible_game(request, game_id)))
