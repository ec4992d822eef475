"""The ratings of players as the live list of a pool has them."""

from collections.abc import Sequence
from typing import NamedTuple

from django.db.models.functions import Coalesce

from games.bulk import chunks
from games.models import Player
from ratings.models import Rating


class PublishedRating(NamedTuple):
    """A rating in milli, and the number of rated games."""

    rating: int
    games: int


def load_published_ratings(pool: str, players: Sequence[int]) -> dict[int, PublishedRating]:
    """Return the ratings in the pool with this code, by player, without the unrated ones.

    A merged player has the rating of the player they were merged into.
    """
    found: dict[int, PublishedRating] = {}
    for numbers in chunks(players) if pool else ():
        current = dict(
            Player.objects.filter(pk__in=numbers).values_list(
                "pk", Coalesce("merged_into_id", "pk")
            )
        )
        rows = Rating.objects.filter(pool__code=pool, player__in=set(current.values()))
        ratings = {
            player: PublishedRating(rating, games)
            for player, rating, games in rows.values_list("player_id", "rating", "games")
        }
        found |= {player: ratings[pk] for player, pk in current.items() if pk in ratings}
    return found
