"""Load how games begin, and find the games in which a pattern of stones occurs, newest first.

The bitmaps give the candidates: the games that had the stones of one image of the pattern on the
board at some point. The record of each candidate is then replayed, which is exact. A search
examines a limited number of bitmaps and candidates; the next one continues there.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import islice
from typing import Any, Final

from django.db.models import Avg, Count, F, FilteredRelation, Max, Q, QuerySet
from django.db.models.functions import Coalesce, TruncDate

from games.core.decimals import rating_number
from games.models import Game, IndexedGame, NextMove, OpeningTurn, StoneBitmap
from games.models.openings import BLOCK_SIZE
from games.rules.boards.chains import cells_of
from games.rules.errors import RecordError
from games.rules.patterns import Pattern, find_pattern
from games.rules.position import Position
from games.rules.records.claims import without_ending
from games.rules.records.record import Record
from games.rules.seat import Seat
from games.study import types

INDEXABLE: Final = Q(state=Game.State.CONFIRMED, void=False, record__isnull=False)
"""The games of the index: only a confirmed record is a game that was played."""

MANY_GAMES: Final = 1000
"""Games of an opening from which the turns that follow it are stored, not counted on request."""


@dataclass(frozen=True, slots=True)
class Continuation:
    """A turn that follows an opening, in canonical form, with its results for the seat that moves.

    `move` is empty for the games that end here; `rating` is a mean in milli, None if unknown.
    """

    move: str
    games: int
    wins: int
    draws: int
    losses: int
    rating: int | None
    last_played_on: date | None


CONTINUATION_COLUMNS: Final = tuple(Continuation.__dataclass_fields__)


def games_to_index(limit: int) -> list[int]:
    """Return games whose index is not that of their record: new ones, then changed ones."""
    new = Game.objects.filter(INDEXABLE, indexed=None).order_by("pk")
    found = list(new.values_list("pk", flat=True)[:limit])
    current = IndexedGame.objects.exclude(
        game__state=Game.State.CONFIRMED,
        game__void=False,
        game__record=F("record_number"),
        game__public=F("public"),
    )
    return found + list(
        current.order_by("pk").values_list("pk", flat=True)[: max(limit - len(found), 0)]
    )


def with_opening(games: "QuerySet[Any]", key: int) -> "QuerySet[Any]":
    """Return those of these confirmed games that begin with an opening.

    The relation is named `turn`. Order by `turn__game_id`: the index has the games of an opening in
    this order, wherever a page of them begins.
    """
    turn = FilteredRelation("opening_turns", condition=Q(opening_turns__key=key))
    return games.annotate(turn=turn).filter(turn__key=key, state=Game.State.CONFIRMED)


def load_continuations(key: int, mover: Seat) -> list[Continuation]:
    """Return the turns that follow an opening in public games, the most frequent first."""
    order = ("-games", "move")
    stored = NextMove.objects.filter(key=key).order_by(*order).values_list(*CONTINUATION_COLUMNS)
    rows = list(stored) or list(count_continuations(key, mover).order_by(*order))
    return [Continuation(*row) for row in rows]


def count_continuations(key: int, mover: Seat) -> "QuerySet[Any, Any]":
    """Return the query of the turns that follow an opening, as rows of `CONTINUATION_COLUMNS`."""
    public = OpeningTurn.objects.filter(
        key=key, game__public=True, game__void=False, game__state=Game.State.CONFIRMED
    )
    day = Coalesce("game__played_on", TruncDate("game__confirmed_at"))
    counted = public.order_by().values("move")
    counted = counted.annotate(
        games=Count("*"),
        wins=Count("game_id", filter=Q(game__winner=mover.value)),
        draws=Count("game_id", filter=Q(game__draw=True)),
        losses=Count("game_id", filter=Q(game__winner=mover.other.value)),
        rating=Avg(f"game__{mover.value}_rating"),
        last_played_on=Max(day),
    )
    return counted.values_list(*CONTINUATION_COLUMNS)


def large_openings(keys: Collection[int] | None = None) -> list[tuple[int, Seat]]:
    """Return the openings, of these or of all, with at least `MANY_GAMES` games, and who moves."""
    turns = OpeningTurn.objects.all() if keys is None else OpeningTurn.objects.filter(key__in=keys)
    counted = turns.order_by().values("key", "ply").annotate(games=Count("*"))
    large = counted.filter(games__gte=MANY_GAMES).values_list("key", "ply")
    return [(key, Seat.SECOND if ply % 2 else Seat.FIRST) for key, ply in large]


def ratings_as_json(row: dict[str, Any]) -> types.SeatRatings:
    """Return the ratings of the players when they were paired, from the columns of a game."""
    first, second = (
        None if rating is None else rating_number(rating)
        for rating in (row["first_rating"], row["second_rating"])
    )
    return {"first_rating": first, "second_rating": second}


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
