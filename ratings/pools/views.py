"""Pools with their policy, their officers, the organisers that these decide about, the export."""

from pathlib import Path
from typing import Any

from django.http import FileResponse, HttpResponse
from django.utils.translation import gettext_noop
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.actions import Action, Call
from games.core.errors import Unprocessable, require_found
from games.core.formats import FileFormat, NdjsonFile
from games.core.permissions import current_account, may, require_account
from games.core.preconditions import Target, tag_for_writes, version_of
from games.core.references import AccountReference, account_reference
from games.core.types import described
from games.core.views import ApiView, ValuesListView, endpoint
from games.models import Account
from games.rules.text import Text
from ratings import recompute_pool
from ratings.batches.decisions import (
    OrganiserDecision,
    decision_as_json,
    load_officers,
    load_organisers,
)
from ratings.core.locking import lock_pool
from ratings.core.pools import ActionInPool, find_pool, require_pool
from ratings.core.serializers import DecisionSerializer
from ratings.models import Pool
from ratings.pools.export import write_export
from ratings.pools.queries import RatingPool, pool_as_json
from ratings.pools.serializers import NewOfficerSerializer, NewPoolSerializer, PoolChangeSerializer
from ratings.pools.services import (
    EDITABLE_SETTINGS,
    add_officer,
    create_pool,
    decide_organiser,
    edit_pool,
    remove_officer,
)


class CreatePool(Action):
    """Create a pool; for staff, and for the rating officers of this code."""

    name = "create_pool"
    permission = "pool.edit"
    body = NewPoolSerializer
    example = {
        "code": "city",
        "name": "League of the city",
        "preset": "decay",
        "casual_rulesets": ["star-star"],
        "rated_rulesets": {"star-star": [], "double-star-star": []},
    }
    status = 201
    location = "pools/{code}"

    def check(self, call: Call, found: None) -> None:
        """Leave this to `read`: the permission depends on the code in the body."""

    def read(self, call: Call, found: None, content: Any) -> Any:
        """Require the permission in the pool of this code, then validate the body."""
        code = str(content.get("code", "")) if isinstance(content, dict) else ""
        require_account(call, self.permission, stream=f"pool/{code}")
        return super().read(call, found, content)

    def perform(self, call: Call, prepared: None) -> RatingPool:
        return pool_as_json(create_pool(**call.body, by=call.account))

    def made_target(self, call: Call, content: Any) -> Target:
        return pool_target(Pool.objects.get(code=content["code"]))


class PoolList(ValuesListView):
    """List the pools, oldest first.

    Anyone may read it. `run` is the computation that the lists of a pool show, null before
    the first.
    """

    public_read = "site"
    queryset = Pool.objects.select_related("current_run")
    row_as_json = staticmethod(pool_as_json)
    post = endpoint(CreatePool)


def pool_target(pool: Pool) -> Target:
    """Return a pool with what officers change, for `If-Match`."""

    def read_version(locked: bool) -> str:
        if not locked:  # for a body that is not older than the version
            pool.refresh_from_db(fields=EDITABLE_SETTINGS)
        return version_of(lock_pool(pool.pk) if locked else pool, *EDITABLE_SETTINGS)

    return Target(pool.stream, read_version, lambda kind, _: kind == "pool.edited")


class EditPool(ActionInPool):
    """Change the policy, the rated games, the least expected score or the table of a pool.

    For its rating officers. Waiting tournaments that the new policy allows are filed at once; what
    is filed stays filed. A tournament that has started keeps the table that the pool had then.
    """

    name = "edit_pool"
    body = PoolChangeSerializer
    example = {"policy": "approved"}
    has_precondition = True
    tag_of = "pools/{code}"
    done = gettext_noop("The pool is changed.")

    def target(self, call: Call, found: Pool) -> Target:
        return pool_target(found)

    def perform(self, call: Call, prepared: Pool) -> RatingPool:
        return pool_as_json(edit_pool(prepared, call.body, by=call.account))


class PoolView(ApiView):
    @extend_schema(responses=described(RatingPool))
    def get(self, request: Request, code: str) -> Response:
        """Return a pool, its policy and its current run.

        `policy` says which tournaments the pool rates; `run` is null before the first one.
        Officers get the tag that `PATCH` wants.
        """
        pool = find_pool(code)
        user, token = current_account(request)
        if may(user, token, "pool.edit", stream=pool.stream):
            tag_for_writes(request, pool_target(pool))
        return Response(pool_as_json(pool))

    patch = endpoint(EditPool)


