"""Find out often and at little cost whether a pool is due for a run.

Every change of a game, its event or its players writes a line to a journal in its transaction. So
only the games of the streams with new lines are compared with what is filed. Lines become visible
in the order of the commits, not of their numbers; therefore those of the last minutes are looked at
again, and once an hour all games are compared, as each run does.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from games.models import JournalLine
from games.services.players import SITE
from ratings.models import Batch, BatchGame, Pool
from ratings.queries.batch_order import has_due_batch
from ratings.queries.eligibility import find_changed_games

ALL_EVERY: Final = timedelta(hours=1)
"""The time between two comparisons of all games."""

LONGEST_TRANSACTION: Final = timedelta(minutes=5)
"""A line that is older is visible, or found by the next comparison of all games."""

MOST_STREAMS: Final = 1000
"""If more journals have new lines, all games are compared."""

MERGES: Final = ("player.merged", "merge.undone")
GAME_STREAM: Final = "game/"


def is_due_since(pool: Pool, *, now: datetime) -> bool:
    """Return True if the ratings do not include all games as they are now.

    Only the games are compared that can have changed since the last call. Store what was compared.
    """
    if has_due_batch(pool):
        return True
    lines = JournalLine.objects.filter(pk__gt=pool.compared_line)
    settled = lines.filter(at__lt=now - LONGEST_TRANSACTION).order_by("-pk")
    last = settled.values_list("pk", flat=True).first() or pool.compared_line
    streams = list(lines.order_by().values_list("stream", flat=True).distinct()[: MOST_STREAMS + 1])
    games = find_changed_games(pool)
    is_old = pool.compared_at is None or pool.compared_at <= now - ALL_EVERY
    is_all = (
        is_old or len(streams) > MOST_STREAMS or lines.filter(stream=SITE, kind__in=MERGES).exists()
    )
    if not is_all:
        games = games.filter(batch__in=_find_batches(pool, streams))
    is_due = games.exists()
    if not is_due:
        compared_at = now if is_all else pool.compared_at
        Pool.objects.filter(pk=pool.pk).update(compared_line=last, compared_at=compared_at)
    return is_due


def _find_batches(pool: Pool, streams: Sequence[str]) -> set[int]:
    """Return the batches of these streams, and those of the games of these streams."""
    numbers = [
        int(stream.removeprefix(GAME_STREAM))
        for stream in streams
        if stream.startswith(GAME_STREAM)
    ]
    batches = Batch.objects.filter(pool=pool, stream__in=streams).values_list("pk", flat=True)
    games = BatchGame.objects.filter(pool=pool, game__in=numbers)
    return {*batches, *games.values_list("batch_id", flat=True)}
