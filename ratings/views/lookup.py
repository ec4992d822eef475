"""What several views of pools need: the pool, the right to change it, the newest rows first."""

from rest_framework.request import Request

from games.http.pagination import CursorPages
from games.http.request import require_account
from games.models import Account
from ratings.models import Pool
from ratings.queries.pools import find_pool


class NewestFirst(CursorPages):
    ordering = ("-id",)


def require_pool(request: Request, code: str, action: str = "pool.edit") -> tuple[Pool, Account]:
    """Return the pool and the account, by default an officer's; raises NotFound, 401 or 403."""
    pool = find_pool(code)
    return pool, require_account(request, action, stream=pool.stream)
