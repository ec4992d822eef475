"""The rated games of a pool, to estimate the values of handicaps from."""

from collections.abc import Iterator

from games.core.uploads.progress import Progress, no_progress
from games.rules.registry import FIRST_GAME
from ratings.core.conditions import read_handicap
from ratings.lists.queries import PROVISIONAL_BELOW
from ratings.models import Pool
from ratings.queries.settled_games import Row, load_settled_games
from ratings.queries.tables import load_table
from ratings.systems.handicap import amounts_of_conditions, values_of
from ratings.systems.research.calibration import CalibrationGame, CalibrationReport, make_report

CALIBRATION_FIELDS = (
    "before", "score", "expected", "game__game", "game__board", "game__handicap", "game__swap",
    "game__first_rating", "game__second_rating",
)  # fmt: skip
SHOWN = (FIRST_GAME, "10")
"""The game and board whose values the report states beside the estimates."""


def calibrate_pool(pool: Pool, progress: Progress = no_progress) -> CalibrationReport:
    """Return the values of handicaps by the games of a pool; raises NotEstimable."""
    values = values_of(load_table(pool.handicap_table), *SHOWN)
    return make_report(pool.handicap_table, values, load_calibration_games(pool, progress))


def load_calibration_games(
    pool: Pool, progress: Progress = no_progress
) -> Iterator[tuple[CalibrationGame, int]]:
    """Yield the settled games with the expected score of the first seat in millionths, in order.

    The ratings are the published ones by which a handicap was chosen, where the game stores them;
    those before the batch may know results that were not known then.
    """
    games = load_settled_games(
        pool, *CALIBRATION_FIELDS, settled_from=PROVISIONAL_BELOW, progress=progress
    )
    for first, second in games:
        yield _make_game(first, second), first[6]


def _make_game(first: Row, second: Row) -> CalibrationGame:
    """Return the game of the changes of its two players."""
    _, player, k, _, before, score, _, game, board, handicap, swap, *published = first
    _, opponent, opponent_k, _, opponent_before, *_ = second
    rating, other = (before, opponent_before) if None in published else published
    amounts = amounts_of_conditions(game, board, read_handicap(handicap), swap=swap)
    return CalibrationGame(player, opponent, rating, other, k, opponent_k, amounts, score)