class PoolExport(ApiView):
    throttle_scope = "dear"
    is_streamed = True
    renderer_classes = [NdjsonFile]

    @extend_schema(operation_id="export_pool", responses=OpenApiTypes.STR)
    def get(self, request: Request, code: str) -> FileResponse:
        """Return everything that the ratings of a pool are computed from, and the ratings.

        Anyone may read it; players, batches and games are ids, and games that are not rated are
        left out. A line is the pool, a batch or a rating; `recompute_pool.py` computes ratings and
        digests from it. While the pool is due for a run there is none (`pool_due`).
        """
        pool = find_pool(code)
        return FileResponse(
            write_export(pool),
            as_attachment=True,
            filename=f"{pool.code}.ndjson",
            content_type="application/x-ndjson; charset=utf-8",
        )


class PythonFile(FileFormat):
    media_type = "text/x-python"
    format = "py"


class RecomputeProgram(ApiView):
    renderer_classes = [PythonFile]

    @extend_schema(operation_id="get_recompute_program", responses=OpenApiTypes.STR)
    def get(self, request: Request) -> HttpResponse:
        """Return the program that recomputes a pool from its export, with Python alone.

        It is one file that shares no code with the service: `python3 -I recompute_pool.py FILE`.
        """
        program = Path(recompute_pool.__file__).read_bytes()
        return HttpResponse(program, content_type="text/x-python; charset=utf-8")


class AddOfficer(ActionInPool):
    """Appoint a rating officer; for site staff.

    `account_id` is what `me` returns to that person. The account has the role at once, without an
    invitation.
    """

    name = "add_pool_officer"
    permission = "pool.officers"
    body = NewOfficerSerializer
    example = {"account_id": 5}
    status = 201
    done = gettext_noop("The officer is appointed.")

    def perform(self, call: Call, prepared: Pool) -> AccountReference:
        number = call.body["account_id"]
        account = Account.objects.filter(pk=number).first()
        if account is None:
            detail = Text(
                "there is no account %(name)s; `me` returns the id of an account", name=number
            )
            raise Unprocessable("unknown_account", detail, at="/account_id")
        add_officer(prepared, account, by=call.account)
        return account_reference(account)


@extend_schema_view(get=extend_schema(operation_id="list_pool_officers"))
class OfficerList(ValuesListView):
    """The rating officers of a pool, for themselves and for site staff.

    Their ids are those that `DELETE pools/{code}/officers/{account_id}` takes. Others get 403.
    """

    permission = "pool.edit"
    row_as_json = staticmethod(account_reference)
    post = endpoint(AddOfficer)

    def get_queryset(self) -> Any:
        return load_officers(require_pool(self.request, self.kwargs["code"])[0])


class RemoveOfficer(ActionInPool):
    """Remove a rating officer, but not the last one (`last_officer`); for site staff.

    Officers give up their own role with `DELETE me/roles/{role_id}`.
    """

    name = "remove_pool_officer"
    permission = "pool.officers"
    done = gettext_noop("The officer is removed.")

    def perform(self, call: Call, prepared: Pool) -> None:
        remove_officer(prepared, call.address["account_id"], by=call.account)


@extend_schema_view(get=extend_schema(operation_id="list_pool_organisers"))
class OrganiserList(ValuesListView):
    """List the organisers that the officers approved or refused, oldest first; for officers.

    An organiser about whom nobody has decided is not there; their tournaments wait if the policy of
    the pool is `approved`.
    """

    permission = "pool.edit"
    row_as_json = staticmethod(decision_as_json)

    def get_queryset(self) -> Any:
        return load_organisers(require_pool(self.request, self.kwargs["code"])[0])


class DecideOrganiser(ActionInPool):
    body = DecisionSerializer
    example = {"reason": "they direct the club's events"}
    approved = False

    def prepare(self, call: Call, found: Pool) -> tuple[Pool, Account]:
        """Return the pool and the organiser; raise NotFound."""
        number = call.address["account_id"]
        accounts = Account.objects.filter(pk=number)
        missing = Text("there is no account %(number)s", number=number)
        return found, require_found(accounts.first(), missing)

    def perform(self, call: Call, prepared: tuple[Pool, Account]) -> OrganiserDecision:
        decision = decide_organiser(*prepared, approved=self.approved, **call.body, by=call.account)
        return decision_as_json(decision)


class ApproveOrganiser(DecideOrganiser):
    """Approve the tournaments of an organiser; for the officers of the pool.

    Waiting tournaments are filed at once.
    """

    approved = True
    done = gettext_noop("The organiser is approved.")


class RefuseOrganiser(DecideOrganiser):
    """Refuse the tournaments of an organiser; for the officers of the pool.

    Waiting tournaments follow at once. What is filed stays filed; cancel its batch to exclude it.
    """

    done = gettext_noop("The organiser is refused.")
