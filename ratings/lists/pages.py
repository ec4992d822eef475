"""The pools, and the live rating list of one, with its published lists and its runs."""

from typing import Any

from rest_framework.request import Request

from games.core.pages import PageView
from games.core.permissions import may
from games.core.requests import current_account
from games.rules.registry import GAMES
from ratings.core.pools import find_pool, finished_runs
from ratings.lists.queries import live_list
from ratings.lists.views import requested_players
from ratings.models import Pool
from ratings.pages.rating_rows import Rows, rating_rows
from ratings.queries import published_lists, ranks

MOST_LISTS_AND_RUNS = 10
"""Published lists, or runs, that the page of a pool shows; others are on pages of their own."""


class PoolsPage(PageView):
    template = "ratings/pools.html"

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the pools."""
        return {"pools": Pool.objects.select_related("current_run").order_by("name", "code")}


class PoolPage(PageView):
    """The live list of a pool; `?provisional=1` and `?inactive=1` as in the API."""

    template = "ratings/pool.html"

    def context(self, request: Request, code: str = "", **address: Any) -> dict[str, Any]:
        """Return a page of the list, the published lists and the runs."""
        pool = find_pool(code)
        included = requested_players(request)
        live = live_list(pool, **included)

        def find_ranks(rows: Rows) -> list[int]:
            return ranks.find_ranks(live, rows)

        user, token = current_account(request)
        return {
            "pool": pool,
            "policy": pool.get_policy_display(),
            "casual_games": [code for code in pool.casual_games if code in GAMES],
            "included": included,
            "published": list(
                published_lists.load_lists(pool).order_by("-published_on")[:MOST_LISTS_AND_RUNS]
            ),
            "runs": list(finished_runs(pool).order_by("-number")[:MOST_LISTS_AND_RUNS]),
            "is_officer": may(user, token, "pool.edit", stream=pool.stream),
            **rating_rows(request, live.ratings, live.terms, find_ranks),
        }
