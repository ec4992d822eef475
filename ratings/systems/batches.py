"""Games put into batches, and the batches into the order in which they are rated.

The games of one event are a batch, placed at the last date among them; a game without an event is
a batch of its own. Batches go by date; on one date single games come before events, single games
in the order of the file, events by name.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ratings.systems.elo import RatedGame


@dataclass(frozen=True, slots=True)
class DatedGame:
    """A game of a file: its date as `YYYY-MM-DD`, its event (empty for a single game)."""

    date: str
    event: str
    game: RatedGame[str]


@dataclass(frozen=True, slots=True)
class DatedBatch:
    """Games that are rated together, and the date at which they are."""

    date: str
    event: str
    games: Sequence[DatedGame]


def ordered_batches(games: Iterable[DatedGame], *, by_game: bool = False) -> list[DatedBatch]:
    """The batches in the order in which they are rated.

    `by_game` makes every game a batch of its own, whatever its event.
    """
    single: list[DatedBatch] = []
    events: dict[str, list[DatedGame]] = {}
    for game in games:
        if by_game or not game.event:
            single.append(DatedBatch(game.date, "", [game]))
        else:
            events.setdefault(game.event, []).append(game)
    together = [
        DatedBatch(max(game.date for game in of_event), event, of_event)
        for event, of_event in events.items()
    ]
    return sorted(
        [*single, *together], key=lambda batch: (batch.date, bool(batch.event), batch.event)
    )
