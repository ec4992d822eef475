"""The rating officers of a pool, and the organisers whose events they approve or refuse."""

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.errors import NotFound, Unprocessable
from games.core.requests import maybe_dry_run, validated_body
from games.core.views import ApiView
from games.http.generics import ValuesListView
from games.models import Account
from games.rules.text import Text
from ratings.batches.decisions import (
    account_as_json,
    decision_as_json,
    load_officers,
    load_organisers,
)
from ratings.core.serializers import (
    DecisionSerializer,
    NewOfficerSerializer,
    OfficerSerializer,
    OrganiserSerializer,
)
from ratings.models import Decision
from ratings.services.decisions import decide_organiser
from ratings.services.officers import add_officer, remove_officer
from ratings.views.requested import require_pool

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
