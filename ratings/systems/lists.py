"""Rating lists as rows of text: decimals in full, no float.

A list is ordered by rating, highest first, then by name in the order of code points.
"""

from collections.abc import Iterable, Iterator, Sequence

from ratings.systems.elo import DRAW, LOSS, WIN

LIST_COLUMNS = ("player", "rating", "games")
SCORE_TEXTS = {WIN: "1", DRAW: "0.5", LOSS: "0"}


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
