"""The batches of a pool, and what its officers do with them."""

from collections.abc import Callable
from typing import Any

import django_filters
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer

from games.core.errors import NotFound
from games.core.pagination import NewestFirst
from games.core.requests import maybe_dry_run, validated_body
from games.core.views import ApiView, ValuesListView
from games.rules.text import Text
from ratings.batches.queries import batches_as_json, load_batches
from ratings.batches.services import backdate_batch, restore_batch, withdraw_batch
from ratings.core.pools import require_pool
from ratings.core.serializers import BackdateSerializer, BatchSerializer, ReasonSerializer
from ratings.models import Batch

BATCH_ACTIONS = {"withdraw": withdraw_batch, "restore": restore_batch}
"""The services by the name of the action in the API."""


class BatchFilter(django_filters.FilterSet):
    class Meta:
        model = Batch
        fields = ["state", "kind"]


@extend_schema_view(get=extend_schema(operation_id="pool_batches"))
class BatchList(ValuesListView):
    """List the batches of a pool, newest first, with what excludes their games; for officers."""

    queryset = Batch.objects.none()
    serializer_class = BatchSerializer
    is_public = False
    filterset_class = BatchFilter
    pagination_class = NewestFirst

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Return one page."""
        pool, _ = require_pool(request, kwargs["code"])
        page = self.paginate_queryset(self.filter_queryset(load_batches(pool))) or []
        return self.get_paginated_response(batches_as_json(pool, page))


def change_batch(
    request: Request,
    code: str,
    batch_id: str,
    serializer_class: type[Serializer],
    service: Callable[..., Batch],
) -> Response:
    """Call the service that changes a batch, for an officer, and respond with the batch."""
    pool, account = require_pool(request, code)
    content = validated_body(serializer_class, request)
    batch = load_batches(pool).filter(pk=int(batch_id)).first()
    if batch is None:
        raise NotFound(
            "not_found",
            Text("there is no batch %(number)s in %(pool)s", number=batch_id, pool=pool.code),
        )
    with maybe_dry_run(request):
        service(batch, **content, by=account)
        (body,) = batches_as_json(pool, load_batches(pool).filter(pk=batch.pk))
    return Response(body)


class BatchActionView(ApiView):
    action_name = ""

    @extend_schema(request=ReasonSerializer, responses=BatchSerializer)
    def post(self, request: Request, code: str, batch_id: str) -> Response:
        """Exclude all games of a filed batch, or revert that; for the officers of the pool.

        A new run rates the later batches again.
        """
        return change_batch(
            request, code, batch_id, ReasonSerializer, BATCH_ACTIONS[self.action_name]
        )


class BatchDateView(ApiView):
    @extend_schema(
        operation_id="backdate_batch",
        request=BackdateSerializer,
        responses=BatchSerializer,
    )
    def post(self, request: Request, code: str, batch_id: str) -> Response:
        """Set when a batch takes effect, without the limit for organisers; for officers.

        A new run rates all batches from the earlier one of its two places again.
        """
        return change_batch(request, code, batch_id, BackdateSerializer, backdate_batch)
