"""Pages of a rating list, by a keyset: rating from the highest, then player.

The cursor holds the rating and the player at the page's edge, so a page costs the same anywhere
in the list and nobody is shown twice or left out while ratings stand still.
"""

import re
from typing import Any

from django.db.models import Q, QuerySet
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.utils.urls import replace_query_param

from games.http.pagination import Pages

CURSOR = re.compile(r"(after|before)_(-?[0-9]{1,9})_([0-9]{1,18})", re.ASCII)


class RatingPages(Pages):
    """Pages of rows that have `rating` (in milli) and `player_id`, best first."""

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any]:
        """The rows of the page that the cursor names; NotFound for a cursor nobody gave."""
        self._address = request.build_absolute_uri()
        limit = self.get_page_size(request) or self.page_size
        text = request.query_params.get("cursor", "")
        edge = CURSOR.fullmatch(text)
        if text and not edge:
            raise NotFound("the cursor leads nowhere; begin again without one")
        goes_back = edge is not None and edge[1] == "before"
        if edge:
            queryset = _beyond(queryset, int(edge[2]), int(edge[3]), goes_back=goes_back)
        rows = list(queryset[: limit + 1])
        is_cut = len(rows) > limit
        rows = rows[:limit]
        if goes_back:
            rows.reverse()
        self._rows = rows
        self._has_next = goes_back or is_cut
        self._has_previous = is_cut if goes_back else edge is not None
        return rows

    def get_next_link(self) -> str | None:
        """The address of the page after this one, if there is one."""
        return self._link("after", self._rows[-1]) if self._rows and self._has_next else None

    def get_previous_link(self) -> str | None:
        """The address of the page before this one, if there is one."""
        return self._link("before", self._rows[0]) if self._rows and self._has_previous else None

    def _link(self, word: str, row: dict[str, Any]) -> str:
        cursor = f"{word}_{row['rating']}_{row['player_id']}"
        return str(replace_query_param(self._address, "cursor", cursor))


def _beyond(
    queryset: "QuerySet[Any, Any]", rating: int, player: int, *, goes_back: bool
) -> "QuerySet[Any, Any]":
    if goes_back:
        tied = Q(rating=rating, player_id__lt=player)
        return queryset.filter(Q(rating__gt=rating) | tied, rating__gte=rating).reverse()
    tied = Q(rating=rating, player_id__gt=player)
    return queryset.filter(Q(rating__lt=rating) | tied, rating__lte=rating)
