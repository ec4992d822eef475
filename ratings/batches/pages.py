"""The batches of a pool, for its officers, who withdraw, restore and move them in time."""

from typing import Any, Final

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


class OfficerPages(NewestFirst):
    """Pages of what officers decide about."""

    page_size = 30


class BatchesPage(PageView):
    """The batches, newest first; `?state=` is one of their states."""

    template = "ratings/batches/batches.html"
    actions = {
        "withdraw": Form(WithdrawBatch, ("batch_id",)),
        "restore": Form(RestoreBatch, ("batch_id",)),
        "backdate": Form(BackdateBatch, ("batch_id",)),
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
            "states": states,
            "state": state,
            "batches": batches_as_json(pool, page),
            **pages.neighbours,
        }
