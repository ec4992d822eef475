"""Pools, rating lists and histories over HTTP."""

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
from games.http.pagination import Pages
from games.http.request import (
    game_seen_by,
    is_flag_set,
    maybe_dry_run,
    require_account,
    validated_body,
)
from games.http.rows import Rows
from ratings import queries, services
from ratings.models import Change, Pool, Rating, Run
from ratings.pagination import RatingPages
from ratings.serializers import (
    ChangeSerializer,
    GameRatingSerializer,
    PoolRequest,
    PoolSerializer,
    PoolStanding,
    RatingSerializer,
    RunSerializer,
)


class NewestFirst(Pages):
    ordering = "-id"


@extend_schema_view(get=extend_schema(operation_id="pools"))
class PoolList(Rows):
    """Pools by age."""

    queryset = Pool.objects.none()
    serializer_class = PoolSerializer

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """One page."""
        pools = self.filter_queryset(Pool.objects.select_related("current_run"))
        page = self.paginate_queryset(pools)
        return self.get_paginated_response([queries.pool_as_dict(pool) for pool in page or []])

    @extend_schema(operation_id="create_pool", request=PoolRequest, responses={201: PoolSerializer})
    def post(self, request: Request) -> Response:
        """Make a pool; for the site's staff."""
        code = str(request.data.get("code", "")) if isinstance(request.data, dict) else ""
        account = require_account(request, "pool.edit", stream=f"pool/{code}")
        wanted = validated_body(PoolRequest, request)
        with maybe_dry_run(request):
            pool = services.create_pool(**wanted, by=account)
            body = queries.pool_as_dict(pool)
        return Response(body, status=201, headers={"Location": f"/api/v1/pools/{pool.code}"})


class PoolView(APIView):
    @extend_schema(operation_id="pool", responses=PoolSerializer)
    def get(self, request: Request, code: str) -> Response:
        """One pool, and the run that is current."""
        return Response(queries.pool_as_dict(queries.find_pool(code)))


class RatingFilter(django_filters.FilterSet):
    provisional = django_filters.BooleanFilter(
        method="as_asked", label="also players with fewer than ten games"
    )
    inactive = django_filters.BooleanFilter(
        method="as_asked", label="also players without a game for twelve months"
    )

    class Meta:
        model = Rating
        fields: list[str] = []

    def as_asked(self, ratings: Any, _name: str, _value: Any) -> Any:
        """Leave the rows as they are: the list itself is made as asked."""
        return ratings


WORDS = {"": False, "0": False, "false": False, "1": True, "true": True}


def _asked(request: Request, name: str) -> bool:
    word = request.query_params.get(name, "").lower()
    if word not in WORDS:
        raise Unprocessable("invalid_filter", f"{name} is {word[:40]!r}; right is true or false")
    return WORDS[word]


def _listed(request: Request, code: str) -> "QuerySet[Rating]":
    """The rating list of that pool with whom the address asks for; raises NotThere."""
    return queries.listed(
        queries.find_pool(code),
        provisional=_asked(request, "provisional"),
        inactive=_asked(request, "inactive"),
    )


@extend_schema_view(get=extend_schema(operation_id="pool_ratings"))
class RatingList(Rows):
    """The rating list of a pool, best first, provisional and inactive players left out."""

    queryset = Rating.objects.none()
    serializer_class = RatingSerializer
    filterset_class = RatingFilter
    pagination_class = RatingPages
    fields = queries.RATING_FIELDS

    def get_queryset(self) -> Any:
        return _listed(self.request, self.kwargs["code"])

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """One page, with each player's rank in the whole list."""
        everybody = self.filter_queryset(self.get_queryset())
        page = self.paginate_queryset(everybody.values(*self.fields)) or []
        return self.get_paginated_response(queries.ranked(page, everybody))


class RatingListFile(APIView):
    @extend_schema(
        operation_id="pool_ratings_csv",
        parameters=[OpenApiParameter("bom", bool, description="CSV: begin with a byte order mark")],
        responses={(200, "text/csv"): OpenApiTypes.STR},
    )
    def get(self, request: Request, code: str) -> HttpResponse:
        """The whole rating list as CSV: `rank,id,name,country,rating,games`.

        An apostrophe disarms a name that a spreadsheet would run.
        """
        mark = is_flag_set(request, "bom")
        content = queries.list_csv(_listed(request, code), byte_order_mark=mark)
        answer = HttpResponse(content, content_type="text/csv; charset=utf-8")
        answer["Content-Disposition"] = f'attachment; filename="{code}.csv"'
        return answer


@extend_schema_view(get=extend_schema(operation_id="pool_runs"))
class RunList(Rows):
    """The runs of a pool, newest first."""

    queryset = Run.objects.none()
    serializer_class = RunSerializer
    pagination_class = NewestFirst
    fields = queries.RUN_FIELDS

    def get_queryset(self) -> Any:
        return queries.find_pool(self.kwargs["code"]).runs.all()

    def shown(self, row: dict[str, Any]) -> dict[str, Any]:
        return queries.run_as_dict(row)


class HistoryFilter(django_filters.FilterSet):
    pool = django_filters.CharFilter(field_name="pool__code", label="a pool's code")

    class Meta:
        model = Change
        fields: list[str] = []


@extend_schema_view(get=extend_schema(operation_id="player_history"))
class PlayerHistory(Rows):
    """What every rated game did to a player, newest first, each change explained."""

    queryset = Change.objects.none()
    serializer_class = ChangeSerializer
    filterset_class = HistoryFilter
    pagination_class = NewestFirst
    fields = queries.CHANGE_FIELDS

    def get_queryset(self) -> Any:
        return queries.history(queries.rated_player(int(self.kwargs["player_id"])))

    def shown(self, row: dict[str, Any]) -> dict[str, Any]:
        return queries.change_as_dict(row)


class PlayerStandings(APIView):
    @extend_schema(operation_id="player_standings", responses=PoolStanding(many=True))
    def get(self, request: Request, player_id: int) -> Response:
        """Where a player stands in each pool, provisional or not."""
        return Response(queries.player_standings(queries.rated_player(int(player_id))))


class GameRatings(APIView):
    @extend_schema(operation_id="game_ratings", responses=GameRatingSerializer(many=True))
    def get(self, request: Request, game_id: int) -> Response:
        """What became of a game in each pool: `pending`, `rated`, or `excluded` with its code."""
        return Response(queries.game_ratings(game_seen_by(request, game_id)))
