"""The recommended handicap of two players, and the tables of the values of handicaps."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.http.request import maybe_dry_run, validated, validated_body
from games.http.views import ApiView
from ratings.queries.handicaps import make_catalogue, recommend_handicap
from ratings.queries.pools import find_pool
from ratings.queries.tables import load_table, table_as_json, tables_as_json
from ratings.serializers.handicaps import (
    HandicapParamsSerializer,
    NewTableSerializer,
    RecommendationSerializer,
    TableListSerializer,
    TableSerializer,
)
from ratings.services.tables import add_table
from ratings.systems.handicap import HandicapTable
from ratings.views.lookup import require_pool


class RecommendedHandicap(ApiView):
    problems = {"GET": (404,)}

    @extend_schema(
        operation_id="handicap",
        parameters=[HandicapParamsSerializer],
        responses=RecommendationSerializer,
    )
    def get(self, request: Request) -> Response:
        """Recommend a handicap for two players by their ratings in a pool.

        It is the one whose value is nearest to the difference of the ratings. Stones and the first
        move decide who sits where; points are for the seat of the weaker player.
        """
        params = validated(HandicapParamsSerializer, request.query_params.dict())
        pool, first, second = (params.pop(name) for name in ("pool", "first", "second"))
        found = find_pool(pool)
        catalogue = make_catalogue(found, **params)
        return Response(recommend_handicap(found, first, second, catalogue))


class TableList(ApiView):
    @extend_schema(operation_id="handicap_tables", responses=TableListSerializer)
    def get(self, request: Request) -> Response:
        """Return every version of the values of handicaps, oldest first; a version never changes.

        `v1` has the project's priors, not measurements.
        """
        return Response({"results": tables_as_json()})


class NewTable(ApiView):
    @extend_schema(
        operation_id="add_handicap_table",
        request=NewTableSerializer,
        responses={201: TableSerializer},
    )
    def post(self, request: Request, code: str) -> Response:
        """Add a version of the values of handicaps; for the rating officers of a pool.

        It changes nothing until a person activates it for a pool (`PATCH pools/{code}`), or for an
        event before its start.
        """
        pool, account = require_pool(request, code)
        body = validated_body(NewTableSerializer, request)
        rows = {(row.pop("game"), row.pop("board")): HandicapTable(**row) for row in body["rows"]}
        with maybe_dry_run(request):
            added = add_table(pool, rows, reason=body["reason"], by=account)
            found = table_as_json(added.version, added.reason, load_table(added.version))
        return Response(found, status=201)
