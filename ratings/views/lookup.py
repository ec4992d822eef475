"""What several views of pools need: the pool, and the right and version to change it."""

from django.core.validators import slug_re
from rest_framework.request import Request

from games.http.errors import Unprocessable
from games.http.preconditions import Target, version_of
from games.http.request import require_account
from games.models import Account
from games.rules.text import Text
from ratings.models import Pool
from ratings.queries.pools import find_pool
from ratings.services.pools import EDITABLE_SETTINGS


def require_pool(request: Request, code: str, action: str = "pool.edit") -> tuple[Pool, Account]:
    """Return the pool and the account, by default an officer's; raises NotFound, 401 or 403."""
    pool = find_pool(code)
    return pool, require_account(request, action, stream=pool.stream)


def requested_pool(request: Request) -> Pool:
    """Return the pool that the query names; raises Unprocessable without a code, NotFound."""
    code = request.query_params.get("pool", "")
    if not slug_re.match(code):
        detail = Text("pool is %(value)s; it must be the code of a pool", value=f"{code[:40]!r}")
        raise Unprocessable("wrong_pool", detail, at="/pool")
    return find_pool(code)


def pool_target(pool: Pool) -> Target:
    """Return a pool with what officers change, for `If-Match`."""

    def read_version(locked: bool) -> str:
        if not locked:  # for a body that is not older than the version
            pool.refresh_from_db(fields=EDITABLE_SETTINGS)
        pools = Pool.objects.select_for_update(no_key=True)
        return version_of(pools.get(pk=pool.pk) if locked else pool, *EDITABLE_SETTINGS)

    return Target(pool.stream, read_version, lambda kind, _: kind == "pool.edited")
