"""The recommended handicap of two players."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.http.request import validated
from games.http.views import ApiView
from ratings.queries.handicaps import make_catalogue, recommend_handicap
from ratings.queries.pools import find_pool
from ratings.serializers.handicaps import HandicapParamsSerializer, RecommendationSerializer


class RecommendedHandicap(ApiView):
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
