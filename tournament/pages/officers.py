"""The page of a pool's rating officers: approvals, lists, analyses, settings, officers."""

from typing import Any

from django.utils.translation import gettext_noop
from rest_framework.request import Request

from games.http.preconditions import Target
from games.pages.actions import PageAction
from games.pages.views import PageView
from games.time_controls import TimeClass
from ratings.pages.pool_form import errors_in, games_text, pool_body, pool_fields
from ratings.queries.analyses import pool_analyses, summary_as_json
from ratings.queries.decisions import decision_as_json, load_officers, load_organisers
from ratings.queries.published_lists import load_lists
from ratings.serializers.pools import PoolChangeSerializer
from ratings.views.analyses import AnalysisList
from ratings.views.lookup import pool_target, require_pool
from ratings.views.officers import OfficerList, OfficerView, OrganiserActionView
from ratings.views.pools import PoolView
from ratings.views.published_lists import PublishedLists
from tournament import queries
from tournament.views.rating import PoolEventActionView

MOST = 30
"""Events and analyses that the page shows, the newest first."""

FIELDS = ("policy", "rated_games", "least_expected", "handicap_table")


class OfficersPage(PageView):
    template = "tournament/officers.html"
    actions = {
        "approve": PageAction(
            PoolEventActionView,
            gettext_noop("The event is approved."),
            options={"action_name": "approve"},
            words=("slug",),
        ),
        "refuse": PageAction(
            PoolEventActionView,
            gettext_noop("The event is refused."),
            options={"action_name": "refuse"},
            words=("slug",),
        ),
        "approve-organiser": PageAction(
            OrganiserActionView,
            gettext_noop("The organiser is approved."),
            options={"action_name": "approve"},
            parameters=("account_id",),
        ),
        "refuse-organiser": PageAction(
            OrganiserActionView,
            gettext_noop("The organiser is refused."),
            options={"action_name": "refuse"},
            parameters=("account_id",),
        ),
        "publish": PageAction(PublishedLists, gettext_noop("The list of today is published.")),
        "analyse": PageAction(AnalysisList, gettext_noop("The analysis is requested.")),
        "edit": PageAction(
            PoolView, gettext_noop("The pool is changed."), method="patch", body=pool_body
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
        events = queries.requesting_tournaments(pool).order_by("-id")[:MOST]
        analyses = pool_analyses(pool).defer("result").order_by("-id")[:MOST]
        values = {name: getattr(pool, name) for name in FIELDS}
        values["rated_games"] = games_text(pool.rated_games)
        target: Target = pool_target(pool)
        fields = pool_fields(
            PoolChangeSerializer(), FIELDS, values=values, state=self.form, action="edit"
        )
        return {
            "pool": pool,
            "events": queries.requests_as_json(pool, list(events)),
            "organisers": [decision_as_json(row) for row in load_organisers(pool)[:MOST]],
            "analyses": [summary_as_json(pool, row) for row in analyses],
            "published": load_lists(pool).order_by("-published_on").first(),
            "officers": load_officers(pool),
            "is_staff": account.is_staff,
            "if_match": f'"{target.current_tag(locked=False)}"',
            "time_classes": self.form.typed.get("time_classes[]", ())
            if self.form.action == "edit"
            else pool.time_classes,
            "all_time_classes": [*TimeClass],
            "time_class_errors": errors_in(self.form, "time_classes"),
            "fields": fields,
        }
