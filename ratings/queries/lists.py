"""The rating list of a pool, and where one player stands in each."""

import csv
import io
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from ratings.models import Pool, Rating
from ratings.systems.lists import decimal, without_formula

PROVISIONAL_BELOW = 10
INACTIVE_AFTER = timedelta(days=365)
RATING_FIELDS = (
    "player_id", "player__name", "player__country", "player__club", "rating", "games",
    "last_game_at",
)  # fmt: skip


def listed(
    pool: Pool, *, provisional: bool = False, inactive: bool = False, now: datetime | None = None
) -> "QuerySet[Rating]":
    """The rating list, best first: established players who played within twelve months.

    `provisional` and `inactive` put the others on it too.
    """
    ratings = Rating.objects.filter(pool=pool).order_by("-rating", "player_id")
    if not provisional:
        ratings = ratings.filter(games__gte=PROVISIONAL_BELOW)
    if not inactive:
        ratings = ratings.filter(last_game_at__gt=(now or timezone.now()) - INACTIVE_AFTER)
    return ratings


def ranked(page: Sequence[dict[str, Any]], everybody: "QuerySet[Rating]") -> list[dict[str, Any]]:
    """Rows of `RATING_FIELDS` as the API shows them; equal ratings share a rank: 1 2 2 4.

    `everybody` is the list that the page is of; one query counts who stands above the page.
    """
    if not page:
        return []
    top, player = page[0]["rating"], page[0]["player_id"]
    counted = everybody.order_by().aggregate(
        better=Count("pk", filter=Q(rating__gt=top)),
        tied=Count("pk", filter=Q(rating=top, player_id__lt=player)),
    )
    rank, place, rating = counted["better"] + 1, counted["better"] + counted["tied"], top
    rows = []
    for row in page:
        place += 1
        if row["rating"] != rating:
            rank, rating = place, row["rating"]
        rows.append(
            {
                "rank": rank,
                "player": {
                    "id": row["player_id"],
                    "name": row["player__name"],
                    "country": row["player__country"],
                    "club": row["player__club"],
                },
                **standing(row["rating"], row["games"], row["last_game_at"]),
            }
        )
    return rows


def list_csv(everybody: "QuerySet[Rating]", *, byte_order_mark: bool = False) -> str:
    """A whole rating list as CSV, LF line ends; names that read as formulas are disarmed."""
    written = io.StringIO()
    lines = csv.writer(written, lineterminator="\n")
    lines.writerow(["rank", "id", "name", "country", "rating", "games"])
    rank, rating = 0, None
    rows = everybody.values(*RATING_FIELDS).iterator(chunk_size=2000)
    for place, row in enumerate(rows, start=1):
        if row["rating"] != rating:
            rank, rating = place, row["rating"]
        name = without_formula(row["player__name"])
        country, points = row["player__country"], decimal(row["rating"], 3)
        lines.writerow([rank, row["player_id"], name, country, points, row["games"]])
    return ("\ufeff" if byte_order_mark else "") + written.getvalue()


def standing(rating: int, games: int, last_game_at: datetime) -> dict[str, Any]:
    """A rating as the API shows it, with what is to be known of it."""
    return {
        "rating": decimal(rating, 3),
        "games": games,
        "provisional": games < PROVISIONAL_BELOW,
        "inactive": last_game_at <= timezone.now() - INACTIVE_AFTER,
        "last_game_at": last_game_at,
    }


def player_standings(player_id: int) -> list[dict[str, Any]]:
    """Where a player stands in each pool."""
    rows = Rating.objects.filter(player_id=player_id).order_by("pool__code")
    return [
        {"pool": code, **standing(rating, games, last_game_at)}
        for code, rating, games, last_game_at in rows.values_list(
            "pool__code", "rating", "games", "last_game_at"
        )
    ]
