"""The rating list of a pool, and the ratings of one player in each pool.

A published list (queries/published_lists.py) has the same rows.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from games.http.errors import NotFound
from games.models import Player
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
Listed = QuerySet[Rating] | QuerySet[ListedRating]
"""The rows of a whole list, best first."""


class ListTerms(NamedTuple):
    """What a list depends on, apart from the ratings: the system, the time, and its rules."""

    system: RatingSystem
    as_of: datetime
    rules: dict[str, str]


def current_terms(pool: Pool, *, provisional: bool = False, inactive: bool = False) -> ListTerms:
    """Return the terms of the live list of a pool, and of the players whom it includes."""
    system = find_preset(pool.preset, pool.parameters)
    return ListTerms(system, timezone.now(), list_rules(provisional, inactive))


def list_rules(provisional: bool = False, inactive: bool = False) -> dict[str, str]:
    """Return what a list says about itself, in words."""
    return {
        "provisional": f"players with fewer than {PROVISIONAL_BELOW} games are"
        f" {'marked with a question mark' if provisional else 'not on the list'}",
        "inactive": f"players without a game for {INACTIVE_AFTER.days} days are"
        f" {'' if inactive else 'not '}on the list",
        "rank": "equal ratings share a rank",
        "interval": METHOD,
    }


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


def place_as_json(
    player: Player, rated: Listed, ratings: Listed, terms: ListTerms
) -> dict[str, Any]:
    """Return the JSON of a player's row on a rating list, with the rules of the list.

    `rated` are all ratings, `ratings` those on the list; a player who is not on the list has no
    rank. Raises NotFound for a player without a rating.
    """
    row = rated.filter(player=player).values(*RATING_FIELDS).first()
    if row is None:
        raise NotFound("not_found", f"player {player.pk} has no rating here")
    is_listed = ratings.filter(player=player).exists()
    better = ratings.order_by().filter(rating__gt=row["rating"]).count() if is_listed else 0
    return {**_row_as_json(better + 1 if is_listed else None, row, terms), "rules": terms.rules}


def list_rows(ratings: Listed, terms: ListTerms) -> Iterator[dict[str, Any]]:
    """Yield the JSON of each row of a whole rating list, as on its pages."""
    for rank, row in _with_ranks(ratings.values(*RATING_FIELDS).iterator(chunk_size=2000)):
        yield _row_as_json(rank, row, terms)


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


def _row_as_json(rank: int | None, row: dict[str, Any], terms: ListTerms) -> dict[str, Any]:
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
