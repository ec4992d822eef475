"""The pools, the live rating list of one with its runs, and its lists as they were published."""

from typing import Any

from rest_framework.request import Request

from games.core.namesakes import shown_names
from games.core.pages import PageView
from games.core.pagination import PAGING, NewestFirst
from games.core.permissions import current_account, may
from games.rules.registry import GAMES
from ratings.core.conditions import rated_casual_games
from ratings.core.pools import find_pool
from ratings.lists.queries import (
    LISTED_FIELDS,
    RATING_FIELDS,
    Listed,
    ListTerms,
    LiveList,
    count_provisional,
    find_list,
    find_ranks,
    listed_ratings,
    live_list,
    load_lists,
    page_as_json,
    published_terms,
)
from ratings.lists.views import RatingPages, requested_players
from ratings.models import Pool
from ratings.runs.queries import finished_runs
from ratings.systems.intervals import PROVISIONAL_BELOW


def rating_rows(
    request: Request, ratings: Listed, terms: ListTerms, live: LiveList | None = None
) -> dict[str, Any]:
    """Return the rows of the requested page, the rules of the list, and the neighbouring pages.

    The ranks are those in a `live` list; a published one stores them.
    """
    pages = RatingPages()
    fields = RATING_FIELDS if live else LISTED_FIELDS
    page = pages.paginate_queryset(ratings.values(*fields), request)
    ranks = find_ranks(live, page) if live else [row["rank"] for row in page]
    rows = page_as_json(page, ranks, terms)
    names = shown_names(row["player"] for row in rows)
    return {
        "rows": [row | {"name": names[row["player"]["id"]]} for row in rows],
        "rules": terms.rules,
        **pages.neighbours,
    }


MOST_LISTS_AND_RUNS = 10
"""Published lists, or runs, that the page of a pool shows; others are on pages of their own."""


class PoolsPage(PageView):
    public_read = "site"
    template = "ratings/lists/pools.html"

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        return {"pools": Pool.objects.select_related("current_run").order_by("name", "code")}


class PoolPage(PageView):
    """The live list of a pool; `?provisional=1` and `?inactive=1` as in the API.

    A list on which everybody would be provisional shows them.
    """

    public_read = "site"
    query_names = ("provisional", "inactive", *PAGING)
    template = "ratings/lists/pool.html"

    def context(self, request: Request, code: str = "", **address: Any) -> dict[str, Any]:
        """Return a page of the list, the published lists and the runs."""
        pool = find_pool(code)
        included = requested_players(request)
        live, more = live_list(pool, **included), 0
        if not live.provisional:
            more = count_provisional(live)
            if more and not live.ratings.exists():
                included = included | {"provisional": True}
                live = live_list(pool, **included)

        user, token = current_account(request)
        return {
            "pool": pool,
            "policy": pool.get_policy_display(),
            "casual_games": [code for code in rated_casual_games(pool) if code in GAMES],
            "included": included,
            "provisional": more,
            "most_provisional": PROVISIONAL_BELOW - 1,
            "published": list(load_lists(pool).order_by("-published_on")[:MOST_LISTS_AND_RUNS]),
            "runs": list(finished_runs(pool).order_by("-number")[:MOST_LISTS_AND_RUNS]),
            "is_officer": may(user, token, "pool.edit", stream=pool.stream),
            **rating_rows(request, live.ratings, live.terms, live),
        }


class PublishedListsPage(PageView):
    public_read = "site"
    query_names = PAGING
    template = "ratings/lists/published_lists.html"

    def context(self, request: Request, code: str = "", **address: Any) -> dict[str, Any]:
        pool = find_pool(code)
        published = load_lists(pool)
        return {"pool": pool, **NewestFirst().context("published", published, request)}


class PublishedListPage(PageView):
    public_read = "site"
    query_names = PAGING
    template = "ratings/lists/published_list.html"

    def context(
        self, request: Request, code: str = "", published_on: str = "", **address: Any
    ) -> dict[str, Any]:
        pool = find_pool(code)
        published = find_list(pool, published_on)
        return {
            "pool": pool,
            "list": published,
            **rating_rows(request, listed_ratings(published), published_terms(published)),
        }
