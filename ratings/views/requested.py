"""The pool that a request names, and the right to change it."""

from django.core.validators import slug_re
from rest_framework.request import Request

from games.core.errors import Unprocessable
from games.core.requests import require_account
from games.models import Account
from games.rules.text import Text
from ratings.core.pools import find_pool
from ratings.models import Pool


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
