"""The batches of a pool, for its officers, who withdraw, restore and move them in time."""

from collections.abc import Mapping
from typing import Any, Final

from django.conf import settings
from rest_framework.request import Request

from games.core.forms import Form, with_zone
from games.core.pages import PageView
from games.core.pagination import NewestFirst
from games.core.requests import requested_choice
from ratings.batches.queries import batches_as_json, load_batches
from ratings.batches.views import BackdateBatch, CancelBatch, UndoBatch
from ratings.core.pools import require_pool
from ratings.models import Batch

ALL: Final = "all"


def moved_body(content: dict[str, Any], _address: Mapping[str, Any]) -> dict[str, Any]:
    """Return the body that moves a batch to a time that was typed in the time zone of the site."""
    at = with_zone(content.get("effective_at"), settings.SITE_TIME_ZONE)
    return {**content, "effective_at": at}


class OfficerPages(NewestFirst):
    """Pages of what officers decide about."""

    page_size = 30


class BatchesPage(PageView):
    """The batches, newest first; `?state=` is one of their states."""

    template = "ratings/batches/batches.html"
    actions = {
        "cancel": Form(CancelBatch, ("batch_id",)),
        "undo": Form(UndoBatch, ("batch_id",)),
        "backdate": Form(BackdateBatch, ("batch_id",), body=moved_body),
    }

    def context(self, request: Request, code: str = "", **address: Any) -> dict[str, Any]:
        pool, _ = require_pool(request, code)
        states = (ALL, *Batch.State.values)
        state = requested_choice(request, "state", states)
        batches = load_batches(pool)
        if state != ALL:
            batches = batches.filter(state=state)
        pages = OfficerPages()
        page = pages.paginate_queryset(batches, request)
        return {
            "pool": pool,
            "zone": settings.SITE_TIME_ZONE,
            "states": states,
            "state": state,
            "batches": batches_as_json(pool, page),
            **pages.neighbours,
        }
