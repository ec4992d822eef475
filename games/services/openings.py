"""The index of games for study: bring it to its due state in batches, or build it again.

Each batch is one transaction, and a second run changes nothing. The stored counts of an opening
with many games are computed again from its rows, after each batch that touched it.
"""

import logging
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.db import transaction

from games.bulk import chunks
from games.models import Game, IndexedGame, NextMove, OpeningTurn, Report, StoneBitmap
from games.models.openings import BLOCK_SIZE
from games.queries.openings import (
    INDEXABLE,
    Continuation,
    count_continuations,
    games_to_index,
    large_openings,
)
from games.rules.boards.chains import cells_of
from games.rules.errors import RecordError
from games.rules.patterns import held_cells
from games.rules.records.claims import without_ending
from games.rules.records.prefixes import MOST_PLIES, canonical_opening
from games.rules.records.record import Record
from games.rules.seat import Seat

log = logging.getLogger(__name__)

BATCH_GAMES: Final = 500
"""Games of one transaction."""

Bits = Mapping[tuple[int, int, int], int]
"""A set of games, as a number, by the key of the start, the place and the block."""


@dataclass(frozen=True, slots=True)
class Batch:
    """A batch that was indexed: the number of its games, and each opening whose games changed.

    `movers` are the seats that move after these openings.
    """

    games: int
    movers: Mapping[int, Seat]


def index_all() -> Iterator[int]:
    """Index what is due; yield the number of games after each batch.

    The counts are stored at the end, because each batch would compute those of the first turns.
    """
    movers: dict[int, Seat] = {}
    while True:
        batch = index_batch(BATCH_GAMES)
        if not batch.games:
            break
        movers |= batch.movers
        yield batch.games
    store_counts(movers)


def index_due(limit: int) -> int:
    """Index some of the games that are due, with the counts; return how many there were."""
    with transaction.atomic():
        batch = index_batch(limit)
        store_counts(batch.movers)
    return batch.games


def clear_index() -> None:
    """Delete the index."""
    with transaction.atomic():
        for model in (NextMove, StoneBitmap, OpeningTurn, IndexedGame):
            model._default_manager.all().delete()


@transaction.atomic
def index_batch(limit: int) -> Batch:
    """Index some of the games that are due; return the openings whose counts are due then."""
    numbers = games_to_index(limit)
    movers = _remove(numbers)
    games = list(Game.objects.filter(INDEXABLE, pk__in=numbers).select_related("record"))
    turns: list[OpeningTurn] = []
    bits: dict[tuple[int, int, int], int] = defaultdict(int)
    for game in games:
        for ply, turn in enumerate(_index_game(game, bits)):
            turns.append(turn)
            movers[turn.key] = Seat.SECOND if ply % 2 else Seat.FIRST
    IndexedGame.objects.bulk_create(
        IndexedGame(game=game, record_number=game.record_id or 0, public=game.public)
        for game in games
    )
    for chunk in chunks(turns):
        OpeningTurn.objects.bulk_create(chunk)
    _add_bits(bits)
    return Batch(len(numbers), movers)


def store_counts(movers: Mapping[int, Seat]) -> None:
    """Store the counts of those of these openings that have many games; delete the others."""
    for keys in chunks(list(movers)):
        large = large_openings(list(keys))
        with transaction.atomic():
            NextMove.objects.filter(key__in=keys).delete()
            for key in large:
                counted = (Continuation(*row) for row in count_continuations(key, movers[key]))
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


def _remove(numbers: Sequence[int]) -> dict[int, Seat]:
    """Remove games from the index; return the openings they had, with the seat that moves.

    A turn of the second seat is the answer to a turn of the first, so the plies of a game's rows
    follow from its record, which is still stored.
    """
    movers: dict[int, Seat] = {}
    removed = IndexedGame.objects.filter(pk__in=numbers)
    records = dict(removed.values_list("record_number", "game_id"))
    if not records:
        return movers
    reports = Report.objects.filter(pk__in=records)
    for text in reports.values_list("record", flat=True):
        for ply, key in enumerate(_keys_of(text)):
            movers[key] = Seat.SECOND if ply % 2 else Seat.FIRST
    OpeningTurn.objects.filter(game_id__in=list(records.values())).delete()
    removed.delete()
    return movers


def _keys_of(text: str) -> list[int]:
    """Return the keys of the rows of a record; a record that cannot be read has none."""
    try:
        record = Record.parse(text)
    except RecordError:
        return []
    turns = without_ending(record.moves)[:MOST_PLIES]
    return canonical_opening(record.conditions, turns).keys


def _index_game(game: Game, bits: dict[tuple[int, int, int], int]) -> list[OpeningTurn]:
    """Return the rows of a game by ply, and add its stones to the bitmaps.

    A record that cannot be read has none, and is not tried again.
    """
    assert game.record is not None
    try:
        record = Record.parse(game.record.record)
        turns = without_ending(record.moves)
        opening = canonical_opening(record.conditions, turns[: MOST_PLIES + 1])
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
        OpeningTurn(key=key, game=game, move=following[ply])
        for ply, key in enumerate(keys[: MOST_PLIES + 1])
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
