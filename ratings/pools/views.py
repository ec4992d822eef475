"""The rating officers of a pool, and the organisers whose events they approve or refuse.

What several views of pools need: the pool, and the right and version to change it.

Pools and their policy.
"""

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.errors import NotFound, Unprocessable
from games.core.permissions import may
from games.core.preconditions import Target, tag_for_writes, unless_changed, version_of
from games.core.requests import current_account, maybe_dry_run, require_account, validated_body
from games.core.views import ApiView, ValuesListView
from games.models import Account
from games.rules.text import Text
from ratings.batches.decisions import (
    account_as_json,
    decision_as_json,
    load_officers,
    load_organisers,
)
from ratings.core.pools import find_pool, pool_as_json, require_pool
from ratings.core.serializers import (
    DecisionSerializer,
    NewOfficerSerializer,
    NewPoolSerializer,
    OfficerSerializer,
    OrganiserSerializer,
    PoolChangeSerializer,
    PoolSerializer,
)
from ratings.models import Decision, Pool
from ratings.pools.services import (
    EDITABLE_SETTINGS,
    add_officer,
    create_pool,
    decide_organiser,
    edit_pool,
    remove_officer,
)

DECISIONS = {"approve": True, "refuse": False}
"""Whether an action approves, by its name in the API."""


@extend_schema_view(get=extend_schema(operation_id="pool_officers"))
class OfficerList(ValuesListView):
    """The rating officers of a pool, for themselves and for site staff."""

    queryset = Account.objects.none()
    serializer_class = OfficerSerializer
    is_public = False

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Return one page."""
        pool, _ = require_pool(request, kwargs["code"])
        return self.page_response(self.filter_queryset(load_officers(pool)), account_as_json)

    @extend_schema(
        operation_id="add_pool_officer",
        request=NewOfficerSerializer,
        responses={201: OfficerSerializer},
    )
    def post(self, request: Request, code: str) -> Response:
        """Appoint a rating officer; for site staff."""
        pool, by = require_pool(request, code, "pool.officers")
        number = validated_body(NewOfficerSerializer, request)["account"]
        account = Account.objects.filter(pk=number).first()
        if account is None:
            detail = Text(
                "there is no account %(name)s; `me` returns the id of an account", name=number
            )
            raise Unprocessable("unknown_account", detail, at="/account")
        with maybe_dry_run(request):
            add_officer(pool, account, by=by)
        return Response(account_as_json(account), status=201)


class OfficerView(ApiView):
    @extend_schema(operation_id="remove_pool_officer", responses={204: None})
    def delete(self, request: Request, code: str, account_id: str) -> Response:
        """Remove a rating officer; for site staff."""
        pool, by = require_pool(request, code, "pool.officers")
        with maybe_dry_run(request):
            remove_officer(pool, int(account_id), by=by)
        return Response(status=204)


@extend_schema_view(get=extend_schema(operation_id="pool_organisers"))
class OrganiserList(ValuesListView):
    """List the organisers that the officers approved or refused, oldest first; for officers."""

    queryset = Decision.objects.none()
    serializer_class = OrganiserSerializer
    is_public = False

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Return one page."""
        pool, _ = require_pool(request, kwargs["code"])
        return self.page_response(self.filter_queryset(load_organisers(pool)), decision_as_json)


class OrganiserActionView(ApiView):
    action_name = ""

    @extend_schema(request=DecisionSerializer, responses=OrganiserSerializer)
    def post(self, request: Request, code: str, account_id: str) -> Response:
        """Approve or refuse the events of an organiser; for the officers of the pool.

        Waiting events follow at once. What is filed stays filed; withdraw its batch to exclude it.
        """
        pool, by = require_pool(request, code)
        content = validated_body(DecisionSerializer, request)
        organiser = Account.objects.filter(pk=int(account_id)).first()
        if organiser is None:
            raise NotFound("not_found", Text("there is no account %(number)s", number=account_id))
        with maybe_dry_run(request):
            approved = DECISIONS[self.action_name]
            decision = decide_organiser(pool, organiser, approved=approved, **content, by=by)
        return Response(decision_as_json(decision))


def pool_target(pool: Pool) -> Target:
    """Return a pool with what officers change, for `If-Match`."""

    def read_version(locked: bool) -> str:
        if not locked:  # for a body that is not older than the version
            pool.refresh_from_db(fields=EDITABLE_SETTINGS)
        pools = Pool.objects.select_for_update(no_key=True)
        return version_of(pools.get(pk=pool.pk) if locked else pool, *EDITABLE_SETTINGS)

    return Target(pool.stream, read_version, lambda kind, _: kind == "pool.edited")


@extend_schema_view(get=extend_schema(operation_id="pools"))
class PoolList(ValuesListView):
    """List the pools, oldest first."""

    queryset = Pool.objects.none()
    serializer_class = PoolSerializer

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Return one page."""
        queryset = self.filter_queryset(Pool.objects.select_related("current_run"))
        return self.page_response(queryset, pool_as_json)

    @extend_schema(
        operation_id="create_pool", request=NewPoolSerializer, responses={201: PoolSerializer}
    )
    def post(self, request: Request) -> Response:
        """Create a pool; for staff, and for the rating officers of this code."""
        code = str(request.data.get("code", "")) if isinstance(request.data, dict) else ""
        account = require_account(request, "pool.edit", stream=f"pool/{code}")
        fields = validated_body(NewPoolSerializer, request)
        with maybe_dry_run(request):
            pool = create_pool(**fields, by=account)
            body = pool_as_json(pool)
        return Response(body, status=201, headers={"Location": f"/api/v1/pools/{pool.code}"})


class PoolView(ApiView):
    has_precondition = True

    @extend_schema(operation_id="pool", responses=PoolSerializer)
    def get(self, request: Request, code: str) -> Response:
        """Return a pool, its policy and its current run."""
        pool = find_pool(code)
        user, token = current_account(request)
        if may(user, token, "pool.edit", stream=pool.stream):
            tag_for_writes(request, pool_target(pool))
        return Response(pool_as_json(pool))

    @extend_schema(
        operation_id="edit_pool",
        request=PoolChangeSerializer,
        responses=PoolSerializer,
    )
    def patch(self, request: Request, code: str) -> Response:
        """Change the policy, the rated games, the least expected score or the table of a pool.

        For its rating officers. Waiting events that the new policy allows are filed at once; what
        is filed stays filed. An event that has started keeps the table that the pool had then.
        """
        pool, account = require_pool(request, code)
        changes = validated_body(PoolChangeSerializer, request)
        with maybe_dry_run(request), unless_changed(request, pool_target(pool), by=account):
            pool = edit_pool(pool, changes, by=account)
        return Response(pool_as_json(pool))
