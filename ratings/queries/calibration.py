"""The rated games of a pool, to estimate the values of handicaps from."""

from collections.abc import Iterator

from ratings.models import Pool
from ratings.queries.conditions import read_handicap
from ratings.queries.lists import PROVISIONAL_BELOW
from ratings.queries.settled_games import Row, load_settled_games
from ratings.systems.calibration import CalibrationGame
from ratings.systems.handicap import amounts_of_conditions

FIELDS = (
    "before", "score", "expected", "game__game", "game__board", "game__handicap", "game__swap",
)  # fmt: skip


def load_calibration_games(pool: Pool) -> Iterator[tuple[CalibrationGame, int]]:
    """Yield the settled games with the expected score of the first seat in millionths, in order."""
    for first, second in load_settled_games(pool, *FIELDS, settled_from=PROVISIONAL_BELOW):
        yield _make_game(first, second), first[5]


def _make_game(first: Row, second: Row) -> CalibrationGame:
    """Return the game of the changes of its two players."""
    _, player, k, rating, score, _, game, board, handicap, swap = first
    _, opponent, opponent_k, opponent_rating, *_ = second
    amounts = amounts_of_conditions(game, board, read_handicap(handicap), swap=swap)
    return CalibrationGame(player, opponent, rating, opponent_rating, k, opponent_k, amounts, score)
