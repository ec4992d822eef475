"""The history of a file of games as CSV: two rows per game, that of the first seat first.

The text is made from whole columns: of each field the characters of all rows, padded with zero
bytes, which are removed from the rows at the end. No text contains a zero byte.
"""

import csv
import io
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ratings.systems.elo import MILLION
from ratings.systems.games_file import GamesFile
from ratings.systems.history import Column, GameColumns, History
from ratings.systems.lists import SCORE_TEXTS

HISTORY_FILE_COLUMNS = (
    "date", "event", "player", "opponent", "seat", "result",
    "expected", "k", "change", "before", "after",
)  # fmt: skip
CHANGES_OF_CHUNK = 20_000

Characters: TypeAlias = NDArray[np.uint8]
"""A row of bytes for each text, padded with zeros at the end."""


def write_history(
    games: GamesFile, order: Column, columns: GameColumns, history: History
) -> Iterator[tuple[int, bytes]]:
    """Yield the text in chunks, each with the number of its games; the header is the first chunk.

    `order` contains the places in the file of the games of `columns`.
    """
    yield 0, f"{','.join(HISTORY_FILE_COLUMNS)}\n".encode()
    dates, events, players = (
        _as_characters(_write_cells(texts)) for texts in (games.dates, games.events, games.players)
    )
    seat = _as_characters([b"first", b"second"])
    results = _as_characters([result.encode() for _, result in sorted(SCORE_TEXTS.items())])
    for start in range(0, len(order), CHANGES_OF_CHUNK):
        chunk = order[start : start + CHANGES_OF_CHUNK]
        seats = slice(2 * start, 2 * (start + len(chunk)))
        game = np.repeat(chunk, 2)
        is_second = np.tile(np.array([0, 1], np.int64), len(chunk))
        scores = np.where(is_second, MILLION - games.scores[game], games.scores[game])
        expected, k = history.expected[seats], history.k[seats]
        player = columns.players[seats]
        opponent = player.reshape(-1, 2)[:, ::-1].reshape(-1)
        text = _join_fields(
            [
                [dates[games.date[game]]],
                [events[games.event[game]]],
                [players[player]],
                [players[opponent]],
                [seat[is_second]],
                [results[scores * 2 // MILLION]],
                _format_decimals(expected, 6),
                _format_decimals(k, 3),
                _format_decimals((scores - expected) * k, 9),
                _format_decimals(history.before[seats], 3),
                _format_decimals(history.after[seats], 3),
            ]
        )
        yield len(chunk), text


def _join_fields(fields: Sequence[Sequence[Characters]]) -> bytes:
    rows = len(fields[0][0])
    parts: list[Characters] = []
    for number, field in enumerate(fields, start=1):
        parts += field
        parts.append(np.full((rows, 1), ord("," if number < len(fields) else "\n"), np.uint8))
    characters = np.concatenate(parts, axis=1).reshape(-1)
    return bytes(characters[characters != 0].data)


def _format_decimals(values: Column, places: int) -> list[Characters]:
    """Return the parts of numbers of units of the last place, such as `-12`, `.`, `345`."""
    whole, rest = np.divmod(np.abs(values), 10**places)
    digits = len(str(whole.max()))
    parts = [
        np.where(values < 0, ord("-"), 0).astype(np.uint8)[:, np.newaxis],
        _whole_numbers(digits)[whole],
        np.full((len(values), 1), ord("."), np.uint8),
    ]
    for unit in range(places - 3, -1, -3):
        parts.append(_thousandths()[rest // 10**unit % 1000])
    return parts


@cache
def _whole_numbers(digits: int) -> Characters:
    return _as_characters([b"%d" % number for number in range(10**digits)])


@cache
def _thousandths() -> Characters:
    return _as_characters([b"%03d" % number for number in range(1000)])


def _as_characters(texts: Sequence[bytes]) -> Characters:
    array = np.array(texts, np.bytes_)
    return array.view(np.uint8).reshape(len(texts), array.itemsize)


def _write_cells(texts: Sequence[str]) -> list[bytes]:
    """Return texts as cells of CSV, in quotes only where needed."""
    output = io.StringIO()
    csv.writer(output, lineterminator="\n").writerows((text, "") for text in texts)
    return [line.removesuffix(",").encode() for line in output.getvalue().split("\n")[:-1]]
