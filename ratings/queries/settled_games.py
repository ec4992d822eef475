"""The rated games of a pool between players whose ratings are settled."""

from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any

from games.core.uploads.progress import Progress, no_progress
from ratings.models import IN_CURRENT_RUN, RATED_ORDER, Change, Pool

Row = tuple[Any, ...]


def load_settled_games(
    pool: Pool, *fields: str, settled_from: int, progress: Progress = no_progress
) -> Iterator[tuple[Row, Row]]:
    """Yield the changes of the first and second seat of each game in order, in two queries.

    A row contains the batch, the player, K, the player's rated games in the pool before the batch,
    then the fields. A game is left out if one of its players was unrated, or had fewer than
    `settled_from` of these games: their rating is still near its start, whatever their strength.
    """
    counts: Counter[int] = Counter()
    current = Change.objects.filter(IN_CURRENT_RUN, pool=pool)
    total, read = current.count(), 0
    changes = (
        current.order_by(*RATED_ORDER)
        .values_list("batch_id", "player_id", "k", *fields)
        .iterator(chunk_size=2000)
    )
    for _, batch in groupby(changes, key=itemgetter(0)):
        rows = list(batch)
        for first, second in zip(rows[::2], rows[1::2], strict=True):
            # K is zero if one of the players is unrated, in FIDE's system.
            if first[2] > 0 and min(counts[first[1]], counts[second[1]]) >= settled_from:
                yield _with_games(first, counts), _with_games(second, counts)
        counts.update(row[1] for row in rows)
        read += len(rows)
        progress("reading games", read // 2, total // 2)


def _with_games(row: Row, counts: Counter[int]) -> Row:
    return (*row[:3], counts[row[1]], *row[3:])
