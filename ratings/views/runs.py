"""The runs of a pool, and the changes that each of them computed."""

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response

from games.http.generics import ValuesListView
from games.http.request import visible_games
from games.http.views import ApiView
from ratings.models import Change, Run
from ratings.queries import changes, pools
from ratings.serializers.pools import RunSerializer
from ratings.serializers.ratings import PlayerChangeSerializer
from ratings.views.lookup import NewestFirst


@extend_schema_view(get=extend_schema(operation_id="pool_runs"))
class RunList(ValuesListView):
    """List the runs of a pool, newest first."""

    queryset = Run.objects.none()
    serializer_class = RunSerializer
    pagination_class = NewestFirst
    fields = pools.RUN_FIELDS
    row_as_json = staticmethod(pools.run_as_json)

    def get_queryset(self) -> Any:
        return pools.find_pool(self.kwargs["code"]).runs.all()


class RunView(ApiView):
    @extend_schema(operation_id="pool_run", responses=RunSerializer)
    def get(self, request: Request, code: str, number: str) -> Response:
        """Return a run, current or not."""
        run = pools.find_run(pools.find_pool(code), int(number))
        return Response(pools.run_as_json(vars(run)))


@extend_schema_view(get=extend_schema(operation_id="run_changes"))
class RunChanges(ValuesListView):
    """List the changes that a run computed, in the order of the batches.

    Later runs replace changes, which are listed nevertheless: this is what the run computed. A
    change by a game that the account may not see is left out.
    """

    queryset = Change.objects.none()
    serializer_class = PlayerChangeSerializer
    fields = changes.CHANGE_FIELDS
    row_as_json = staticmethod(changes.player_change_as_json)

    def get_queryset(self) -> Any:
        pool = pools.find_pool(self.kwargs["code"])
        run = pools.find_run(pool, int(self.kwargs["number"]))
        return changes.run_changes(run, visible_games(self.request))
