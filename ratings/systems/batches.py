"""The batches of a file of games, in the order in which they are rated.

The games of one event are a batch, placed at the last date among them; a game without an event is
a batch of its own. Batches go by date; on one date single games precede events, single games go in
the order of the file, events by name.
"""

from collections.abc import Sequence

import numpy as np

from ratings.systems.games_file import GamesFile
from ratings.systems.history import Column, GameColumns

MONTH_LENGTH = len("YYYY-MM")


def order_games(
    games: GamesFile, *, by_game: bool = False, by_month: bool = False
) -> tuple[Column, GameColumns]:
    """Return the games in the order in which they are rated, after their places in the file.

    `by_game` makes every game a batch of its own, whatever its event. `by_month` rates the batches
    of a month together, as one.
    """
    dates, date = _rank(games.dates, games.date)
    events, event = _rank(games.events, games.event)
    if by_game or not events:
        event = np.zeros_like(date)
        is_single = np.ones(len(date), bool)
    else:
        is_single = event == 0 if events[0] == "" else np.zeros(len(date), bool)
        last_date = np.zeros(len(events), np.int64)
        np.maximum.at(last_date, event, date)
        date = np.where(is_single, date, last_date[event])

    order = np.lexsort((event, date))
    date, event = date[order], event[order]
    if by_month:
        months, month = _rank([text[:MONTH_LENGTH] for text in dates], date)
        is_last = np.diff(month, append=len(months)) != 0
    else:
        is_last = is_single[order]
        is_last |= np.diff(date, append=len(dates)) != 0
        is_last |= np.diff(event, append=len(events)) != 0
    players = np.stack([games.first[order], games.second[order]], axis=1)
    return order, GameColumns(
        players.reshape(-1), games.scores[order], games.parts[order], np.flatnonzero(is_last) + 1
    )


def _rank(texts: Sequence[str], numbers: Column) -> tuple[list[str], Column]:
    """Return the distinct texts in order, and a column of their places instead of their numbers."""
    ordered = sorted(set(texts))
    place = {text: number for number, text in enumerate(ordered)}
    return ordered, np.array([place[text] for text in texts], np.int64)[numbers]
