"""Compare what is filed with its digests: those of batches, and those in journals of events.

The digest of a batch that a version before 0.3 has filed covers neither players nor results; it is
compared as what it is until the batch is filed anew.
"""

from collections import defaultdict
from collections.abc import Iterator

from games.core.journal.lines import load_lines
from games.models import JournalLine
from ratings.batches.eligibility import (
    RatedInput,
    digest_filed,
    digest_filed_before,
    digest_games,
    load_keys,
)
from ratings.batches.services import FILED_KIND
from ratings.models import Batch, BatchGame, Pool
from ratings.runs.openings import digest_openings, load_openings


def find_filed(pool: Pool) -> Iterator[str]:
    """Yield a sentence for each batch whose games or openings are not those that were filed."""
    batches = Batch.objects.filter(pool=pool)
    openings = load_openings(pool, batches, follow_merges=False)
    for batch, rows, digest in _digested(pool):
        if digest != batch.filed_digest and digest_filed_before(rows) != batch.filed_digest:
            yield f"batch {batch.stream}: its games are not those that were filed"
        if digest_games(batch.effective_at, map(RatedInput.from_row, rows)) != batch.games_digest:
            yield f"batch {batch.stream}: its rated games do not have its games_digest"
        for row in rows:
            if row.exclusion and row.score:
                yield f"batch {batch.stream}: game {row.game_id} has a score and is not rated"
        if digest_openings(openings.get(batch.pk, {})) != batch.openings_digest:
            yield f"batch {batch.stream}: its openings are not those that were filed"


def find_filed_before(pool: Pool) -> Iterator[str]:
    """Yield a sentence for the batches with digests of an earlier version."""
    count = sum(digest != batch.filed_digest for batch, _, digest in _digested(pool))
    if count:
        yield (
            f"{count} batches were filed by an earlier version: the digests that the journal has of"
            " them cover neither the players and results nor why a game is not rated"
        )


def _digested(pool: Pool) -> Iterator[tuple[Batch, list[BatchGame], str]]:
    """Yield the batches of a pool with their games, and the digest that these have now."""
    rows: dict[int, list[BatchGame]] = defaultdict(list)
    found = list(BatchGame.objects.filter(pool=pool))
    for row in found:
        rows[row.batch_id].append(row)
    keys = load_keys(found)
    for batch in Batch.objects.filter(pool=pool).order_by("pk"):
        batch.pool = pool
        yield batch, rows[batch.pk], digest_filed(batch, rows[batch.pk], keys)


def find_filed_otherwise(stream: str) -> Iterator[str]:
    """Yield a sentence for each batch of an event that is not as the journal of the event has it.

    A batch without a line is of an earlier version; `find_filed_without_line` says so.
    """
    lines = _filed_lines(stream)
    for batch in Batch.objects.filter(stream=stream).select_related("pool"):
        line = lines.pop(batch.pool.code, None)
        rows = list(BatchGame.objects.filter(batch=batch))
        found = digest_filed(batch, rows, load_keys(rows))
        if line is not None and line.payload.body.get("filed_digest") != found:
            yield (
                f"what is filed with ratings in {batch.pool.code} has not the digest of line"
                f" {line.sequence}"
            )
    for code, line in lines.items():
        yield f"what line {line.sequence} files with ratings in {code or '?'} is missing"


def find_filed_without_line(stream: str) -> Iterator[str]:
    """Yield a sentence for each batch of an event whose digest its journal does not have."""
    lines = _filed_lines(stream)
    for batch in Batch.objects.filter(stream=stream).select_related("pool"):
        if batch.pool.code not in lines:
            yield (
                f"what is filed with ratings in {batch.pool.code} cannot be compared: an earlier"
                " version has filed it, and no line has its digest"
            )


def _filed_lines(stream: str) -> dict[str, JournalLine]:
    """Return the last line about what is filed of an event, by the code of the pool."""
    lines = load_lines(stream).filter(kind=FILED_KIND, payload__isnull=False)
    return {line.payload.body.get("pool", ""): line for line in lines}
