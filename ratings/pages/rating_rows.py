"""A page of a rating list, live or published, for the template `ratings/rating_rows.html`."""

from collections.abc import Callable, Sequence
from typing import Any

from rest_framework.request import Request

from ratings.lists.queries import RATING_FIELDS, Listed, ListTerms, page_as_json
from ratings.lists.views import RatingPages

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
