"""The rated games of a pool, to test the results of its players."""

from collections.abc import Iterator

from games.core.uploads.progress import Progress, no_progress
from ratings.models import Pool
from ratings.queries.settled_games import load_settled_games
from ratings.systems.intervals import deviation_of
from ratings.systems.presets import find_preset
from ratings.systems.research.fair_play import SETTLED_FROM, FairPlayGame

FAIR_PLAY_FIELDS = ("before", "score", "handicap_part", "game_id")


def load_fair_play_games(pool: Pool, progress: Progress = no_progress) -> Iterator[FairPlayGame]:
    """Yield the settled games in order."""
    system = find_preset(pool.preset, pool.parameters)
    games = load_settled_games(
        pool, *FAIR_PLAY_FIELDS, settled_from=SETTLED_FROM, progress=progress
    )
    for first, second in games:
        batch, player, _, own_games, rating, score, part, game = first
        _, opponent, _, other_games, opponent_rating, *_ = second
        errors = (
            round(deviation_of(system, rating, own_games)),
            round(deviation_of(system, opponent_rating, other_games)),
        )
        yield FairPlayGame(
            game, batch, player, opponent, rating, opponent_rating, *errors, part, score
        )
