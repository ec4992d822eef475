"""The pool that a request names, the right to change it, and its JSON with that of its runs."""

from typing import Any

from django.conf import settings
from django.core.validators import slug_re
from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from games.core.actions import Action, Call
from games.core.errors import Unprocessable, require_found
from games.core.requests import Caller, require_account
from games.models import Account
from games.rules.text import Text
from ratings.models import Batch, Pool, Run

RUN_FIELDS = (
    "id", "number", "engine_version", "parameter_digest", "input_digest", "from_batch_id",
    "created_at", "made_current_at",
)  # fmt: skip


POOL_PARAMETER = OpenApiParameter("pool", str, required=True, description="the code of a pool")


def find_pool(code: str) -> Pool:
    """Return the pool with this code; raises NotFound."""
    pools = Pool.objects.select_related("current_run").filter(code=code)
    missing = Text("there is no pool %(pool)s", pool=f"{code[:40]!r}")
    return require_found(pools.first(), missing)


def finished_runs(pool: Pool) -> "QuerySet[Run]":
    """Return the runs of a pool, without one that goes on or has stopped."""
    return pool.runs.filter(made_current_at__isnull=False)


def find_run(pool: Pool, number: int) -> Run:
    """Return the run of a pool with this number; raises NotFound."""
    missing = Text("there is no run %(number)s of %(pool)s", number=number, pool=pool.code)
    return require_found(finished_runs(pool).filter(number=number).first(), missing)


def differing_pools() -> "QuerySet[Pool]":
    """Return the pools whose ratings were not those of the last recomputation."""
    return Pool.objects.exclude(differences=[]).order_by("code")


def pool_as_json(pool: Pool) -> dict[str, Any]:
    """Return the JSON of a pool."""
    run = pool.current_run
    return {
        "code": pool.code,
        "name": pool.name,
        "preset": pool.preset,
        "parameters": pool.parameters,
        "handicap_table": pool.handicap_table,
        "casual_games": pool.casual_games,
        "policy": pool.policy,
        "rated_games": pool.rated_games,
        "time_classes": pool.time_classes,
        "least_expected": pool.least_expected,
        "grace_days": settings.RATING_GRACE_DAYS,
        "casual_games_per_day": settings.CASUAL_GAMES_PER_DAY,
        "run": None if run is None else run_as_json(vars(run)),
    }


def run_as_json(row: dict[str, Any]) -> dict[str, Any]:
    """Return the JSON of a row of `RUN_FIELDS`."""
    run = {name: row[name] for name in RUN_FIELDS if name not in ("id", "from_batch_id")}
    return {**run, "from_batch": row["from_batch_id"]}


def batch_progress(batch_id: int) -> dict[str, Any] | None:
    """Return the progress of a batch: `waiting`, or `done` with its run; None if it is unknown."""
    batch = Batch.objects.select_related("run", "pool").filter(pk=batch_id).first()
    if batch is None:
        return None
    run = batch.run if batch.is_rated else None
    return {
        "id": f"batch-{batch.pk}",
        "state": "done" if run else "waiting",
        "progress": 1 if run else 0,
        "stream": batch.stream,
        "result": {"pool": batch.pool.code, "run": run.number} if run else None,
    }


def require_pool(caller: Caller, code: str) -> tuple[Pool, Account]:
    """Return the pool and the account of one of its officers; raises NotFound, 401 or 403."""
    pool = find_pool(code)
    return pool, require_account(caller, "pool.edit", stream=pool.stream)


class ActionInPool(Action):
    """A write to a pool, by default one of its officers; `prepare` and `perform` get the pool."""

    permission = "pool.edit"

    def find(self, call: Call) -> Pool:
        """Return the pool; raise NotFound."""
        return find_pool(call.address["code"])

    def check(self, call: Call, found: Pool) -> None:
        """Require the permission in the pool."""
        require_account(call, self.permission, stream=found.stream)


def requested_pool(request: Request) -> Pool:
    """Return the pool that the query names; raises Unprocessable without a code, NotFound."""
    code = request.query_params.get("pool", "")
    if not slug_re.match(code):
        detail = Text("pool is %(value)s; it must be the code of a pool", value=f"{code[:40]!r}")
        raise Unprocessable("wrong_pool", detail, at="/pool")
    return find_pool(code)
