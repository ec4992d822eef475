"""The rating list of a pool in every format, and the ratings of one player in each pool.

A published list (queries/published_lists.py) has the same rows.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from games.http.ndjson import write_ndjson
from games.imports.csv import escape_formula, write_csv
from ratings.models import ListedRating, Pool, Rating
from ratings.systems.intervals import METHOD, interval_of
from ratings.systems.lists import format_decimal
from ratings.systems.presets import RatingSystem, find_preset

PROVISIONAL_BELOW = 10
INACTIVE_AFTER = timedelta(days=365)
RATING_FIELDS = (
    "player_id", "player__name", "player__country", "player__club", "rating", "games",
    "last_game_at",
)  # fmt: skip
CSV_COLUMNS = ("rank", "id", "name", "country", "rating", "low", "high", "games")
RULES = {
    "provisional": f"players with fewer than {PROVISIONAL_BELOW} games are not on the list",
    "inactive": f"players without a game for {INACTIVE_AFTER.days} days are not on the list",
    "rank": "equal ratings share a rank",
    "interval": METHOD,
}
"""What a list says about itself."""

Listed = QuerySet[Rating] | QuerySet[ListedRating]
"""The rows of a whole list, best first."""


class ListTerms(NamedTuple):
    """What the rows of a list depend on, apart from the ratings: the system and the time."""

    system: RatingSystem
    as_of: datetime


def current_terms(pool: Pool) -> ListTerms:
    """Return the terms of the live list of a pool."""
    return ListTerms(find_preset(pool.preset, pool.parameters), timezone.now())


def rating_list(
    pool: Pool, *, now: datetime, provisional: bool = False, inactive: bool = False
) -> "QuerySet[Rating]":
    """Return the rating list of a pool, best first.

    `provisional` and `inactive` include players with few games, and without a recent game.
    """
    ratings = Rating.objects.filter(pool=pool).order_by("-rating", "player_id")
    if not provisional:
        ratings = ratings.filter(games__gte=PROVISIONAL_BELOW)
    if not inactive:
        ratings = ratings.filter(last_game_at__gt=now - INACTIVE_AFTER)
    return ratings


def page_as_json(
    page: Sequence[dict[str, Any]], ratings: Listed, terms: ListTerms
) -> list[dict[str, Any]]:
    """Return the JSON of a page of a rating list: rows of `RATING_FIELDS` with their rank.

    `ratings` is the whole list; one query counts the ratings before the page.
    """
    if not page:
        return []
    rating, player = page[0]["rating"], page[0]["player_id"]
    before = ratings.order_by().aggregate(
        better=Count("pk", filter=Q(rating__gt=rating)),
        tied=Count("pk", filter=Q(rating=rating, player_id__lt=player)),
    )
    ranked = _with_ranks(page, better=before["better"], tied=before["tied"])
    return [_row_as_json(rank, row, terms) for rank, row in ranked]


def list_as_csv(ratings: Listed, terms: ListTerms, *, byte_order_mark: bool = False) -> str:
    """Return a whole rating list as CSV, with names escaped for spreadsheets."""
    lines = (
        (
            rank,
            row["player_id"],
            escape_formula(row["player__name"]),
            row["player__country"],
            format_decimal(row["rating"], 3),
            *interval_of(terms.system, row["rating"], row["games"]),
            row["games"],
        )
        for rank, row in _with_ranks(_rows_of(ratings))
    )
    return write_csv([CSV_COLUMNS, *lines], byte_order_mark=byte_order_mark)


def list_as_ndjson(ratings: Listed, terms: ListTerms) -> str:
    """Return a whole rating list as NDJSON: the rows of its pages, one on each line."""
    ranked = _with_ranks(_rows_of(ratings))
    return write_ndjson(_row_as_json(rank, row, terms) for rank, row in ranked)


def player_ratings_as_json(player_id: int) -> list[dict[str, Any]]:
    """Return the JSON of a player's rating in each pool."""
    ratings = Rating.objects.filter(player_id=player_id).select_related("pool")
    return [
        {
            "pool": rating.pool.code,
            **_rating_as_json(vars(rating), current_terms(rating.pool)),
        }
        for rating in ratings.order_by("pool__code")
    ]


def _rows_of(ratings: Listed) -> Iterator[dict[str, Any]]:
    return ratings.values(*RATING_FIELDS).iterator(chunk_size=2000)


def _with_ranks(
    rows: Iterable[dict[str, Any]], *, better: int = 0, tied: int = 0
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield each row with its rank; equal ratings share a rank: 1 2 2 4.

    Before the first row, `better` rows of the list have a higher rating and `tied` rows the same.
    """
    rank, rating = better + 1, None
    for number, row in enumerate(rows, start=rank + tied):
        if rating not in (None, row["rating"]):
            rank = number
        rating = row["rating"]
        yield rank, row


def _row_as_json(rank: int, row: dict[str, Any], terms: ListTerms) -> dict[str, Any]:
    return {
        "rank": rank,
        "player": {
            "id": row["player_id"],
            "name": row["player__name"],
            "country": row["player__country"],
            "club": row["player__club"],
        },
        **_rating_as_json(row, terms),
    }


def _rating_as_json(row: dict[str, Any], terms: ListTerms) -> dict[str, Any]:
    interval = interval_of(terms.system, row["rating"], row["games"])
    return {
        "rating": format_decimal(row["rating"], 3),
        "interval": interval._asdict(),
        "games": row["games"],
        "provisional": row["games"] < PROVISIONAL_BELOW,
        "inactive": row["last_game_at"] <= terms.as_of - INACTIVE_AFTER,
        "last_game_at": row["last_game_at"],
    }
