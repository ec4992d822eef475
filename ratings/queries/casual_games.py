"""Casual games: those to file with a pool, and how many of two players count on a day."""

from datetime import UTC, timedelta

from django.db.models import Exists, OuterRef, Q, QuerySet

from games.models import Game
from ratings.models import Batch, BatchGame, Pool


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
