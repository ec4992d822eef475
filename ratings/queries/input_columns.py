"""The rated games of batches as columns of numbers, to rate many in one call."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db import connection
from django.db.models import BigIntegerField, QuerySet, Value
from django.db.models.functions import Cast, Coalesce

from games.bulk import chunks
from ratings.models import BatchGame, Pool
from ratings.queries.integer_columns import load_integer_columns
from ratings.systems.history import Column

MOST_BATCHES = 10_000
"""The number of batches in a query."""

NO_SEED = -1


@dataclass(frozen=True, slots=True)
class InputColumns:
    """Games in the order in which they are rated, all of each batch.

    `players` and `seeds` are columns of seats (see `ratings.systems.history`), `scores` and `parts`
    those of the first seat.
    """

    batches: Column
    games: Column
    players: Column
    seeds: Column
    scores: Column
    parts: Column

    @property
    def ends(self) -> Column:
        """Return for each batch the number of games up to its end."""
        return np.flatnonzero(np.diff(self.batches, append=-1)) + 1


def load_input_columns(pool: Pool, batches: Sequence[int]) -> InputColumns:
    """Return the rated games of batches, which are in the order in which they are rated."""
    pieces = [_load_columns(_rated_games(pool, ids)) for ids in chunks(batches, MOST_BATCHES)]
    columns = np.concatenate([np.empty((8, 0), np.int64), *pieces], axis=1)
    ids = np.array(batches, np.int64)
    by_id = np.argsort(ids)
    places = by_id[np.searchsorted(ids[by_id], columns[0])]
    columns = columns[:, np.lexsort((columns[1], places))]
    # The compiled function is compiled for contiguous columns.
    return InputColumns(
        batches=columns[0].copy(),
        games=columns[1].copy(),
        players=columns[2:4].T.reshape(-1),
        seeds=columns[4:6].T.reshape(-1),
        scores=columns[6].copy(),
        parts=columns[7].copy(),
    )


def _rated_games(pool: Pool, batches: Sequence[int]) -> "QuerySet[BatchGame, tuple[int, ...]]":
    score = Cast("score", BigIntegerField())
    part = Cast(Coalesce("handicap_part", 0), BigIntegerField())
    seeds = (
        Cast(Coalesce(name, Value(NO_SEED)), BigIntegerField())
        for name in ("first_seed", "second_seed")
    )
    rows = BatchGame.objects.filter(pool=pool, batch__in=batches, exclusion="").order_by()
    columns: list[Any] = ["batch_id", "game_id", "first_id", "second_id", *seeds, score, part]
    return rows.values_list(*columns)


def _load_columns(rows: "QuerySet[BatchGame, tuple[int, ...]]") -> Column:
    """Return rows of 64-bit integers as an array of their columns."""
    if connection.vendor != "postgresql":
        return np.array(list(rows), np.int64).reshape(-1, 8).T
    return load_integer_columns(*rows.query.sql_with_params(), columns=8)
