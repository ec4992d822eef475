"""The pools, and the live rating list of one, with its published lists and its runs.

A page of a rating list, live or published, for the template `ratings/lists/rating_rows.html`.

The rating lists of a pool as they were published.
"""

from collections.abc import Callable, Sequence
from typing import Any

from rest_framework.request import Request

from games.core.pages import PageView
from games.core.pagination import NewestFirst
from games.core.permissions import may
from games.core.requests import current_account
from games.rules.registry import GAMES
from ratings.core.pools import find_pool, finished_runs
from ratings.lists.queries import (
    RATING_FIELDS,
    Listed,
    ListTerms,
    find_list,
    listed_ratings,
    live_list,
    load_lists,
    page_as_json,
    published_terms,
)
from ratings.lists.queries import find_ranks as ranks_find_ranks
from ratings.lists.views import RatingPages, requested_players
from ratings.models import Pool

Rows = Sequence[dict[str, Any]]


def rating_rows(
    request: Request,
    ratings: Listed,
    terms: ListTerms,
    find_ranks: Callable[[Rows], Sequence[int]],
    *fields: str,
) -> dict[str, Any]:
    """Return the rows of the requested page, the rules of the list, and the neighbouring pages.

    `find_ranks` returns the ranks of a page, whose rows have `RATING_FIELDS` and these fields.
    """
    pages = RatingPages()
    page = pages.paginate_queryset(ratings.values(*RATING_FIELDS, *fields), request)
    return {
        "rows": page_as_json(page, find_ranks(page), terms),
        "rules": terms.rules,
        **pages.neighbours,
    }


MOST_LISTS_AND_RUNS = 10
"""Published lists, or runs, that the page of a pool shows; others are on pages of their own."""


class PoolsPage(PageView):
    template = "ratings/lists/pools.html"

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the pools."""
        return {"pools": Pool.objects.select_related("current_run").order_by("name", "code")}


class PoolPage(PageView):
    """The live list of a pool; `?provisional=1` and `?inactive=1` as in the API."""

    template = "ratings/lists/pool.html"

    def context(self, request: Request, code: str = "", **address: Any) -> dict[str, Any]:
        """Return a page of the list, the published lists and the runs."""
        pool = find_pool(code)
        included = requested_players(request)
        live = live_list(pool, **included)

        def find_ranks(rows: Rows) -> list[int]:
            return ranks_find_ranks(live, rows)

        user, token = current_account(request)
        return {
            "pool": pool,
            "policy": pool.get_policy_display(),
            "casual_games": [code for code in pool.casual_games if code in GAMES],
            "included": included,
            "published": list(load_lists(pool).order_by("-published_on")[:MOST_LISTS_AND_RUNS]),
            "runs": list(finished_runs(pool).order_by("-number")[:MOST_LISTS_AND_RUNS]),
            "is_officer": may(user, token, "pool.edit", stream=pool.stream),
            **rating_rows(request, live.ratings, live.terms, find_ranks),
        }


class PublishedListsPage(PageView):
    template = "ratings/lists/published_lists.html"

    def context(self, request: Request, code: str = "", **address: Any) -> dict[str, Any]:
        """Return a page of the published lists, newest first."""
        pool = find_pool(code)
        published = load_lists(pool)
        return {"pool": pool, **NewestFirst().context("published", published, request)}


class PublishedListPage(PageView):
    template = "ratings/lists/published_list.html"

    def context(
        self, request: Request, code: str = "", published_on: str = "", **address: Any
    ) -> dict[str, Any]:
        """Return a page of the list."""
        pool = find_pool(code)
        published = find_list(pool, published_on)
        terms = published_terms(published)
        ratings = listed_ratings(published)
        return {
            "pool": pool,
            "list": published,
            **rating_rows(request, ratings, terms, stored_ranks, "rank"),
        }


def stored_ranks(rows: Rows) -> list[int]:
    """Return the ranks of a page, which a published list stores."""
    return [row["rank"] for row in rows]
