"""The pages of a pool's rating officers: approvals, lists, analyses, settings, officers."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from rest_framework.request import Request

from games.core.errors import Unprocessable
from games.core.forms import Form, FormState, form_fields
from games.core.pages import PageView
from games.models import Account
from games.rules.text import Text
from ratings.analyses.queries import pool_analyses, summary_as_json
from ratings.analyses.views import RequestAnalysis
from ratings.batches.decisions import decision_as_json, load_officers, load_organisers
from ratings.batches.groups import find_closed_groups
from ratings.batches.pages import OfficerPages
from ratings.core.pools import require_pool
from ratings.lists.queries import load_lists
from ratings.lists.views import PublishList
from ratings.models import Pool
from ratings.pools.pages import rated_games_body, rated_games_field
from ratings.pools.serializers import PoolChangeSerializer
from ratings.pools.views import (
    AddOfficer,
    ApproveOrganiser,
    EditPool,
    RefuseOrganiser,
    RemoveOfficer,
    pool_target,
)
from tournament.core.pages import quoted_tag
from tournament.events.rating import requesting_tournaments, requests_as_json
from tournament.events.views import ApproveEvent, RefuseEvent

OFFICER_LISTS: Final[
    Mapping[str, tuple[Callable[..., Any], Callable[..., Sequence[Mapping[str, Any]]]]]
] = {
    "events": (requesting_tournaments, requests_as_json),
    "organisers": (load_organisers, lambda _, rows: [decision_as_json(row) for row in rows]),
    "analyses": (
        lambda pool: pool_analyses(pool).defer("result"),
        lambda pool, rows: [summary_as_json(pool, row) for row in rows],
    ),
}
"""How the rows of each list of a pool are read, and how a page of them is shown."""


def first_rows(pool: Pool, kind: str) -> Sequence[Mapping[str, Any]]:
    """Return the newest rows of a list."""
    load, as_json = OFFICER_LISTS[kind]
    return as_json(pool, list(load(pool).order_by("-id")[:MOST_ROWS]))


class OfficerListPage(PageView):
    """One of the lists, newest first, page by page."""

    template = "tournament/events/officer_list.html"
    actions = {
        "approve": Form(ApproveEvent, words=("slug",)),
        "refuse": Form(RefuseEvent, words=("slug",)),
        "approve-organiser": Form(ApproveOrganiser, ("account_id",)),
        "refuse-organiser": Form(RefuseOrganiser, ("account_id",)),
    }

    def context(
        self, request: Request, code: str = "", kind: str = "", **address: Any
    ) -> dict[str, Any]:
        """Return a page of the list."""
        pool, _ = require_pool(request, code)
        load, as_json = OFFICER_LISTS[kind]
        pages = OfficerPages()
        rows = as_json(pool, pages.paginate_queryset(load(pool), request))
        return {"pool": pool, "kind": kind, kind: rows, **pages.neighbours}


MOST_ROWS = 30
"""The newest rows of each list that the page shows."""

SETTINGS = ("policy", "rated_rulesets", "least_expected", "handicap_table", "time_classes")


def officer_body(content: dict[str, Any], _address: Mapping[str, Any]) -> dict[str, Any]:
    """Return the body with the account that has an email address; raises Unprocessable."""
    email = str(content.get("account", "")).strip()
    if email.isascii() and email.isdigit():
        return content
    account = Account.objects.filter(email__iexact=email).first() if email else None
    if account is None:
        raise Unprocessable(
            "unknown_account",
            Text("no account has the address %(email)s", email=email[:80]),
            at="/account",
        )
    return {"account_id": account.pk}


class OfficersPage(PageView):
    template = "tournament/events/officers.html"
    actions = {
        **OfficerListPage.actions,
        "publish": Form(PublishList),
        "analyse": Form(RequestAnalysis),
        "edit": Form(EditPool, body=rated_games_body, is_typed=True),
        "add-officer": Form(AddOfficer, body=officer_body),
        "remove-officer": Form(RemoveOfficer, ("account_id",)),
    }

    def context(self, request: Request, code: str = "", **address: Any) -> dict[str, Any]:
        """Return what waits for the officers, and what they have decided."""
        pool, account = require_pool(request, code)
        settings = PoolChangeSerializer()
        values = {name: getattr(pool, settings.fields[name].source or name) for name in SETTINGS}
        fields = form_fields(settings, SETTINGS, values=values, state=self.form, action="edit")
        state = self.form if self.form.action == "edit" else FormState()
        fields["rated_rulesets"] = rated_games_field(
            fields["rated_rulesets"], pool.rated_games, state
        )
        return {
            "pool": pool,
            **{kind: first_rows(pool, kind) for kind in OFFICER_LISTS},
            "most": MOST_ROWS,
            "groups": find_closed_groups(pool),
            "published": load_lists(pool).order_by("-published_on").first(),
            "officers": load_officers(pool),
            "is_staff": account.acts_as_staff,
            "if_match": quoted_tag(pool_target(pool)),
            "fields": fields,
        }
