"""Find the games in which a pattern of stones occurs, newest first.

The bitmaps give the candidates: the games that had the stones of one image of the pattern on the
board at some point. The record of each candidate is then replayed, which is exact. A search
examines a limited number of bitmaps and candidates; the next one continues there.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from django.db.models import Max, QuerySet

from games.models import Game, StoneBitmap
from games.models.openings import BLOCK_SIZE
from games.rules.boards.chains import cells_of
from games.rules.errors import RecordError
from games.rules.patterns import Pattern, find_pattern
from games.rules.position import Position
from games.rules.records.claims import without_ending
from games.rules.records.record import Record

MOST_EXAMINED: Final = 120
"""Candidates of which one search replays the records."""

MOST_LOADED: Final = 1000
"""Candidates that one search loads; other filters may leave few of them."""

MOST_BITMAPS: Final = 350
"""Bitmaps that one search reads, about: between one and two megabytes."""

MOST_PATTERN_PLACES: Final = 6
"""Stones of a pattern by which candidates are found."""

CHUNK_BITMAPS, CHUNK_GAMES = 200, 24
"""Bitmaps and games of one query."""


@dataclass(frozen=True, slots=True)
class Found:
    """A page of games: rows with the first ply after which the pattern occurs.

    Older games than `examined_to` were not examined; None if there are no older ones.
    """

    games: list[tuple[dict[str, Any], int]]
    examined_to: int | None


def search_pattern(
    rows: "QuerySet[Any, dict[str, Any]]",
    key: int,
    start: Position,
    images: Sequence[Pattern],
    *,
    before: int | None,
    limit: int,
) -> Found:
    """Return the games, of these rows, with a pattern that begin at a start, newest first.

    `key` is that of the start; `before` is a game after which an earlier search ended. The rows
    need the columns `id` and `record__record`.
    """
    found: list[tuple[dict[str, Any], int]] = []
    loaded = examined = 0
    numbers: list[int] = []
    scan = CandidateScan(key, images, before)
    candidates = iter(scan)
    rows = rows.filter(state=Game.State.CONFIRMED, record__isnull=False)
    while loaded < MOST_LOADED:
        numbers = list(islice(candidates, CHUNK_GAMES))
        if not numbers:
            return Found(found, scan.read_to)
        loaded += len(numbers)
        for row in rows.filter(pk__in=numbers).order_by("-pk"):
            ply = _first_ply(row["record__record"], start, images)
            examined += 1
            if ply is not None:
                found.append((row, ply))
            if len(found) == limit or examined == MOST_EXAMINED:
                return Found(found, row["id"])
    return Found(found, numbers[-1])


def _first_ply(text: str, start: Position, images: Sequence[Pattern]) -> int | None:
    try:
        record = Record.parse(text)
    except RecordError:
        return None
    return find_pattern(start, without_ending(record.moves), images)


@dataclass(slots=True)
class CandidateScan:
    """The games that had the stones of an image on the board at some point, newest first.

    Iterating over it reads bitmaps, at most `MOST_BITMAPS`. `read_to` is the first game of the last
    block that was read, None if there are no older ones.
    """

    key: int
    images: Sequence[Pattern]
    before: int | None = None
    read_to: int | None = None

    def __iter__(self) -> Iterator[int]:
        by_image = [_places_of(image)[:MOST_PATTERN_PLACES] for image in self.images]
        places = sorted({place for found in by_image for place in found})
        bitmaps = StoneBitmap.objects.filter(key=self.key, place__in=places)
        block = self._newest_block(bitmaps)
        count = read = 1
        while block >= 0 and read <= MOST_BITMAPS:
            count = min(count, max(CHUNK_BITMAPS // len(places), 1))
            lowest = max(block - count + 1, 0)
            bits: dict[int, dict[int, int]] = {}
            stored = bitmaps.filter(block__gte=lowest, block__lte=block)
            for place, number, content in stored.values_list("place", "block", "bits"):
                bits.setdefault(number, {})[place] = int.from_bytes(content, "little")
                read += 1
            self.read_to = lowest * BLOCK_SIZE or None
            for number in sorted(bits, reverse=True):
                yield from self._games_of(number, bits[number], by_image)
            block, count = lowest - 1, 2 * count

    def _newest_block(self, bitmaps: "QuerySet[StoneBitmap]") -> int:
        """Return the block to begin with, -1 if there is none."""
        newest = bitmaps.aggregate(newest=Max("block"))["newest"]
        if newest is None or self.before is None:
            return -1 if newest is None else newest
        return min(newest, (self.before - 1) // BLOCK_SIZE)

    def _games_of(
        self, block: int, bits: dict[int, int], by_image: Sequence[Sequence[int]]
    ) -> Iterator[int]:
        """Yield the games of a block, newest first."""
        first, games = block * BLOCK_SIZE, 0
        for places in by_image:
            games |= _in_all(bits, places)
        if self.before is not None and self.before < first + BLOCK_SIZE:
            games &= (1 << (self.before - first)) - 1
        while games:
            bit = games.bit_length() - 1
            games ^= 1 << bit
            yield first + bit


def _in_all(bits: dict[int, int], places: Sequence[int]) -> int:
    """Return the games that are in the bitmaps of all these places."""
    games = -1
    for place in places:
        games &= bits.get(place, 0)
        if not games:
            break
    return games


def _places_of(image: Pattern) -> list[int]:
    return [
        2 * cell + seat
        for seat, cells in enumerate((image.first, image.second))
        for cell in cells_of(cells)
    ]
