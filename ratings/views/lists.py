"""The rating list of a pool, and the ratings of one player."""

from typing import Any

import django_filters
from django.http import HttpResponse
from drf_spectacular.utils import extend_schema, extend_schema_view
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
from ratings.views.files import BYTE_ORDER_MARK, LIST_FILE, file_response

BOOLEANS = {"": False, "0": False, "false": False, "1": True, "true": True}


class RatingPages(CursorPages):
    """Pages of a rating list, best first, with the rules of the list."""

    ordering = ("-rating", "player_id")

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Return the OpenAPI schema of a page."""
        page = super().get_paginated_response_schema(schema)
        names = list(lists.RULES)
        rules = {
            "type": "object",
            "description": "who is on the list, and what rank and interval mean, in words",
            "required": names,
            "properties": {name: {"type": "string"} for name in names},
        }
        properties = {**page["properties"], "rules": rules}
        return {**page, "required": [*page["required"], "rules"], "properties": properties}

    def get_paginated_response(self, data: Any) -> Response:
        """Return a page with `rules`."""
        response = super().get_paginated_response(data)
        response.data["rules"] = lists.RULES
        return response


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


def _requested_players(request: Request) -> dict[str, bool]:
    """Return whom the request includes in the list; raises Unprocessable for a bad filter."""
    included = {}
    for name in ("provisional", "inactive"):
        value = request.query_params.get(name, "").lower()
        if value not in BOOLEANS:
            detail = f"{name} is {value[:40]!r}; expected true or false"
            raise Unprocessable("invalid_filter", detail)
        included[name] = BOOLEANS[value]
    return included


@extend_schema_view(get=extend_schema(operation_id="pool_ratings"))
class RatingList(ValuesListView):
    """List the ratings of a pool, best first, without provisional and inactive players."""

    queryset = Rating.objects.none()
    serializer_class = RatingSerializer
    filterset_class = RatingFilter
    pagination_class = RatingPages

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Return one page, with each player's rank in the whole list."""
        pool = pools.find_pool(kwargs["code"])
        terms = lists.current_terms(pool)
        listed = lists.rating_list(pool, now=terms.as_of, **_requested_players(request))
        ratings = self.filter_queryset(listed)
        page = self.paginate_queryset(ratings.values(*lists.RATING_FIELDS)) or []
        return self.get_paginated_response(lists.page_as_json(page, ratings, terms))


class RatingListFile(ApiView):
    form = "csv"

    @extend_schema(parameters=[BYTE_ORDER_MARK], responses=LIST_FILE)
    def get(self, request: Request, code: str) -> HttpResponse:
        """Return the whole rating list as a file with a row for each player.

        CSV columns: `rank,id,name,country,rating,low,high,games`, where `low` and `high` are the
        interval; an apostrophe precedes a name that a spreadsheet would run as a formula.
        """
        pool = pools.find_pool(code)
        terms = lists.current_terms(pool)
        ratings = lists.rating_list(pool, now=terms.as_of, **_requested_players(request))
        return list_file(request, ratings, terms, code, self.form)


def list_file(
    request: Request, ratings: lists.Listed, terms: lists.ListTerms, stem: str, form: str
) -> HttpResponse:
    """Return a whole list as a file, `csv` or `ndjson`."""
    if form == "csv":
        mark = is_flag_set(request, "bom")
        content = lists.list_as_csv(ratings, terms, byte_order_mark=mark)
    else:
        content = lists.list_as_ndjson(ratings, terms)
    return file_response(content, stem, form)


class PlayerRatings(ApiView):
    @extend_schema(operation_id="player_standings", responses=PoolRatingSerializer(many=True))
    def get(self, request: Request, player_id: int) -> Response:
        """Return a player's rating in each pool, provisional or not."""
        player = changes.find_rated_player(int(player_id))
        return Response(lists.player_ratings_as_json(player))
