"""Rate the games of many batches of a pool in one call, on columns of numbers.

Runs rate by Elo in this way. The ratings are those of `PoolState.rate_period`, with which they are
verified.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime

import numpy as np

from ratings.queries.input_columns import NO_SEED, InputColumns
from ratings.queries.openings import Openings
from ratings.services.pool_state import CHANGE_COLUMNS, ChangeRow, PoolState
from ratings.systems.elo import MILLION, Elo, PlayerState
from ratings.systems.history import Column, GameColumns, rate_history

NUMBER_COLUMNS = tuple(name for name in CHANGE_COLUMNS if name not in ("pool_id", "run_id", "seat"))
"""The columns of changes that are rated together, of which every second is that of a first seat."""


def rate_columns(
    state: PoolState,
    elo: Elo,
    games: InputColumns,
    effective_at: Mapping[int, datetime],
    openings: Mapping[int, Openings],
    *,
    compiled: bool,
) -> Column:
    """Rate games by Elo and update the state; return the changes as `NUMBER_COLUMNS`.

    `effective_at` contains the times of the batches; `compiled` is that of `rate_history`.
    """
    ids, first_seats, seats = np.unique(games.players, return_index=True, return_inverse=True)
    players = ids.tolist()
    for player, seat in zip(players, first_seats.tolist(), strict=True):
        if player not in state.players:
            seed, batch = int(games.seeds[seat]), int(games.batches[seat // 2])
            state.add_player(player, None if seed == NO_SEED else seed, openings.get(batch, {}))
    last_games = np.zeros(len(ids), np.int64)
    np.maximum.at(last_games, seats, np.arange(len(seats)) // 2)

    before = [state.players[player] for player in players]
    ratings, counts = np.array(before, np.int64).reshape(-1, 2).T
    columns = GameColumns(seats, games.scores, games.parts, games.ends)
    history = rate_history(columns, ratings, counts, elo, compiled=compiled)

    after = map(PlayerState, history.ratings.tolist(), history.games.tolist())
    state.players.update(zip(players, after, strict=True))
    last_batches = games.batches[last_games].tolist()
    state.last_game_at.update(
        zip(players, map(effective_at.__getitem__, last_batches), strict=True)
    )
    state.rated.update(players)
    scores = _both_seats(games.scores, MILLION - games.scores)
    values = {
        "batch_id": np.repeat(games.batches, 2),
        "game_id": np.repeat(games.games, 2),
        "player_id": games.players,
        "opponent_id": _swap_seats(games.players),
        "before": history.before,
        "opponent_before": _swap_seats(history.before),
        "handicap_part": _both_seats(games.parts, -games.parts),
        "expected": history.expected,
        "k": history.k,
        "score": scores,
        "share": (scores - history.expected) * history.k,
        "after": history.after,
    }
    return np.stack([values[name] for name in NUMBER_COLUMNS], axis=1)


def as_columns(changes: Sequence[ChangeRow]) -> Column:
    """Return changes, those of each game together, as `NUMBER_COLUMNS`."""
    places = [CHANGE_COLUMNS.index(name) for name in NUMBER_COLUMNS]
    numbers = [[change[place] for place in places] for change in changes]
    return np.array(numbers, np.int64).reshape(len(changes), len(places))


def _both_seats(first: Column, second: Column) -> Column:
    return np.stack([first, second], axis=1).reshape(-1)


def _swap_seats(column: Column) -> Column:
    return column.reshape(-1, 2)[:, ::-1].reshape(-1)
