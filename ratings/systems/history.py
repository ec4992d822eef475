"""Rate many batches in one call, on columns of numbers instead of objects.

The rules are those of `elo.py`, and so are all digits. If numba is installed, long histories are
rated by the compiled form of the same function, in 64-bit integers; a player would need millions of
games in one batch to exceed these.

A column *of seats* contains two values for each game, that of the first seat first.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ratings.systems.elo import LARGEST_DIFFERENCE, MILLION, Elo, expected_scores

Column: TypeAlias = NDArray[np.int64]

COMPILED_FROM = 300_000
"""The number of games from which loading the compiled function is worth its time."""


@dataclass(frozen=True, slots=True)
class GameColumns:
    """Games in the order in which they are rated.

    `players` is a column of seats with the number of each player, `scores` and `parts` are those of
    the first seat. `ends` contains for each batch the number of games up to its end.
    """

    players: Column
    scores: Column
    parts: Column
    ends: Column


@dataclass(frozen=True, slots=True)
class History:
    """How games changed ratings, as columns of seats; `ratings` and `games` of all players after.

    `before` and `after` are the ratings before and after the batch.
    """

    before: Column
    expected: Column
    k: Column
    after: Column
    ratings: Column
    games: Column


def is_compiled(games: int) -> bool:
    """Return True if a history of so many games is rated by the compiled function."""
    return games >= COMPILED_FROM and find_spec("numba") is not None


def rate_history(
    columns: GameColumns, ratings: Column, games: Column, elo: Elo, *, compiled: bool | None = None
) -> History:
    """Rate all batches; `ratings` and `games` are those of each player before the first.

    `compiled` chooses the compiled or the pure function, by default as `is_compiled` says.
    """
    if compiled is None:
        compiled = is_compiled(len(columns.scores))
    most_games = int((games + np.bincount(columns.players, minlength=len(games))).max(initial=0))
    k_by_games = np.array([elo.k(number) for number in range(most_games + 1)], np.int64)
    seats = [np.zeros(len(columns.players), np.int64) for _ in range(4)]
    sums = [np.zeros(len(ratings), np.int64) for _ in range(2)]
    given = [columns.players, columns.scores, columns.parts, columns.ends,
             np.array(expected_scores(), np.int64), k_by_games]  # fmt: skip
    changed = [ratings.copy(), games.copy(), *seats]
    if compiled:
        _compile()(*given, *changed, *sums)
    else:  # lists: an item of an array takes three times as long
        lists = [column.tolist() for column in changed]
        rate_columns(
            *(column.tolist() for column in given), *lists, *(column.tolist() for column in sums)
        )
        changed = [np.array(column, np.int64) for column in lists]
    ratings, games, before, expected, k, after = changed
    return History(before, expected, k, after, ratings, games)


@cache
def _compile() -> Callable[..., None]:
    import numba

    try:
        compiled: Callable[..., None] = numba.njit(cache=True)(rate_columns)
    except RuntimeError:  # there is no folder for the compiled code
        compiled = numba.njit(rate_columns)
    return compiled


def rate_columns(
    players: Any, scores: Any, parts: Any, ends: Any, expected_by_difference: Any, k_by_games: Any,
    ratings: Any, games: Any, before: Any, expected: Any, k: Any, after: Any,
    surpluses: Any, counts: Any,
) -> None:  # fmt: skip
    """Rate all batches, on lists or arrays; fill `before` to `after`, update `ratings` and `games`.

    `surpluses` and `counts` contain a zero for each player.
    """
    start = 0
    for end in ends:
        for game in range(start, end):
            seat = 2 * game
            first, second = players[seat], players[seat + 1]
            before[seat], before[seat + 1] = ratings[first], ratings[second]
            k[seat], k[seat + 1] = k_by_games[games[first]], k_by_games[games[second]]
            milli = ratings[first] - ratings[second] + parts[game]
            difference = (milli + 500) // 1000 if milli >= 0 else -((500 - milli) // 1000)
            if difference > LARGEST_DIFFERENCE:  # a call of min() takes longer
                difference = LARGEST_DIFFERENCE
            elif difference < -LARGEST_DIFFERENCE:
                difference = -LARGEST_DIFFERENCE
            first_expected = expected_by_difference[difference]
            expected[seat] = first_expected
            expected[seat + 1] = MILLION - first_expected
            surplus = scores[game] - first_expected
            surpluses[first] += surplus
            surpluses[second] -= surplus
            counts[first] += 1
            counts[second] += 1
        for seat in range(2 * start, 2 * end):
            player = players[seat]
            if counts[player]:
                share = surpluses[player] * k[seat]
                if share >= 0:
                    ratings[player] += (share + MILLION // 2) // MILLION
                else:
                    ratings[player] -= (MILLION // 2 - share) // MILLION
                games[player] += counts[player]
                surpluses[player] = counts[player] = 0
        for seat in range(2 * start, 2 * end):
            after[seat] = ratings[players[seat]]
        start = end
