"""The verbs of ratings."""

from ratings.services.filing import file_batch, file_casual_games, file_game
from ratings.services.pools import create_pool
from ratings.services.running import advance_pool
from ratings.services.verifying import verify_pool

__all__ = [
    "advance_pool",
    "create_pool",
    "file_batch",
    "file_casual_games",
    "file_game",
    "verify_pool",
]
