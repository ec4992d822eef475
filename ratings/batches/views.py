"""The batches of a pool, and what its officers do with them."""

from collections.abc import Callable
from typing import Any

import django_filters
from django.utils.translation import gettext_noop
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.actions import Call
from games.core.errors import require_found
from games.core.pagination import NewestFirst
from games.core.permissions import current_account, may
from games.core.types import described
from games.core.views import ValuesListView
from games.play.queries import visible_games
from games.rules.text import Text
from ratings.batches.queries import RatingBatch, batches_as_json, load_batches, with_visible_games
from ratings.batches.serializers import BackdateSerializer
from ratings.batches.services import backdate_batch, restore_batch, withdraw_batch
from ratings.core.pools import ActionInPool, find_pool
from ratings.core.serializers import ReasonSerializer
from ratings.models import Batch, Pool


class BatchFilter(django_filters.FilterSet):
    class Meta:
        model = Batch
        fields = ["state", "kind"]


class BatchList(ValuesListView):
    """List the batches of a pool, newest first, with what excludes their games.

    A batch is a tournament or a casual game; one that waits or is refused has no place in the order
    of the pool. `excluded` counts games by the code of the reason. Batches without a game that the
    caller may see are left out, and `organiser` is for the officers of the pool, who see all.
    """

    queryset = Batch.objects.none()
    serializer_class = described(RatingBatch)
    filterset_class = BatchFilter
    pagination_class = NewestFirst

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        pool = find_pool(kwargs["code"])
        is_officer = may(*current_account(request), "pool.edit", stream=pool.stream)
        batches = load_batches(pool)
        if not is_officer:
            batches = with_visible_games(batches, visible_games(request))
        page = self.paginate_queryset(self.filter_queryset(batches)) or []
        results = batches_as_json(pool, page)
        if not is_officer:
            for batch in results:
                del batch["organiser"]
        return self.get_paginated_response(results)


class BatchAction(ActionInPool):
    """A change of a batch by an officer, which `service` does with the members of the body."""

    body = ReasonSerializer
    service: Callable[..., Batch]

    def prepare(self, call: Call, found: Pool) -> Batch:
        number = call.address["batch_id"]
        missing = Text("there is no batch %(number)s in %(pool)s", number=number, pool=found.code)
        return require_found(load_batches(found).filter(pk=number).first(), missing)

    def perform(self, call: Call, prepared: Batch) -> RatingBatch:
        self.service(prepared, **call.body, by=call.account)
        pool = prepared.pool
        (content,) = batches_as_json(pool, load_batches(pool).filter(pk=prepared.pk))
        return content


class CancelBatch(BatchAction):
    """Exclude all games of a filed batch; for the officers of the pool.

    A new run rates the later batches again.
    """

    service = staticmethod(withdraw_batch)
    done = gettext_noop("The batch is withdrawn; a new run rates the later ones again.")
    example = {"reason": "the results were of a training"}


class UndoBatch(BatchAction):
    """Undo that a batch was cancelled: its games are rated again; for the officers of the pool.

    A new run rates the later batches again.
    """

    service = staticmethod(restore_batch)
    done = gettext_noop("The batch is rated again.")
    example = {"reason": "the results were right"}


class BackdateBatch(BatchAction):
    """Set when a batch takes effect, without the limit for organisers; for officers.

    A new run rates all batches from the earlier one of its two places again.
    """

    body = BackdateSerializer
    example = {"effective_at": "2026-05-03T18:00:00Z", "reason": "the event ended in May"}
    service = staticmethod(backdate_batch)
    done = gettext_noop("The batch takes effect then; a new run rates the later ones again.")
