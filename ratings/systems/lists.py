"""Rating lists and histories as rows of text: decimals in full, no float.

A list is ordered by rating, highest first, then by name in the order of code points.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ratings.systems.batches import DatedBatch
from ratings.systems.elo import DRAW, LOSS, WIN, PlayerState, RatedBatch

LIST_COLUMNS = ("player", "rating", "games")
HISTORY_COLUMNS = (
    "date", "event", "player", "opponent", "seat", "result",
    "expected", "k", "change", "before", "after",
)  # fmt: skip
SCORES = {WIN: "1", DRAW: "0.5", LOSS: "0"}


def format_decimal(value: int, places: int) -> str:
    """Return a number of units of the last place as a decimal: 1500250, 3 gives `1500.250`."""
    whole, rest = divmod(abs(value), 10**places)
    return f"{'-' if value < 0 else ''}{whole}.{rest:0{places}}"


def list_rows(states: Mapping[str, PlayerState]) -> Iterator[Sequence[object]]:
    """Yield the header and a row for each player with games, highest rating first."""
    yield LIST_COLUMNS
    rated = [(player, state) for player, state in states.items() if state.games]
    for player, state in sorted(rated, key=lambda item: (-item[1].rating, item[0])):
        yield player, format_decimal(state.rating, 3), state.games


def history_rows(
    rated: Iterable[tuple[DatedBatch, RatedBatch[str]]],
) -> Iterator[Sequence[object]]:
    """Yield the header and two rows per game, that of the first seat first."""
    yield HISTORY_COLUMNS
    for batch, rated_batch in rated:
        for change in rated_batch.changes():
            dated = batch.games[change.game]
            yield (
                dated.date,
                dated.event,
                change.player,
                change.opponent,
                change.seat,
                SCORES[change.score],
                format_decimal(change.expected, 6),
                format_decimal(change.k, 3),
                format_decimal(change.share, 9),
                format_decimal(change.before, 3),
                format_decimal(change.after, 3),
            )
