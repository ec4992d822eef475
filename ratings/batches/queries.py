"""The batches of a pool for its officers, with the games that are excluded, by code.

Casual games: those to file with a pool, and how many of two players count on a day.
"""

from collections import defaultdict
from collections.abc import Iterable
from datetime import UTC, timedelta
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from games.models import Game
from ratings.batches.decisions import account_as_json
from ratings.models import Batch, BatchGame, Pool


def load_batches(pool: Pool) -> "QuerySet[Batch]":
    """Return the batches of a pool with their organisers."""
    return Batch.objects.filter(pool=pool).select_related("organiser", "run")


def batches_as_json(pool: Pool, batches: Iterable[Batch]) -> list[dict[str, Any]]:
    """Return the JSON of batches; one query counts their games."""
    listed = list(batches)
    counts: dict[int, dict[str, int]] = defaultdict(dict)
    games = BatchGame.objects.filter(pool=pool, batch__in=[batch.pk for batch in listed])
    rows = games.order_by().values_list("batch", "exclusion").annotate(count=Count("pk"))
    for batch_id, exclusion, count in rows:
        counts[batch_id][exclusion] = count
    return [_batch_as_json(batch, counts[batch.pk]) for batch in listed]


def _batch_as_json(batch: Batch, games: dict[str, int]) -> dict[str, Any]:
    return {
        "id": batch.pk,
        "kind": batch.kind,
        "stream": batch.stream,
        "name": batch.label,
        "organiser": account_as_json(batch.organiser),
        "state": batch.state,
        "approved": batch.approved,
        "reason": batch.reason,
        "effective_at": batch.effective_at,
        "filed_at": batch.filed_at,
        "games": sum(games.values()),
        "excluded": {code: games[code] for code in sorted(games) if code},
        "run": batch.run.number if batch.run and batch.is_rated else None,
    }


def unfiled_casual_games(pool: Pool) -> "QuerySet[Game]":
    """Return the confirmed casual games of the pool that are not filed, oldest first."""
    filed = BatchGame.objects.filter(pool=pool, game=OuterRef("pk"))
    games = Game.objects.filter(
        ~Exists(filed),
        stream="",
        rated=True,
        state=Game.State.CONFIRMED,
        pool=pool.code,
    )
    return games.select_related("first", "second").order_by("confirmed_at", "pk")


def count_casual_games(pool: Pool, game: Game) -> int:
    """Return the rated casual games of the same two players on the day of a confirmed game (UTC).

    A player stands for everybody merged into them.
    """
    if game.confirmed_at is None:
        return 0
    seats = [player.current_id for player in (game.first, game.second)]
    start = game.confirmed_at.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    of_day = Batch.objects.filter(
        pool=pool,
        kind=Batch.Kind.GAME,
        effective_at__gte=start,
        effective_at__lt=start + timedelta(days=1),
    )
    between = Q(first=seats[0], second=seats[1]) | Q(first=seats[1], second=seats[0])
    rows = BatchGame.objects.filter(between, pool=pool, batch__in=of_day.values("pk"))
    return rows.filter(exclusion="").exclude(game=game.pk).count()
