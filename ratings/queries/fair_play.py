"""The rated games of a pool, to test the results of its players."""

from collections.abc import Iterator

from games.imports.progress import Progress, no_progress
from ratings.models import Pool
from ratings.queries.settled_games import load_settled_games
from ratings.systems.fair_play import SETTLED_FROM, FairPlayGame

FIELDS = ("before", "score", "handicap_part", "game_id")


def load_fair_play_games(pool: Pool, progress: Progress = no_progress) -> Iterator[FairPlayGame]:
    """Yield the settled games in order."""
    games = load_settled_games(pool, *FIELDS, settled_from=SETTLED_FROM, progress=progress)
    for first, second in games:
        batch, player, k, rating, score, part, game = first
        _, opponent, opponent_k, opponent_rating, *_ = second
        yield FairPlayGame(
            game, batch, player, opponent, rating, opponent_rating, k, opponent_k, part, score
        )
