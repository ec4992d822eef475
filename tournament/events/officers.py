"""What a pool's rating officers decide of events, and their pages: approvals, lists, settings."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from django.utils.translation import gettext_noop
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.actions import Call
from games.core.errors import Unprocessable, require_found
from games.core.forms import Form, FormState, form_fields
from games.core.pages import PageView
from games.core.pagination import NewestFirst
from games.core.types import described
from games.core.views import ValuesListView
from games.models import Account
from games.rules.text import Text
from ratings.analyses.queries import pool_analyses, summary_as_json
from ratings.analyses.views import RequestAnalysis
from ratings.batches.decisions import decision_as_json, load_officers, load_organisers
from ratings.batches.groups import find_closed_groups
from ratings.batches.pages import OfficerPages
from ratings.core.pools import ActionInPool, require_pool
from ratings.core.serializers import DecisionSerializer
from ratings.lists.queries import load_lists
from ratings.lists.views import PublishList
from ratings.models import Pool
from ratings.pools.pages import rated_games_body, rated_games_field
from ratings.pools.serializers import PoolChangeSerializer
from ratings.pools.services import decide_event
from ratings.pools.views import (
    AddOfficer,
    ApproveOrganiser,
    EditPool,
    RefuseOrganiser,
    RemoveOfficer,
    pool_target,
)
from tournament.core.approvals import describe_event
from tournament.core.pages import quoted_tag
from tournament.events.rating import RequestingTournament, requesting_tournaments, requests_as_json
from tournament.models import Tournament


class DecideEvent(ActionInPool):
    """A decision on the rating of an event, final or not."""

    body = DecisionSerializer
    example = {"reason": "an open of the club"}
    made = ("rating_batch.id?",)
    is_approval = True

    def prepare(self, call: Call, found: Pool) -> tuple[Pool, Tournament]:
        """Return the pool with the event that requests its rating in it."""
        slug = call.address["slug"]
        detail = Text(
            "no event %(name)s requests its rating in %(pool)s",
            name=f"{slug[:80]!r}",
            pool=found.code,
        )
        event = requesting_tournaments(found).filter(slug=slug).first()
        return found, require_found(event, detail)

    def perform(self, call: Call, prepared: tuple[Pool, Tournament]) -> RequestingTournament:
        pool, event = prepared
        decide_event(
            pool,
            event.stream,
            approved=self.is_approval,
            **call.body,
            by=call.account,
            covers=describe_event(event),
        )
        (body,) = requests_as_json(pool, [event])
        return body


class ApproveEvent(DecideEvent):
    """Approve the rating of a tournament, final or not; for the officers of the pool.

    The games of a final tournament are filed at once. The approval is one of the event as it is:
    before it is final, another name, other dates, a new owner, or more than twice the players
    (those of its `places`, and ten at least) make it wait again.
    """

    done = gettext_noop("The event is approved.")


class RefuseEvent(DecideEvent):
    """Refuse the rating of a tournament, final or not; for the officers of the pool.

    What is filed cannot be refused (`batch_filed`); withdraw its batch instead.
    """

    is_approval = False
    done = gettext_noop("The event is refused.")


@extend_schema_view(get=extend_schema(operation_id="list_pool_tournaments"))
class PoolTournamentList(ValuesListView):
    """List the tournaments that request their rating in the pool, newest first; for its officers.

    Each has its `rating_batch`: what the pool makes of the request, and why. One that waits is
    decided by `approve` or `refuse`, or by a decision about its organiser.
    """

    queryset = Tournament.objects.none()
    serializer_class = described(RequestingTournament)
    permission = "pool.edit"
    filterset_fields = ["state"]
    pagination_class = NewestFirst

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        pool, _ = require_pool(request, kwargs["code"])
        tournaments = self.filter_queryset(requesting_tournaments(pool))
        page = self.paginate_queryset(tournaments) or []
        return self.get_paginated_response(requests_as_json(pool, page))


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
