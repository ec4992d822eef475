"""The rating list of a pool, and the ratings of one player in each pool."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from games.imports.csv import escape_formula, write_csv
from ratings.models import Pool, Rating
from ratings.systems.lists import format_decimal

PROVISIONAL_BELOW = 10
INACTIVE_AFTER = timedelta(days=365)
RATING_FIELDS = (
    "player_id", "player__name", "player__country", "player__club", "rating", "games",
    "last_game_at",
)  # fmt: skip


def rating_list(pool: Pool, *, provisional: bool, inactive: bool) -> "QuerySet[Rating]":
    """Return the rating list of a pool, best first.

    `provisional` and `inactive` include players with few games, and without a recent game.
    """
    ratings = Rating.objects.filter(pool=pool).order_by("-rating", "player_id")
    if not provisional:
        ratings = ratings.filter(games__gte=PROVISIONAL_BELOW)
    if not inactive:
        ratings = ratings.filter(last_game_at__gt=timezone.now() - INACTIVE_AFTER)
    return ratings


def ranked_as_json(
    page: Sequence[dict[str, Any]], ratings: "QuerySet[Rating]"
) -> list[dict[str, Any]]:
    """Return the JSON of a page of a rating list: rows of `RATING_FIELDS` with their rank.

    Equal ratings share a rank: 1 2 2 4. `ratings` is the whole list; one query counts the ratings
    before the page.
    """
    if not page:
        return []
    rating, player = page[0]["rating"], page[0]["player_id"]
    before = ratings.order_by().aggregate(
        better=Count("pk", filter=Q(rating__gt=rating)),
        tied=Count("pk", filter=Q(rating=rating, player_id__lt=player)),
    )
    rank = before["better"] + 1
    rows = []
    for number, row in enumerate(page, start=rank + before["tied"]):
        if row["rating"] != rating:
            rank, rating = number, row["rating"]
        rows.append(
            {
                "rank": rank,
                "player": {
                    "id": row["player_id"],
                    "name": row["player__name"],
                    "country": row["player__country"],
                    "club": row["player__club"],
                },
                **_rating_as_json(row["rating"], row["games"], row["last_game_at"]),
            }
        )
    return rows


def list_as_csv(ratings: "QuerySet[Rating]", *, byte_order_mark: bool = False) -> str:
    """Return a whole rating list as CSV, with names escaped for spreadsheets."""
    rows: list[Sequence[object]] = [("rank", "id", "name", "country", "rating", "games")]
    rank, rating = 0, None
    values = ratings.values_list(
        "player_id", "player__name", "player__country", "rating", "games"
    ).iterator(chunk_size=2000)
    for number, (player, name, country, milli, games) in enumerate(values, start=1):
        if milli != rating:
            rank, rating = number, milli
        points = format_decimal(milli, 3)
        rows.append((rank, player, escape_formula(name), country, points, games))
    return write_csv(rows, byte_order_mark=byte_order_mark)


def player_ratings_as_json(player_id: int) -> list[dict[str, Any]]:
    """Return the JSON of a player's rating in each pool."""
    rows = Rating.objects.filter(player_id=player_id).order_by("pool__code")
    return [
        {"pool": code, **_rating_as_json(rating, games, last_game_at)}
        for code, rating, games, last_game_at in rows.values_list(
            "pool__code", "rating", "games", "last_game_at"
        )
    ]


def _rating_as_json(rating: int, games: int, last_game_at: datetime) -> dict[str, Any]:
    return {
        "rating": format_decimal(rating, 3),
        "games": games,
        "provisional": games < PROVISIONAL_BELOW,
        "inactive": last_game_at <= timezone.now() - INACTIVE_AFTER,
        "last_game_at": last_game_at,
    }
