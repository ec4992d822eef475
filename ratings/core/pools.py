"""The pool that a request names, and the right to change it."""

from typing import Any

from django.core.validators import slug_re
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject
from rest_framework.request import Request

from games.core.actions import Action, Call
from games.core.errors import NotFound, unknown_key, unknown_value
from games.core.permissions import Caller, require_account
from games.models import Account
from games.models.time_controls import TimeClass
from games.rules.text import Text
from ratings.core.conditions import rates_board, rates_class
from ratings.models import Pool


def find_pool(code: str) -> Pool:
    """Return the pool with this code; raises NotFound."""
    pools = Pool.objects.select_related("current_run").filter(code=code)
    found = pools.first()
    if found is None:
        detail = Text("there is no pool %(pool)s", pool=code[:40])
        raise NotFound("not_found", detail, valid=pool_codes())
    return found


def differing_pools() -> "QuerySet[Pool]":
    """Return the pools whose ratings were not those of the last recomputation."""
    return Pool.objects.exclude(differences=[]).order_by("code")


def require_pool(caller: Caller, code: str) -> tuple[Pool, Account]:
    """Return the pool and the account of one of its officers; raises NotFound, 401 or 403."""
    pool = find_pool(code)
    return pool, require_account(caller, "pool.edit", stream=pool.stream)


class ActionInPool(Action):
    """A write to a pool, by default one of its officers; `prepare` and `perform` get the pool."""

    permission = "pool.edit"

    def find(self, call: Call) -> Pool:
        return find_pool(call.address["code"])

    def check(self, call: Call, found: Pool) -> None:
        require_account(call, self.permission, stream=found.stream)


def requested_pool(request: Request) -> Pool:
    """Return the pool that the query names; raises Unprocessable for another code, and for none."""
    code = request.query_params.get("pool", "")
    pools = Pool.objects.select_related("current_run").filter(code=code)
    found = pools.first() if slug_re.match(code) else None
    if found is None:
        raise unknown_value("pool", code, pool_codes())
    return found


def named_pool(code: str) -> Pool:
    """Return the pool that a body names; raises Unprocessable for an unknown code."""
    found = Pool.objects.select_related("current_run").filter(code=code).first()
    if found is None:
        raise unknown_key("pool", code, pool_codes())
    return found


def pool_names(_: HttpRequest) -> dict[str, Any]:
    """Return the names of the pools by code for every template, one query if it shows any."""
    rows = Pool.objects.values_list("code", "name")
    return {"pool_names": SimpleLazyObject(lambda: dict(rows))}


def pool_choices() -> list[tuple[str, str]]:
    """Return the codes of all pools as the choices of a filter."""
    return [(code, code) for code in pool_codes()]


def pools_that_rate(game: str, board: str, time_class: TimeClass | None) -> list[Pool]:
    """Return the pools that rate a game, named by its code, on a board with such a time."""
    return [
        pool
        for pool in Pool.objects.order_by("code")
        if rates_board(pool, game, board) and rates_class(pool, time_class)
    ]


def pool_codes() -> list[str]:
    """Return the codes of all pools."""
    return list(Pool.objects.order_by("code").values_list("code", flat=True))
