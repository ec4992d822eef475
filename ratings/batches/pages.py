"""The batches of a pool, for its officers, who withdraw, restore and move them in time."""

from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.conf import settings
from rest_framework.request import Request

from games.core.forms import Form
from games.core.pages import PageView
from games.core.pagination import NewestFirst
from games.core.requests import requested_choice
from ratings.batches.queries import batches_as_json, load_batches
from ratings.batches.views import BackdateBatch, RestoreBatch, WithdrawBatch
from ratings.core.pools import require_pool
from ratings.models import Batch

ALL: Final = "all"


def with_zone(form: dict[str, Any], _address: Mapping[str, Any]) -> dict[str, Any]:
    """Return the body that moves a batch to a time that was typed in the time zone of the site."""
    with suppress(ValueError):
        at = datetime.fromisoformat(str(form.get("effective_at", "")))
        if at.tzinfo is None:
            zone = ZoneInfo(settings.SITE_TIME_ZONE)
            return {**form, "effective_at": at.replace(tzinfo=zone).isoformat()}
    return form


class OfficerPages(NewestFirst):
    """Pages of what officers decide about."""

    page_size = 30


class BatchesPage(PageView):
    """The batches, newest first; `?state=` is one of their states."""

    template = "ratings/batches/batches.html"
    actions = {
        "withdraw": Form(WithdrawBatch, ("batch_id",)),
        "restore": Form(RestoreBatch, ("batch_id",)),
        "backdate": Form(BackdateBatch, ("batch_id",), body=with_zone),
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
