"""The rating list of a pool, and the ratings of one player."""

from typing import Any

import django_filters
from django.db.models import QuerySet
from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response

from games.http.errors import Unprocessable
from games.http.generics import ValuesListView
from games.http.pagination import CursorPages
from games.http.request import is_flag_set
from games.http.views import ApiView
from ratings.models import Rating
from ratings.queries import changes, lists, pools
from ratings.serializers.ratings import PoolRatingSerializer, RatingSerializer

BOOLEANS = {"": False, "0": False, "false": False, "1": True, "true": True}


class BestFirst(CursorPages):
    ordering = ("-rating", "player_id")


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


class RatingListFile(ApiView):
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


class PlayerRatings(ApiView):
    @extend_schema(operation_id="player_standings", responses=PoolRatingSerializer(many=True))
    def get(self, request: Request, player_id: int) -> Response:
        """Return a player's rating in each pool, provisional or not."""
        player = changes.find_rated_player(int(player_id))
        return Response(lists.player_ratings_as_json(player))
