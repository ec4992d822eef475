"""The ranks of the live rating list, found by the blocks of its pool.

A rank is one more than the number of better ratings. These are the ratings in the blocks above
(`RatingBlock`), and the better ones in the same block, so that a million players take as long as
a thousand. While the blocks are those of an earlier run or day, all better ratings are counted.
"""

from collections.abc import Sequence
from typing import Any, Final

from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from ratings.models import Pool, RatingBlock
from ratings.queries.lists import PROVISIONAL_BELOW, LiveList, inactive_before, with_ranks
from ratings.systems.elo import MILLI

COUNTED: Final = {
    (False, False): "listed",
    (True, False): "active",
    (False, True): "established",
    (True, True): "players",
}
"""The column of a block, by whether the list includes provisional and inactive players."""

LOWEST: Final = 1_000_000
"""Points below which no rating is; its sum with any rating in milli is a 32-bit integer."""


def find_rank(live: LiveList, rating: int) -> int:
    """Return the rank of a rating."""
    return _count_before(live, rating, 0)[0] + 1


def find_ranks(live: LiveList, page: Sequence[dict[str, Any]]) -> list[int]:
    """Return the rank of each row of a page, in a fixed number of queries."""
    if not page:
        return []
    better, tied = _count_before(live, page[0]["rating"], page[0]["player_id"])
    return [rank for rank, _ in with_ranks(page, better=better, tied=tied)]


def _count_before(live: LiveList, rating: int, player: int) -> tuple[int, int]:
    """Return the number of better ratings, and of equal ones of players with a smaller id."""
    column = COUNTED[live.provisional, live.inactive]
    blocks = RatingBlock.objects.filter(
        pool=OuterRef("pk"), run=OuterRef("current_run"), counted_on=live.terms.as_of.date()
    )
    above = Coalesce(Sum(column, filter=Q(points__gt=rating // MILLI)), 0)
    end = (rating // MILLI + 1) * MILLI
    ratings = live.ratings.order_by()
    counts = Pool.objects.filter(pk=live.pool.pk).values_list(
        Subquery(blocks.values("pool").annotate(total=above).values("total")),
        _count(ratings.filter(rating__gt=rating, rating__lt=end)),
        _count(ratings.filter(rating=rating, player__lt=player)),
    )
    in_blocks, in_block, tied = counts.get()
    if in_blocks is None:
        return live.ratings.filter(rating__gt=rating).count(), tied
    return in_blocks + in_block, tied


def _count(ratings: "QuerySet[Any]") -> Coalesce:
    """Return the number of these ratings of one pool as an expression."""
    counted = ratings.values("pool").annotate(total=Count("pk")).values("total")
    return Coalesce(Subquery(counted), 0)


def are_blocks_due(live: LiveList) -> bool:
    """Return True if the blocks of a pool are those of an earlier run or day."""
    blocks = RatingBlock.objects.filter(
        pool=live.pool, run=live.pool.current_run, counted_on=live.terms.as_of.date()
    )
    return not blocks.exists() and live.pool.ratings.exists()


def load_blocks(live: LiveList) -> list[RatingBlock]:
    """Return the blocks of a pool as they are now, unsaved."""
    established = Q(games__gte=PROVISIONAL_BELOW)
    active = Q(last_game_at__gt=inactive_before(live.terms.as_of))
    # Databases round a negative quotient towards zero, so divide positive numbers.
    points = (F("rating") + LOWEST * MILLI) / MILLI - LOWEST
    rows = live.pool.ratings.order_by().values_list(points)
    counted = rows.annotate(
        players=Count("pk"),
        established=Count("pk", filter=established),
        active=Count("pk", filter=active),
        listed=Count("pk", filter=established & active),
    )
    run, day = live.pool.current_run, live.terms.as_of.date()
    return [
        RatingBlock(
            pool=live.pool,
            run=run,
            counted_on=day,
            **dict(zip(("points", "players", "established", "active", "listed"), row, strict=True)),
        )
        for row in counted
    ]
