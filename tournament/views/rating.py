"""The events that request their rating in a pool, and the decisions of its officers."""

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.errors import NotFound
from games.core.pagination import NewestFirst
from games.core.requests import maybe_dry_run, validated_body
from games.core.views import ApiView
from games.http.generics import ValuesListView
from games.rules.text import Text
from ratings.core.serializers import DecisionSerializer
from ratings.pools.views import DECISIONS
from ratings.services.decisions import decide_event
from ratings.views.requested import require_pool
from tournament import queries
from tournament.models import Tournament
from tournament.serializers.tournaments import RatingRequestSerializer


@extend_schema_view(get=extend_schema(operation_id="pool_events"))
class PoolEventList(ValuesListView):
    """List the events that request their rating in the pool, newest first; for its officers."""

    queryset = Tournament.objects.none()
    serializer_class = RatingRequestSerializer
    is_public = False
    filterset_fields = ["state"]
    pagination_class = NewestFirst

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Return one page."""
        pool, _ = require_pool(request, kwargs["code"])
        tournaments = self.filter_queryset(queries.requesting_tournaments(pool))
        page = self.paginate_queryset(tournaments) or []
        return self.get_paginated_response(queries.requests_as_json(pool, page))


class PoolEventActionView(ApiView):
    action_name = ""

    @extend_schema(request=DecisionSerializer, responses=RatingRequestSerializer)
    def post(self, request: Request, code: str, slug: str) -> Response:
        """Approve or refuse the rating of an event, final or not; for the officers of the pool.

        The games of a final event that is approved are filed at once. What is filed cannot be
        refused (`batch_filed`); withdraw its batch instead.
        """
        pool, account = require_pool(request, code)
        content = validated_body(DecisionSerializer, request)
        tournament = queries.requesting_tournaments(pool).filter(slug=slug).first()
        if tournament is None:
            detail = Text(
                "no event %(name)s requests its rating in %(pool)s",
                name=f"{slug[:80]!r}",
                pool=pool.code,
            )
            raise NotFound("not_found", detail)
        with maybe_dry_run(request):
            approved = DECISIONS[self.action_name]
            decide_event(pool, tournament.stream, approved=approved, **content, by=account)
            (body,) = queries.requests_as_json(pool, [tournament])
        return Response(body)
