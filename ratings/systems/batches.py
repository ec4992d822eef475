"""The batches of a file of games, in the order in which they are rated, and their ratings.

The games of one event are a batch, placed at the last date among them; a game without an event is
a batch of its own. Batches go by date; on one date single games precede events, single games go in
the order of the file, events by name. FIDE's system rates the batches of a month together.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from ratings.systems.elo import RatedGame, RatingChange, rate_batch
from ratings.systems.fide import Fide, is_junior, rate_period
from ratings.systems.games_file import FileGame
from ratings.systems.presets import RatingSystem
from ratings.systems.seeds_file import Seed

MONTH_LENGTH = len("YYYY-MM")


class FileBatch(NamedTuple):
    """The games of an event, or a single game with an empty event, and the date of the batch."""

    date: str
    event: str
    games: Sequence[FileGame]


class RatedGames(NamedTuple):
    """Games that were rated together, and their changes."""

    games: Sequence[FileGame]
    changes: Iterator[RatingChange[str]]


def order_games(
    games: Iterable[FileGame], *, by_game: bool = False, by_month: bool = False
) -> list[list[FileBatch]]:
    """Return the batches that are rated together, in their order.

    `by_game` makes every game a batch of its own, whatever its event. `by_month` rates the batches
    of a month together.
    """
    batches: list[FileBatch] = []
    events: dict[str, list[FileGame]] = defaultdict(list)
    for game in games:
        if game.event and not by_game:
            events[game.event].append(game)
        else:
            batches.append(FileBatch(game.date, "", [game]))
    for event, own in events.items():
        batches.append(FileBatch(max(game.date for game in own), event, own))
    batches.sort(key=attrgetter("date", "event"))
    if by_month:
        return [list(own) for _, own in groupby(batches, key=month_of)]
    return [[batch] for batch in batches]


def month_of(batch: FileBatch) -> str:
    """Return the month of a batch, as in `2026-03`."""
    return batch.date[:MONTH_LENGTH]


def rate_batches(
    periods: Iterable[Sequence[FileBatch]],
    states: dict[str, Any],
    seeds: Mapping[str, Seed],
    system: RatingSystem,
) -> Iterator[RatedGames]:
    """Rate what `order_games` returns, and update the states of the players.

    A player without a state starts as a new one of the system.
    """
    for period in periods:
        games = [game for batch in period for game in batch.games]
        rated = [RatedGame(game.first, game.second, game.score, game.part) for game in games]
        if isinstance(system, Fide):
            year, month = map(int, month_of(period[0]).split("-"))
            result: Any = rate_period(
                states,
                rated,
                system,
                period=year * 12 + month - 1,
                events=[number for number, batch in enumerate(period) for _ in batch.games],
                juniors={
                    player
                    for player, seed in seeds.items()
                    if seed.birth_year is not None and is_junior(seed.birth_year, year)
                },
            )
        else:
            result = rate_batch(states, rated, system)
        states |= result.states()
        yield RatedGames(games, result.changes())
