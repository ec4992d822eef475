"""Reads: a fixed number of queries each, rows to plain values.

Ratings, K and shares leave here as decimals in text, exact to the last digit.
"""

from ratings.queries.changes import (
    CHANGE_FIELDS,
    change_as_dict,
    game_ratings,
    history,
    rated_player,
)
from ratings.queries.lists import RATING_FIELDS, list_csv, listed, player_standings, ranked
from ratings.queries.pools import (
    RUN_FIELDS,
    batch_progress,
    find_pool,
    is_due,
    pool_as_dict,
    run_as_dict,
)

__all__ = [
    "CHANGE_FIELDS",
    "RATING_FIELDS",
    "RUN_FIELDS",
    "batch_progress",
    "change_as_dict",
    "find_pool",
    "game_ratings",
    "history",
    "is_due",
    "list_csv",
    "listed",
    "player_standings",
    "pool_as_dict",
    "ranked",
    "rated_player",
    "run_as_dict",
]
