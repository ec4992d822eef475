"""Rate a file of games by FIDE's system, month by month."""

from collections.abc import Mapping, Sequence

import numpy as np

from ratings.systems.elo import RatedGame
from ratings.systems.fide import Fide, FideState, is_junior, rate_period, start_rated
from ratings.systems.history import GameColumns, History
from ratings.systems.seeds_file import Seed


def rate_fide_history(
    columns: GameColumns,
    months: Sequence[int],
    events: Sequence[int],
    players: Sequence[str],
    seeds: Mapping[str, Seed],
    fide: Fide,
) -> History:
    """Rate games whose batches are the periods, and which are in the order of their events.

    `months` are the numbers of the periods, twelve times the year and the month, `events` the
    numbers of the events of the games.

    A player without a seed rating is unrated; the games of a player who is so at the end are not
    counted.
    """
    states: dict[int, FideState] = {}
    birth_years: dict[int, int] = {}
    for player, name in enumerate(players):
        seed = seeds.get(name)
        if seed is not None and seed.rating is not None:
            states[player] = start_rated(
                seed.rating, seed.games, has_reached_2400=seed.reached_2400
            )
        if seed is not None and seed.birth_year is not None:
            birth_years[player] = seed.birth_year

    seats = columns.players.tolist()
    games = list(
        map(RatedGame, seats[::2], seats[1::2], columns.scores.tolist(), columns.parts.tolist())
    )
    values: list[tuple[int, int, int, int]] = []
    start = 0
    for end, month in zip(columns.ends.tolist(), months, strict=True):
        year = month // 12
        juniors = {player for player, born in birth_years.items() if is_junior(born, year)}
        rated = rate_period(
            states,
            games[start:end],
            fide,
            period=month,
            events=events[start:end],
            juniors=juniors,
        )
        values += [(row.before, row.expected, row.k, row.after) for row in rated.changes()]
        states |= rated.states()
        start = end
    final = [states.get(player, FideState()) for player in range(len(players))]
    before, expected, k, after = np.array(values, np.int64).reshape(-1, 4).T
    ratings = np.array([state.rating for state in final], np.int64)
    rated_games = np.array([state.games if state.rating else 0 for state in final], np.int64)
    return History(before, expected, k, after, ratings, rated_games)
