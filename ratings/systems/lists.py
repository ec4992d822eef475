"""Rating lists and histories as rows of text: decimals in full, no float.

A list is ordered by rating, highest first, then by name in the order of code points.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal, TypeAlias

from ratings.systems.batches import RatedGames
from ratings.systems.elo import DRAW, LOSS, WIN

LIST_COLUMNS = ("player", "rating", "games")
HISTORY_COLUMNS = (
    "date", "event", "player", "opponent", "seat", "result",
    "expected", "k", "change", "before", "after",
)  # fmt: skip
Score: TypeAlias = Literal["1", "0.5", "0"]
"""The score of a game."""
SCORES: Final[dict[Score, int]] = {"1": WIN, "0.5": DRAW, "0": LOSS}
"""In millionths."""
SCORE_TEXTS: Final = {score: text for text, score in SCORES.items()}


def format_decimal(value: int, places: int) -> str:
    """Return a number of units of the last place as a decimal: 1500250, 3 gives `1500.250`."""
    whole, rest = divmod(abs(value), 10**places)
    return f"{'-' if value < 0 else ''}{whole}.{rest:0{places}}"


def list_rows(players: Iterable[tuple[str, int, int]]) -> Iterator[Sequence[object]]:
    """Yield the header and a row for each player with rated games, highest rating first.

    `players` are names, ratings in milli and numbers of rated games.
    """
    yield LIST_COLUMNS
    for player, rating, games in sorted(players, key=lambda row: (-row[1], row[0])):
        if games:
            yield player, format_decimal(rating, 3), games


def history_rows(history: Iterable[RatedGames]) -> Iterator[Sequence[object]]:
    """Yield the header and two rows for each game, that of the first seat first."""
    yield HISTORY_COLUMNS
    for games, change in ((rated.games, change) for rated in history for change in rated.changes):
        game = games[change.game]
        yield (
            game.date,
            game.event,
            change.player,
            change.opponent,
            change.seat,
            SCORE_TEXTS[change.score],
            format_decimal(change.expected, 6),
            format_decimal(change.k, 3),
            format_decimal(change.share, 9),
            format_decimal(change.before, 3),
            format_decimal(change.after, 3),
        )
