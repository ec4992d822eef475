"""Find out often and at little cost whether a pool is due for a run.

Every change of a game, its event or its players writes a line to a journal in its transaction. So
only the games of the streams with new lines are compared with what is filed. Lines become visible
in the order of the commits, not of their numbers; therefore those of the last minutes are looked at
again, and once an hour all games are compared, as each rebuild does.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Q, QuerySet

from games.models import JournalLine
from games.services.players import SITE
from ratings.batches.eligibility import find_changed_games
from ratings.batches.order import has_due_batch
from ratings.models import Batch, BatchGame, Pool

ALL_EVERY: Final = timedelta(hours=1)
"""The time between two comparisons of all games."""

LONGEST_TRANSACTION: Final = timedelta(minutes=5)
"""A line that is older is visible, or found by the next comparison of all games."""

MOST_STREAMS: Final = 1000
"""If more journals have new lines, all games are compared."""

MERGES: Final = ("player.merged", "merge.undone")
POOL_EDITED: Final = "pool.edited"
"""A pool that was closed may file casual games from then on."""

GAME_STREAM: Final = "game/"


@dataclass(frozen=True, slots=True)
class ChangedStreams:
    """The streams with lines since the last comparison; `is_all` if all games are to be compared.

    `last` is the line up to which nothing is looked at again, `now` when this was found out.
    """

    streams: Sequence[str]
    is_all: bool
    last: int
    now: datetime

    @property
    def games(self) -> list[int] | None:
        """Return the games that have streams of their own, as casual games do; None for all."""
        if self.is_all:
            return None
        return [
            int(stream.removeprefix(GAME_STREAM))
            for stream in self.streams
            if stream.startswith(GAME_STREAM)
        ]


def find_changed_streams(pool: Pool, *, now: datetime, is_all: bool = False) -> ChangedStreams:
    """Return what can have changed since the games of a pool were last compared.

    `is_all` requires that all games are compared, due or not.
    """
    lines = JournalLine.objects.filter(pk__gt=pool.compared_line)
    settled = lines.filter(at__lt=now - LONGEST_TRANSACTION).order_by("-pk")
    last = settled.values_list("pk", flat=True).first() or pool.compared_line
    streams = list(lines.order_by().values_list("stream", flat=True).distinct()[: MOST_STREAMS + 1])
    is_old = pool.compared_at is None or pool.compared_at <= now - ALL_EVERY
    everywhere = Q(stream=SITE, kind__in=MERGES) | Q(stream=pool.stream, kind=POOL_EDITED)
    is_all = is_all or is_old or len(streams) > MOST_STREAMS or lines.filter(everywhere).exists()
    return ChangedStreams(streams, is_all, last, now)


def is_due_since(pool: Pool, changed: ChangedStreams) -> bool:
    """Return True if the ratings do not include all games as they are now.

    Only the games are compared that can have changed. Store what was compared if none has; the run
    that follows otherwise stores what it compared.
    """
    if has_due_batch(pool):
        return True
    is_due = find_games_changed_since(pool, changed).exists()
    if not is_due:
        save_comparison(pool, changed)
    return is_due


def save_comparison(pool: Pool, changed: ChangedStreams) -> None:
    """Store that these games of a pool agree with what is filed."""
    compared = changed.last, changed.now if changed.is_all else pool.compared_at
    if compared != (pool.compared_line, pool.compared_at):
        pool.compared_line, pool.compared_at = compared
        pool.save(update_fields=["compared_line", "compared_at"])


def find_games_changed_since(pool: Pool, changed: ChangedStreams) -> "QuerySet[BatchGame]":
    """Return the filed games that differ from what would be filed now, of those to be compared."""
    games = find_changed_games(pool)
    return games if changed.is_all else games.filter(batch__in=_find_batches(pool, changed))


def find_changed_batches(pool: Pool, changed: ChangedStreams) -> set[int]:
    """Return the batches of the games that `find_games_changed_since` returns."""
    games = find_games_changed_since(pool, changed)
    return set(games.values_list("batch", flat=True).distinct())


def _find_batches(pool: Pool, changed: ChangedStreams) -> set[int]:
    """Return the batches of the changed streams, and those of the games of these streams."""
    batches = Batch.objects.filter(pool=pool, stream__in=changed.streams)
    games = BatchGame.objects.filter(pool=pool, game__in=changed.games or [])
    return {*batches.values_list("pk", flat=True), *games.values_list("batch_id", flat=True)}
