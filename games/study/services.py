"""The index of games for study: bring it to its due state in batches, or build it again.

Each batch is one transaction, and a second run changes nothing. The stored counts of an opening
with many games are computed again from its rows, after each batch that touched it.
"""

import logging
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from django.db import transaction

from games.models import Game, IndexedGame, NextMove, OpeningTurn, StoneBitmap
from games.models.bulk import BATCH_SIZE, chunks
from games.models.openings import BLOCK_SIZE
from games.rules.boards.chains import cells_of
from games.rules.errors import RecordError
from games.rules.patterns import held_cells
from games.rules.records.claims import without_ending
from games.rules.records.prefixes import MOST_OPENING_PLIES, canonical_opening
from games.rules.records.record import Record
from games.study.queries import (
    INDEXABLE,
    Continuation,
    count_continuations,
    games_to_index,
    large_openings,
)

log = logging.getLogger(__name__)

INDEXED_AT_ONCE: Final = 500
"""Games of one transaction."""

Bits = Mapping[tuple[int, int, int], int]
"""A set of games, as a number, by the key of the start, the place and the block."""


@dataclass(frozen=True, slots=True)
class IndexedBatch:
    """A batch that was indexed: the number of its games, and the openings whose games changed."""

    games: int
    keys: Collection[int]


def index_all() -> Iterator[int]:
    """Index what is due; yield the number of games after each batch.

    The counts are stored at the end, because each batch would compute those of the first turns.
    """
    while games := index_batch(INDEXED_AT_ONCE).games:
        yield games
    store_counts()


def index_due(limit: int) -> int:
    """Index some of the games that are due, with the counts; return how many there were."""
    with transaction.atomic():
        batch = index_batch(limit)
        for keys in chunks(list(batch.keys)):
            store_counts(keys)
    return batch.games


def clear_index() -> None:
    """Delete the index."""
    with transaction.atomic():
        for model in (NextMove, StoneBitmap, OpeningTurn, IndexedGame):
            model._default_manager.all().delete()


@transaction.atomic
def index_batch(limit: int) -> IndexedBatch:
    """Index some of the games that are due; return the openings whose counts are due then."""
    numbers = games_to_index(limit)
    former = OpeningTurn.objects.filter(game_id__in=numbers)
    keys = set(former.values_list("key", flat=True))
    games = list(Game.objects.filter(INDEXABLE, pk__in=numbers).select_related("record"))
    bits: dict[tuple[int, int, int], int] = defaultdict(int)
    turns = [turn for game in games for turn in _index_game(game, bits)]
    keys.update(turn.key for turn in turns)

    former.delete()
    IndexedGame.objects.filter(pk__in=numbers).delete()
    IndexedGame.objects.bulk_create(
        IndexedGame(game=game, record_number=game.record_id or 0, public=game.public)
        for game in games
    )
    OpeningTurn.objects.bulk_create(turns, batch_size=BATCH_SIZE)
    _add_bits(bits)
    return IndexedBatch(len(numbers), keys)


def store_counts(keys: Collection[int] | None = None) -> None:
    """Store the counts of the openings, of these or of all, with many games; delete the others."""
    large = large_openings(keys)
    with transaction.atomic():
        stored = NextMove.objects.all() if keys is None else NextMove.objects.filter(key__in=keys)
        stored.delete()
        for key, mover in large:
            counted = (Continuation(*row) for row in count_continuations(key, mover))
            NextMove.objects.bulk_create(
                NextMove(
                    key=key,
                    move=row.move,
                    games=row.games,
                    wins=row.wins,
                    draws=row.draws,
                    losses=row.losses,
                    rating=None if row.rating is None else round(row.rating),
                    last_played_on=row.last_played_on,
                )
                for row in counted
            )


def _index_game(game: Game, bits: dict[tuple[int, int, int], int]) -> list[OpeningTurn]:
    """Return the rows of a game by ply, and add its stones to the bitmaps.

    A record that cannot be read has none, and is not tried again.
    """
    assert game.record is not None
    try:
        record = Record.parse(game.record.record)
        turns = without_ending(record.moves)
        opening = canonical_opening(record.conditions, turns[: MOST_OPENING_PLIES + 1])
        held = held_cells(opening.start, turns)
    except RecordError:
        log.exception("the record of game %s cannot be indexed", game.pk)
        return []
    keys = opening.keys
    block, bit = divmod(game.pk, BLOCK_SIZE)
    for seat, cells in enumerate(held):
        for cell in cells_of(cells):
            bits[keys[0], 2 * cell + seat, block] |= 1 << bit
    following = (*opening.turns, "")
    return [
        OpeningTurn(key=key, ply=ply, game=game, move=following[ply])
        for ply, key in enumerate(keys[: MOST_OPENING_PLIES + 1])
    ]


def _add_bits(bits: Bits) -> None:
    """Add games to the bitmaps."""
    by_block: dict[tuple[int, int], list[int]] = defaultdict(list)
    for key, place, block in bits:
        by_block[key, block].append(place)
    for (key, block), places in by_block.items():
        locked = StoneBitmap.objects.select_for_update().filter(
            key=key, block=block, place__in=places
        )
        stored = {bitmap.place: bitmap for bitmap in locked}
        for bitmap in stored.values():
            games = int.from_bytes(bitmap.bits, "little") | bits[key, bitmap.place, block]
            bitmap.bits = as_bytes(games)
        StoneBitmap.objects.bulk_update(stored.values(), ["bits"], batch_size=100)
        StoneBitmap.objects.bulk_create(
            (
                StoneBitmap(
                    key=key, place=place, block=block, bits=as_bytes(bits[key, place, block])
                )
                for place in places
                if place not in stored
            ),
            batch_size=100,
        )


def as_bytes(games: int) -> bytes:
    """Return a set of games as the bytes of a bitmap."""
    return games.to_bytes(-(-games.bit_length() // 8), "little")
