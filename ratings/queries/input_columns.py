"""The rated games of batches as columns of numbers, to rate many in one call."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np
from django.db.models import QuerySet, Value
from django.db.models.functions import Coalesce

from ratings.models import Batch, BatchGame, Pool
from ratings.systems.history import Column

CHUNK_SIZE = 50_000
"""Games; more are loaded only to complete a batch."""

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


def load_input_columns(pool: Pool, batches: "QuerySet[Batch]") -> Iterator[InputColumns]:
    """Yield the rated games of batches in chunks, in one query."""
    rows = (
        BatchGame.objects.filter(pool=pool, batch__in=batches.values("pk"), exclusion="")
        .order_by("batch__effective_at", "batch_id", "game_id")
        .values_list(
            "batch_id", "game_id", "first_id", "second_id",
            Coalesce("first_seed", Value(NO_SEED)), Coalesce("second_seed", Value(NO_SEED)),
            "score", Coalesce("handicap_part", 0),
        )
        .iterator(chunk_size=2000)
    )  # fmt: skip
    rest = np.empty((0, 8), np.int64)
    while piece := list(islice(rows, CHUNK_SIZE)):
        values = np.concatenate([rest, np.array(piece, np.int64)])
        ends = np.flatnonzero(np.diff(values[:, 0]))
        complete = ends[-1] + 1 if len(ends) else 0
        if complete:
            yield _make_columns(values[:complete])
        rest = values[complete:]
    if len(rest):
        yield _make_columns(rest)


def _make_columns(values: Column) -> InputColumns:
    """Return columns that are contiguous; the compiled function is compiled for these."""
    return InputColumns(
        batches=values[:, 0].copy(),
        games=values[:, 1].copy(),
        players=values[:, 2:4].reshape(-1),
        seeds=values[:, 4:6].reshape(-1),
        scores=values[:, 6].copy(),
        parts=values[:, 7].copy(),
    )
