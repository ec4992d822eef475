"""The ranks of the live rating list: one more than the number of better ratings."""

from collections.abc import Sequence
from typing import Any

from django.db.models import Count, Q

from ratings.lists.queries import LiveList, with_ranks


def find_rank(live: LiveList, rating: int) -> int:
    """Return the rank of a rating."""
    return live.ratings.filter(rating__gt=rating).count() + 1


def find_ranks(live: LiveList, page: Sequence[dict[str, Any]]) -> list[int]:
    """Return the rank of each row of a page; one query."""
    if not page:
        return []
    rating, player = page[0]["rating"], page[0]["player_id"]
    counts = live.ratings.order_by().aggregate(
        better=Count("pk", filter=Q(rating__gt=rating)),
        tied=Count("pk", filter=Q(rating=rating, player__lt=player)),
    )
    return [rank for rank, _ in with_ranks(page, **counts)]
