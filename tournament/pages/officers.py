"""The page of a pool's rating officers: approvals, lists, analyses, settings, officers."""

from typing import Any

from django.utils.translation import gettext_noop
from rest_framework.request import Request

from games.core.page_actions import PageAction
from games.core.pages import PageView
from games.core.preconditions import Target
from ratings.analyses.views import AnalysisList
from ratings.batches.decisions import load_officers
from ratings.core.serializers import PoolChangeSerializer
from ratings.pages.pool_form import pool_body, pool_fields
from ratings.pools.views import OfficerList, OfficerView
from ratings.queries.published_lists import load_lists
from ratings.views.lookup import pool_target
from ratings.views.pools import PoolView
from ratings.views.published_lists import PublishedLists
from ratings.views.requested import require_pool
from tournament.events.officers import OFFICER_LISTS, OfficerListPage, first_rows

MOST_REQUESTS = 30
"""The newest rows of each list that the page shows."""

POOL_SETTING_FIELDS = ("policy", "rated_games", "least_expected", "handicap_table", "time_classes")


class OfficersPage(PageView):
    template = "tournament/officers.html"
    actions = {
        **OfficerListPage.actions,
        "publish": PageAction(PublishedLists, gettext_noop("The list of today is published.")),
        "analyse": PageAction(AnalysisList, gettext_noop("The analysis is requested.")),
        "edit": PageAction(
            PoolView,
            gettext_noop("The pool is changed."),
            method="patch",
            body=pool_body,
            serializer=PoolChangeSerializer,
        ),
        "add-officer": PageAction(OfficerList, gettext_noop("The officer is appointed.")),
        "remove-officer": PageAction(
            OfficerView,
            gettext_noop("The officer is removed."),
            method="delete",
            parameters=("account_id",),
        ),
    }

    def context(self, request: Request, code: str = "", **address: Any) -> dict[str, Any]:
        """Return what waits for the officers, and what they have decided."""
        pool, account = require_pool(request, code)
        values = {name: getattr(pool, name) for name in POOL_SETTING_FIELDS}
        target: Target = pool_target(pool)
        fields = pool_fields(
            PoolChangeSerializer(),
            POOL_SETTING_FIELDS,
            values=values,
            state=self.form,
            action="edit",
        )
        return {
            "pool": pool,
            **{kind: first_rows(pool, kind, MOST_REQUESTS) for kind in OFFICER_LISTS},
            "most": MOST_REQUESTS,
            "published": load_lists(pool).order_by("-published_on").first(),
            "officers": load_officers(pool),
            "is_staff": account.is_staff,
            "if_match": f'"{target.current_tag(locked=False)}"',
            "fields": fields,
        }
