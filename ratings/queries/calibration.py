"""The rated games of a pool, to estimate the values of handicaps from."""

from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any

from ratings.models import CURRENT, Change, Pool
from ratings.queries.eligibility import read_handicap
from ratings.queries.lists import PROVISIONAL_BELOW
from ratings.systems.calibration import CalibrationGame
from ratings.systems.handicap import amounts_of_conditions

FIELDS = (
    "batch_id", "player_id", "before", "k", "score", "expected",
    "game__game", "game__board", "game__handicap", "game__swap",
)  # fmt: skip


def load_calibration_games(pool: Pool) -> Iterator[tuple[CalibrationGame, int]]:
    """Yield the rated games with the expected score of the first seat in millionths, in order.

    A game is left out if one of its players was unrated, or had fewer than ten rated games in the
    pool before its batch: their rating is still near its start, whatever their strength.
    """
    counts: Counter[int] = Counter()
    changes = (
        Change.objects.filter(CURRENT, pool=pool)
        .order_by("batch__effective_at", "batch_id", "game_id", "seat")
        .values_list(*FIELDS)
        .iterator(chunk_size=2000)
    )
    for _, batch in groupby(changes, key=itemgetter(0)):
        rows = list(batch)
        for first, second in zip(rows[::2], rows[1::2], strict=True):
            is_counted = (
                first[3] > 0
            )  # K is zero if one of the players is unrated, in FIDE's system
            if is_counted and min(counts[first[1]], counts[second[1]]) >= PROVISIONAL_BELOW:
                yield _make_game(first, second), first[5]
        counts.update(row[1] for row in rows)


def _make_game(first: tuple[Any, ...], second: tuple[Any, ...]) -> CalibrationGame:
    """Return the game of the changes of its two players."""
    _, player, rating, k, score, _, game, board, handicap, swap = first
    _, opponent, opponent_rating, opponent_k, *_ = second
    amounts = amounts_of_conditions(game, board, read_handicap(handicap), swap=swap)
    return CalibrationGame(player, opponent, rating, opponent_rating, k, opponent_k, amounts, score)
