"""The runs of a pool, the changes that each of them computed, and how two of them differ."""

from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response

from games.http.documents import BOM_PARAMETER, CSV, NDJSON, NegotiatedView
from games.http.generics import ValuesListView
from games.http.pagination import CursorPages, NewestFirst
from games.http.request import is_flag_set, visible_games
from games.http.views import ApiView
from ratings.documents.differences import differences_document
from ratings.models import Change, Run, RunRating
from ratings.queries import changes, pools, run_ratings
from ratings.serializers.pools import RunSerializer
from ratings.serializers.ratings import PlayerRatingChangeSerializer, RatingDifferenceSerializer
from ratings.views.change_pages import RunPages


@extend_schema_view(get=extend_schema(operation_id="pool_runs"))
class RunList(ValuesListView):
    """List the runs of a pool, newest first."""

    queryset = Run.objects.none()
    serializer_class = RunSerializer
    pagination_class = NewestFirst
    fields = pools.RUN_FIELDS
    row_as_json = staticmethod(pools.run_as_json)

    def get_queryset(self) -> Any:
        return pools.finished_runs(pools.find_pool(self.kwargs["code"]))


class RunView(ApiView):
    @extend_schema(operation_id="pool_run", responses=RunSerializer)
    def get(self, request: Request, code: str, number: str) -> Response:
        """Return a run, current or not."""
        run = pools.find_run(pools.find_pool(code), int(number))
        return Response(pools.run_as_json(vars(run)))


@extend_schema_view(get=extend_schema(operation_id="run_changes"))
class RunChanges(ValuesListView):
    """List the changes that a run computed, by the ids of the batches and games.

    Later runs replace changes, which are listed nevertheless: this is what the run computed. A
    change by a game that the account may not see is left out.
    """

    queryset = Change.objects.none()
    serializer_class = PlayerRatingChangeSerializer
    pagination_class = RunPages
    fields = changes.CHANGE_FIELDS
    row_as_json = staticmethod(changes.player_change_as_json)

    def get_queryset(self) -> Any:
        pool = pools.find_pool(self.kwargs["code"])
        run = pools.find_run(pool, int(self.kwargs["number"]))
        return changes.run_changes(run, visible_games(self.request))


class ByPlayer(CursorPages):
    ordering = ("player_id",)


@extend_schema_view(get=extend_schema(operation_id="run_differences"))
class RunDifferences(ValuesListView):
    """List the players whose rating after a run differs from that after an earlier run, by id.

    Number 0 is before the first run. A player with a game in the pool that the account may not see
    is left out.
    """

    queryset = RunRating.objects.none()
    serializer_class = RatingDifferenceSerializer
    pagination_class = ByPlayer
    fields = run_ratings.DIFFERENCE_FIELDS
    row_as_json = staticmethod(run_ratings.difference_as_json)

    def get_queryset(self) -> Any:
        return run_ratings.rating_differences(
            pools.find_pool(self.kwargs["code"]),
            int(self.kwargs["number"]),
            int(self.kwargs["earlier"]),
            visible_games(self.request),
        )


class RunDifferencesFile(NegotiatedView):
    """The differences in the format of the single renderer that the address sets."""

    @extend_schema(parameters=[BOM_PARAMETER], responses=CSV | NDJSON)
    def get(self, request: Request, code: str, number: str, earlier: str) -> HttpResponse:
        """Return the differences between two runs as a file, by player.

        CSV columns: `id,name,before,games_before,after,games,difference`; an apostrophe precedes
        text that a spreadsheet would run as a formula.
        """
        pool, later, start = pools.find_pool(code), int(number), int(earlier)
        rows = run_ratings.rating_differences(pool, later, start, visible_games(request))
        document = differences_document(pool, later, start, rows)
        mark = is_flag_set(request, "bom")
        return self.render(document, document.heading.file_stem, byte_order_mark=mark)
