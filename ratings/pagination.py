"""Pages of a rating list, with a cursor of rating and player.

The cursor contains the rating and the player at the edge of the page, so a page takes the same time
anywhere in the list, and no player is repeated or left out while ratings do not change.
"""

import re
from typing import Any

from django.db.models import Q, QuerySet
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.utils.urls import replace_query_param

from games.http.pagination import CursorPages

CURSOR = re.compile(r"(after|before)_(-?[0-9]{1,9})_([0-9]{1,18})", re.ASCII)


class RatingPages(CursorPages):
    """Pages of rows with `rating` (in milli) and `player_id`, best first."""

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any]:
        """Return the rows of the page that the cursor names; raises NotFound if it is invalid."""
        self._address = request.build_absolute_uri()
        limit = self.get_page_size(request) or self.page_size
        text = request.query_params.get("cursor", "")
        cursor = CURSOR.fullmatch(text)
        if text and not cursor:
            raise NotFound(self.invalid_cursor_message)
        is_backward = cursor is not None and cursor[1] == "before"
        if cursor:
            queryset = _rows_beyond(queryset, int(cursor[2]), int(cursor[3]), is_backward)
        rows = list(queryset[: limit + 1])
        has_more = len(rows) > limit
        self._rows = rows = rows[:limit]
        if is_backward:
            rows.reverse()
        self._has_next = is_backward or has_more
        self._has_previous = has_more if is_backward else cursor is not None
        return rows

    def get_next_link(self) -> str | None:
        """Return the address of the next page, or None."""
        return self._link("after", self._rows[-1]) if self._rows and self._has_next else None

    def get_previous_link(self) -> str | None:
        """Return the address of the previous page, or None."""
        return self._link("before", self._rows[0]) if self._rows and self._has_previous else None

    def _link(self, direction: str, row: dict[str, Any]) -> str:
        cursor = f"{direction}_{row['rating']}_{row['player_id']}"
        return str(replace_query_param(self._address, "cursor", cursor))


def _rows_beyond(
    queryset: "QuerySet[Any, Any]", rating: int, player: int, is_backward: bool
) -> "QuerySet[Any, Any]":
    # The second condition lets the database start in the index at this rating.
    if is_backward:
        tied = Q(rating=rating, player_id__lt=player)
        return queryset.filter(Q(rating__gt=rating) | tied, rating__gte=rating).reverse()
    tied = Q(rating=rating, player_id__gt=player)
    return queryset.filter(Q(rating__lt=rating) | tied, rating__lte=rating)
