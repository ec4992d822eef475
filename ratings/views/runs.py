"""The runs of a pool, the changes that each of them computed, and how two of them differ."""

from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.pagination import CursorPages, NewestFirst
from games.core.requests import is_flag_set
from games.core.tables.views import BOM_PARAMETER, CSV, NDJSON, NegotiatedView
from games.core.views import ApiView
from games.http.generics import ValuesListView
from games.play.lookup import visible_games
from ratings.core.pools import RUN_FIELDS, find_pool, find_run, finished_runs, run_as_json
from ratings.core.serializers import RunSerializer
from ratings.documents.differences import differences_document
from ratings.models import Change, Run, RunRating
from ratings.runs.changes import CHANGE_FIELDS, player_change_as_json, run_changes
from ratings.runs.queries import DIFFERENCE_FIELDS, difference_as_json, rating_differences
from ratings.serializers.ratings import PlayerRatingChangeSerializer, RatingDifferenceSerializer
from ratings.views.change_pages import RunPages


@extend_schema_view(get=extend_schema(operation_id="pool_runs"))
class RunList(ValuesListView):
    """List the runs of a pool, newest first."""

    queryset = Run.objects.none()
    serializer_class = RunSerializer
    pagination_class = NewestFirst
    fields = RUN_FIELDS
    row_as_json = staticmethod(run_as_json)

    def get_queryset(self) -> Any:
        return finished_runs(find_pool(self.kwargs["code"]))


class RunView(ApiView):
    @extend_schema(operation_id="pool_run", responses=RunSerializer)
    def get(self, request: Request, code: str, number: str) -> Response:
        """Return a run, current or not."""
        run = find_run(find_pool(code), int(number))
        return Response(run_as_json(vars(run)))


@extend_schema_view(get=extend_schema(operation_id="run_changes"))
class RunChanges(ValuesListView):
    """List the changes that a run computed, by the ids of the batches and games.

    Later runs replace changes, which are listed nevertheless: this is what the run computed. A
    change by a game that the account may not see is left out.
    """

    queryset = Change.objects.none()
    serializer_class = PlayerRatingChangeSerializer
    pagination_class = RunPages
    fields = CHANGE_FIELDS
    row_as_json = staticmethod(player_change_as_json)

    def get_queryset(self) -> Any:
        pool = find_pool(self.kwargs["code"])
        run = find_run(pool, int(self.kwargs["number"]))
        return run_changes(run, visible_games(self.request))


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
    fields = DIFFERENCE_FIELDS
    row_as_json = staticmethod(difference_as_json)

    def get_queryset(self) -> Any:
        return rating_differences(
            find_pool(self.kwargs["code"]),
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
        pool, later, start = find_pool(code), int(number), int(earlier)
        rows = rating_differences(pool, later, start, visible_games(request))
        document = differences_document(pool, later, start, rows)
        mark = is_flag_set(request, "bom")
        return self.render(document, document.heading.file_stem, byte_order_mark=mark)
