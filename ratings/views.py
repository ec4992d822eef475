"""Pools, rating lists and changes over HTTP."""

from typing import Any

import django_filters
from django.db.models import QuerySet
from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.http.errors import Unprocessable
from games.http.generics import ValuesListView
from games.http.pagination import CursorPages
from games.http.request import (
    get_visible_game,
    is_flag_set,
    maybe_dry_run,
    require_account,
    validated_body,
    visible_games,
)
from ratings.models import Change, Pool, Rating, Run
from ratings.queries import changes, lists, pools
from ratings.serializers import (
    ChangeSerializer,
    GameRatingSerializer,
    NewPoolSerializer,
    PoolRatingSerializer,
    PoolSerializer,
    RatingSerializer,
    RunSerializer,
)
from ratings.services.pools import create_pool

BOOLEANS = {"": False, "0": False, "false": False, "1": True, "true": True}


class NewestFirst(CursorPages):
    ordering = ("-id",)


class BestFirst(CursorPages):
    ordering = ("-rating", "player_id")


@extend_schema_view(get=extend_schema(operation_id="pools"))
class PoolList(ValuesListView):
    """List the pools, oldest first."""

    queryset = Pool.objects.none()
    serializer_class = PoolSerializer

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Return one page."""
        queryset = self.filter_queryset(Pool.objects.select_related("current_run"))
        page = self.paginate_queryset(queryset) or []
        return self.get_paginated_response([pools.pool_as_json(pool) for pool in page])

    @extend_schema(
        operation_id="create_pool", request=NewPoolSerializer, responses={201: PoolSerializer}
    )
    def post(self, request: Request) -> Response:
        """Create a pool; for staff, and for the rating officers of this code."""
        code = str(request.data.get("code", "")) if isinstance(request.data, dict) else ""
        account = require_account(request, "pool.edit", stream=f"pool/{code}")
        fields = validated_body(NewPoolSerializer, request)
        with maybe_dry_run(request):
            pool = create_pool(**fields, by=account)
            body = pools.pool_as_json(pool)
        return Response(body, status=201, headers={"Location": f"/api/v1/pools/{pool.code}"})


class PoolView(APIView):
    @extend_schema(operation_id="pool", responses=PoolSerializer)
    def get(self, request: Request, code: str) -> Response:
        """Return a pool and its current run."""
        return Response(pools.pool_as_json(pools.find_pool(code)))


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


class RatingFilter(django_filters.FilterSet):
    """The filters of a rating list, for its description; `_rating_list` reads them."""

    provisional = django_filters.BooleanFilter(
        method="unfiltered", label="include players with fewer than ten games"
    )
    inactive = django_filters.BooleanFilter(
        method="unfiltered", label="include players without a game for twelve months"
    )

    class Meta:
        model = Rating
        fields: list[str] = []

    def unfiltered(self, ratings: Any, _name: str, _value: Any) -> Any:
        """Return the ratings unchanged."""
        return ratings


def _rating_list(request: Request, code: str) -> "QuerySet[Rating]":
    """Return the requested rating list; raises NotFound, or Unprocessable for a bad filter."""
    included = {}
    for name in ("provisional", "inactive"):
        value = request.query_params.get(name, "").lower()
        if value not in BOOLEANS:
            detail = f"{name} is {value[:40]!r}; expected true or false"
            raise Unprocessable("invalid_filter", detail)
        included[name] = BOOLEANS[value]
    return lists.rating_list(pools.find_pool(code), **included)


@extend_schema_view(get=extend_schema(operation_id="pool_ratings"))
class RatingList(ValuesListView):
    """List the ratings of a pool, best first, without provisional and inactive players."""

    queryset = Rating.objects.none()
    serializer_class = RatingSerializer
    filterset_class = RatingFilter
    pagination_class = BestFirst

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Return one page, with each player's rank in the whole list."""
        ratings = self.filter_queryset(_rating_list(request, kwargs["code"]))
        page = self.paginate_queryset(ratings.values(*lists.RATING_FIELDS)) or []
        return self.get_paginated_response(lists.ranked_as_json(page, ratings))


class RatingListFile(APIView):
    @extend_schema(
        operation_id="pool_ratings_csv",
        parameters=[OpenApiParameter("bom", bool, description="CSV: begin with a byte order mark")],
        responses={(200, "text/csv"): OpenApiTypes.STR},
    )
    def get(self, request: Request, code: str) -> HttpResponse:
        """Return the whole rating list as CSV: `rank,id,name,country,rating,games`.

        An apostrophe precedes a name that a spreadsheet would run as a formula.
        """
        content = lists.list_as_csv(
            _rating_list(request, code), byte_order_mark=is_flag_set(request, "bom")
        )
        response = HttpResponse(content, content_type="text/csv; charset=utf-8")
        response["Content-Disposition"] = f'attachment; filename="{code}.csv"'
        return response


class ChangeFilter(django_filters.FilterSet):
    pool = django_filters.CharFilter(field_name="pool__code", label="the code of a pool")

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
    pagination_class = NewestFirst
    fields = changes.CHANGE_FIELDS
    row_as_json = staticmethod(changes.change_as_json)

    def get_queryset(self) -> Any:
        player = changes.find_rated_player(int(self.kwargs["player_id"]))
        return changes.player_changes(player, visible_games(self.request))


class PlayerRatings(APIView):
    @extend_schema(operation_id="player_standings", responses=PoolRatingSerializer(many=True))
    def get(self, request: Request, player_id: int) -> Response:
        """Return a player's rating in each pool, provisional or not."""
        player = changes.find_rated_player(int(player_id))
        return Response(lists.player_ratings_as_json(player))


class GameRatings(APIView):
    @extend_schema(operation_id="game_ratings", responses=GameRatingSerializer(many=True))
    def get(self, request: Request, game_id: int) -> Response:
        """Return the state of a game in each pool: `pending`, `rated`, or `excluded` and why."""
        return Response(changes.game_ratings_as_json(get_visible_game(request, game_id)))
