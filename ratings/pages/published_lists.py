"""The rating lists of a pool as they were published."""

from typing import Any

from rest_framework.request import Request

from games.core.pages import PageView
from games.core.pagination import NewestFirst
from ratings.core.pools import find_pool
from ratings.pages.rating_rows import Rows, rating_rows
from ratings.queries import published_lists


class PublishedListsPage(PageView):
    template = "ratings/published_lists.html"

    def context(self, request: Request, code: str = "", **address: Any) -> dict[str, Any]:
        """Return a page of the published lists, newest first."""
        pool = find_pool(code)
        published = published_lists.load_lists(pool)
        return {"pool": pool, **NewestFirst().context("published", published, request)}


class PublishedListPage(PageView):
    template = "ratings/published_list.html"

    def context(
        self, request: Request, code: str = "", published_on: str = "", **address: Any
    ) -> dict[str, Any]:
        """Return a page of the list."""
        pool = find_pool(code)
        published = published_lists.find_list(pool, published_on)
        terms = published_lists.published_terms(published)
        ratings = published_lists.listed_ratings(published)
        return {
            "pool": pool,
            "list": published,
            **rating_rows(request, ratings, terms, stored_ranks, "rank"),
        }


def stored_ranks(rows: Rows) -> list[int]:
    """Return the ranks of a page, which a published list stores."""
    return [row["rank"] for row in rows]
