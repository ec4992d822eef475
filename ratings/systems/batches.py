"""The batches of a file of games, in the order in which they are rated.

The games of one event are a batch, placed at the last date among them; a game without an event is
a batch of its own. Batches go by date; on one date single games precede events, single games go in
the order of the file, events by name.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ratings.systems.elo import Elo, PlayerState, RatedBatch, RatedGame, rate_batch


@dataclass(frozen=True, slots=True)
class DatedGame:
    """A game of a file: its date as `YYYY-MM-DD`, its event (empty for a single game)."""

    date: str
    event: str
    game: RatedGame[str]


@dataclass(frozen=True, slots=True)
class DatedBatch:
    """Games that are rated together, and the date on which they are."""

    date: str
    event: str
    games: Sequence[DatedGame]


def order_batches(games: Iterable[DatedGame], *, by_game: bool = False) -> list[DatedBatch]:
    """Return the batches in the order in which they are rated.

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
        DatedBatch(max(game.date for game in event_games), event, event_games)
        for event, event_games in events.items()
    ]
    return sorted(
        [*single, *together], key=lambda batch: (batch.date, bool(batch.event), batch.event)
    )


def rate_batches(
    batches: Iterable[DatedBatch], states: dict[str, PlayerState], elo: Elo
) -> Iterator[tuple[DatedBatch, RatedBatch[str]]]:
    """Rate batch after batch; `states` is updated after each of them."""
    for batch in batches:
        rated = rate_batch(states, [dated.game for dated in batch.games], elo)
        states.update(rated.states())
        yield batch, rated
