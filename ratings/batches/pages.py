"""The batches of a pool, for its officers, who withdraw, restore and move them in time."""

from typing import Any, Final

from django.utils.translation import gettext_noop
from rest_framework.request import Request

from games.core.page_actions import PageAction
from games.core.pages import PageView
from games.core.pagination import NewestFirst
from games.core.requests import requested_choice
from ratings.batches.queries import batches_as_json, load_batches
from ratings.batches.views import BatchActionView, BatchDateView
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
        "withdraw": PageAction(
            BatchActionView,
            gettext_noop("The batch is withdrawn; a new run rates the later ones again."),
            options={"action_name": "withdraw"},
            parameters=("batch_id",),
        ),
        "restore": PageAction(
            BatchActionView,
            gettext_noop("The batch is rated again."),
            options={"action_name": "restore"},
            parameters=("batch_id",),
        ),
        "backdate": PageAction(
            BatchDateView,
            gettext_noop("The batch takes effect then; a new run rates the later ones again."),
            parameters=("batch_id",),
        ),
    }

    def context(self, request: Request, code: str = "", **address: Any) -> dict[str, Any]:
        """Return a page of the batches."""
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
