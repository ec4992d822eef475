"""The ratings after a run, current or not, and how those after two runs differ."""

from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery

from games.core.errors import NotFound
from games.models import Game
from games.rules.text import Text
from ratings.core.pools import find_run
from ratings.models import BatchGame, Pool, Run, RunRating
from ratings.systems.lists import format_decimal

DIFFERENCE_FIELDS = (
    "player_id", "player__name", "rating", "games", "rating_before", "games_before",
)  # fmt: skip


def _last_rows(run: Run) -> "QuerySet[RunRating]":
    """Return the row of each player after a run; later runs do not change it."""
    rows = RunRating.objects.filter(pool=run.pool_id, run__lte=run.pk)
    later = rows.filter(player=OuterRef("player"), run__gt=OuterRef("run"))
    return rows.filter(~Exists(later))


def rating_differences(
    pool: Pool, later: int, earlier: int, visible_games: "QuerySet[Game]"
) -> "QuerySet[Any]":
    """Return the players whose rating after two runs differs, as rows of `DIFFERENCE_FIELDS`.

    Before the first run, number 0, no player has a rating. Players of a game that is not visible
    are left out: who else changed in the same run would be their opponent. Raises NotFound.
    """
    run = find_run(pool, later)
    if earlier >= later:
        raise NotFound(
            "not_found",
            Text("run %(number)s is not earlier than run %(other)s", number=earlier, other=later),
        )
    start = find_run(pool, earlier).pk if earlier else 0
    before = RunRating.objects.filter(pool=pool, player=OuterRef("player"), run__lte=start)
    last = before.order_by("-run")
    own = Q(first=OuterRef("player")) | Q(second=OuterRef("player"))
    is_visible = Exists(visible_games.filter(pk=OuterRef("game")))
    hidden = BatchGame.objects.filter(own, ~is_visible, pool=pool)
    return (
        _last_rows(run)
        .filter(~Exists(hidden), run__gt=start)
        .annotate(
            rating_before=Subquery(last.values("rating")[:1]),
            games_before=Subquery(last.values("games")[:1]),
        )
        .filter(
            Q(rating__lt=F("rating_before"))
            | Q(rating__gt=F("rating_before"))
            | Q(rating__isnull=True, rating_before__isnull=False)
            | Q(rating__isnull=False, rating_before__isnull=True)
        )
    )


def difference_as_json(row: dict[str, Any]) -> dict[str, Any]:
    """Return the JSON of a row of `DIFFERENCE_FIELDS`."""
    before, after = row["rating_before"], row["rating"]
    is_in_both = before is not None and after is not None
    return {
        "player": {"id": row["player_id"], "name": row["player__name"]},
        "before": _rating_as_json(before, row["games_before"]),
        "after": _rating_as_json(after, row["games"]),
        "difference": format_decimal(after - before, 3) if is_in_both else None,
    }


def _rating_as_json(rating: int | None, games: int) -> dict[str, Any] | None:
    return None if rating is None else {"rating": format_decimal(rating, 3), "games": games}
