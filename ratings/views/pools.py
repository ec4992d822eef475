"""Pools and their policy."""

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.permissions import may
from games.core.preconditions import tag_for_writes, unless_changed
from games.core.requests import current_account, maybe_dry_run, require_account, validated_body
from games.core.views import ApiView
from games.http.generics import ValuesListView
from ratings.core.pools import find_pool, pool_as_json
from ratings.core.serializers import NewPoolSerializer, PoolChangeSerializer, PoolSerializer
from ratings.models import Pool
from ratings.pools.services import create_pool, edit_pool
from ratings.views.lookup import pool_target
from ratings.views.requested import require_pool


@extend_schema_view(get=extend_schema(operation_id="pools"))
class PoolList(ValuesListView):
    """List the pools, oldest first."""

    queryset = Pool.objects.none()
    serializer_class = PoolSerializer

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Return one page."""
        queryset = self.filter_queryset(Pool.objects.select_related("current_run"))
        return self.page_response(queryset, pool_as_json)

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
            body = pool_as_json(pool)
        return Response(body, status=201, headers={"Location": f"/api/v1/pools/{pool.code}"})


class PoolView(ApiView):
    has_precondition = True

    @extend_schema(operation_id="pool", responses=PoolSerializer)
    def get(self, request: Request, code: str) -> Response:
        """Return a pool, its policy and its current run."""
        pool = find_pool(code)
        user, token = current_account(request)
        if may(user, token, "pool.edit", stream=pool.stream):
            tag_for_writes(request, pool_target(pool))
        return Response(pool_as_json(pool))

    @extend_schema(
        operation_id="edit_pool",
        request=PoolChangeSerializer,
        responses=PoolSerializer,
    )
    def patch(self, request: Request, code: str) -> Response:
        """Change the policy, the rated games, the least expected score or the table of a pool.

        For its rating officers. Waiting events that the new policy allows are filed at once; what
        is filed stays filed. An event that has started keeps the table that the pool had then.
        """
        pool, account = require_pool(request, code)
        changes = validated_body(PoolChangeSerializer, request)
        with maybe_dry_run(request), unless_changed(request, pool_target(pool), by=account):
            pool = edit_pool(pool, changes, by=account)
        return Response(pool_as_json(pool))
