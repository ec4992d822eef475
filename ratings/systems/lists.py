"""Rating lists and histories written as CSV: LF line ends, decimals in full, no float.

A list goes by rating from the highest, then by name in the order of code points.
"""

import csv
from collections.abc import Iterable, Iterator, Mapping
from typing import TextIO

from ratings.systems.batches import DatedBatch
from ratings.systems.elo import DRAW, LOSS, WIN, Elo, PlayerState, RatedBatch, rate_batch

LIST_COLUMNS = ("player", "rating", "games")
HISTORY_COLUMNS = (
    "date", "event", "player", "opponent", "seat", "result",
    "expected", "k", "change", "before", "after",
)  # fmt: skip
SCORES = {WIN: "1", DRAW: "0.5", LOSS: "0"}


def decimal(value: int, places: int) -> str:
    """A whole number of the last place as a decimal: 1500250, 3 places, is `1500.250`."""
    whole, rest = divmod(abs(value), 10**places)
    return f"{'-' if value < 0 else ''}{whole}.{rest:0{places}}"


def without_formula(text: str) -> str:
    """Disarm text that a spreadsheet would run: it starts with = + - @, a tab or a return.

    An apostrophe goes before it, and one more where some stand there already, so that taking one
    off gives the text back. A return elsewhere becomes a space: readers of CSV disagree about it.
    """
    runs = text.lstrip("'").startswith(("=", "+", "-", "@", "\t", "\r"))
    disarmed = f"'{text}" if runs else text
    return disarmed.replace("\r", " ")


def rated(
    batches: Iterable[DatedBatch], states: dict[str, PlayerState], elo: Elo
) -> Iterator[tuple[DatedBatch, RatedBatch[str]]]:
    """Rate batch after batch; `states` is carried along and holds the outcome at the end."""
    for batch in batches:
        done = rate_batch(states, [dated.game for dated in batch.games], elo)
        states.update(done.states())
        yield batch, done


def write_list(out: TextIO, states: Mapping[str, PlayerState]) -> None:
    """Everybody who has played, the highest rating first."""
    lines = csv.writer(out, lineterminator="\n")
    lines.writerow(LIST_COLUMNS)
    played = [(player, state) for player, state in states.items() if state.games]
    for player, state in sorted(played, key=lambda one: (-one[1].rating, one[0])):
        lines.writerow((player, decimal(state.rating, 3), state.games))


def history_rows(batch: DatedBatch, done: RatedBatch[str]) -> Iterator[tuple[str, ...]]:
    """The changes of a batch as lines: two a game, the first seat's before the second's."""
    for change in done.changes():
        dated = batch.games[change.game]
        yield (
            dated.date,
            dated.event,
            change.player,
            change.opponent,
            change.seat,
            SCORES[change.score],
            decimal(change.expected, 6),
            decimal(change.k, 3),
            decimal(change.share, 9),
            decimal(change.before, 3),
            decimal(change.after, 3),
        )
