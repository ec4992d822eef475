"""The pools, the live and the published rating lists of one, and its runs."""

from typing import Any

from rest_framework.request import Request

from games.accounts.permissions import may
from games.http.request import current_account, visible_games
from games.pages.views import PageView
from ratings.models import Pool
from ratings.queries import changes, lists, pools, published_lists, ranks
from ratings.views.lists import RatingPages, requested_players
from ratings.views.lookup import NewestFirst

MOST = 50
"""Published lists, or runs, that the page of a pool shows."""


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
        pool = pools.find_pool(code)
        included = requested_players(request)
        live = lists.live_list(pool, **included)
        pages = RatingPages()
        rows = pages.paginate_queryset(live.ratings.values(*lists.RATING_FIELDS), request) or []
        user, token = current_account(request)
        return {
            "pool": pool,
            "rows": lists.page_as_json(rows, ranks.find_ranks(live, rows), live.terms),
            "rules": live.terms.rules,
            "included": included,
            "published": list(published_lists.load_lists(pool).order_by("-published_on")[:MOST]),
            "runs": list(pools.finished_runs(pool).order_by("-number")[:MOST]),
            "is_officer": may(user, token, "pool.edit", stream=pool.stream),
            **pages.neighbours,
        }


class PublishedListPage(PageView):
    template = "ratings/published_list.html"

    def context(
        self, request: Request, code: str = "", published_on: str = "", **address: Any
    ) -> dict[str, Any]:
        """Return a page of a list as it was published."""
        pool = pools.find_pool(code)
        published = published_lists.find_list(pool, published_on)
        terms = published_lists.published_terms(published)
        ratings = published_lists.listed_ratings(published)
        pages = RatingPages()
        rows = pages.paginate_queryset(ratings.values(*lists.RATING_FIELDS, "rank"), request) or []
        return {
            "pool": pool,
            "list": published,
            "rows": lists.page_as_json(rows, [row["rank"] for row in rows], terms),
            "rules": terms.rules,
            **pages.neighbours,
        }


class RunPage(PageView):
    """The changes that a run computed."""

    template = "ratings/run.html"

    def context(
        self, request: Request, code: str = "", number: str = "0", **address: Any
    ) -> dict[str, Any]:
        """Return a page of the changes by the games that the reader may see."""
        pool = pools.find_pool(code)
        run = pools.find_run(pool, int(number))
        pages = NewestFirst()
        queryset = changes.run_changes(run, visible_games(request)).order_by("-id")
        rows = pages.paginate_queryset(
            queryset.values(*changes.CHANGE_FIELDS, "player__name"), request
        )
        return {
            "pool": pool,
            "run": run,
            "changes": [
                {"name": row["player__name"], **changes.player_change_as_json(row)}
                for row in rows or []
            ],
            **pages.neighbours,
        }
