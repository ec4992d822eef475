"""The export of a pool: everything that its ratings are computed from, and the ratings.

The first line is the pool; then come its batches in order, each with its rated games and its
openings, and the ratings by player. Players are numbers, as in the API. The games that are not
rated, those of private events among them, are not contained; a batch without rated games has only
the digest of its openings, and no batch the key of its order, which names its event.
`ratings/recompute_pool.py` computes the ratings and the digests from such lines alone.
"""

from collections.abc import Iterator
from tempfile import SpooledTemporaryFile
from typing import Any, Final

from games.core.errors import Conflict
from games.core.journal.chain import canonical_json
from games.core.journal.lines import find_head
from games.models import Player
from games.models.bulk import chunks
from games.rules.text import Text
from ratings.batches.eligibility import describe_games
from ratings.batches.order import describe_parameters, digest_parameters, is_due, load_inputs
from ratings.models import Batch, Pool, Rating
from ratings.runs.openings import Openings, load_openings

IN_MEMORY: Final = 1 << 20
"""Bytes of an export beyond which it is written to a temporary file."""
ATTEMPTS: Final = 3


class File(SpooledTemporaryFile[bytes]):
    """A file that a response closes, or nobody if the response is not sent."""

    def __del__(self) -> None:
        """Close it, without a warning."""
        self.close()


def write_export(pool: Pool) -> File:
    """Return the lines of an export as a file to read; raises Conflict while the pool changes.

    Nothing is locked: whatever changes the file writes a line to the journal of the pool.
    """
    for _ in range(ATTEMPTS):
        head = find_head(pool.stream)
        pool.refresh_from_db()
        if is_due(pool):
            break
        file = File(max_size=IN_MEMORY)
        file.writelines(f"{canonical_json(line)}\n".encode() for line in export_lines(pool))
        if find_head(pool.stream) == head:
            file.seek(0)
            return file
        file.close()
    detail = Text(
        "%(pool)s is due for a run, after which it can be read; try again in a minute",
        pool=pool.code,
    )
    raise Conflict("pool_due", detail)


def export_lines(pool: Pool) -> Iterator[dict[str, Any]]:
    """Yield the lines of an export, in a fixed number of queries for 500 openings.

    Openings are those that the digest of the batch covers: of the players before they were merged.
    """
    run = pool.current_run
    yield {
        "kind": "pool",
        "code": pool.code,
        "name": pool.name,
        "preset": pool.preset,
        "system": describe_parameters(pool),
        "run": run.number if run else None,
        "input_digest": run.input_digest if run else digest_parameters(pool),
    }
    batches = Batch.objects.filter(pool=pool, rated_effective_at__isnull=False)
    openings = load_openings(pool, batches, follow_merges=False)
    merged = _load_merged({player for each in openings.values() for player in each})
    for place, (batch, games) in enumerate(load_inputs(pool, batches), 1):
        effective_at, rows = describe_games(batch.effective_at, games)
        own: Openings = openings.get(batch.pk, {}) if rows else {}
        yield {
            "kind": "batch",
            "id": batch.pk,
            "effective_at": effective_at,
            "order": place,
            "openings": [[player, *own[player]] for player in sorted(own)],
            "merged": [[player, merged[player]] for player in sorted(merged.keys() & own.keys())],
            "openings_digest": batch.openings_digest or None,
            "games": rows,
        }
    ratings = Rating.objects.filter(pool=pool).order_by("player_id")
    for player, rating, count in ratings.values_list("player_id", "rating", "games").iterator(
        chunk_size=2000
    ):
        yield {"kind": "rating", "player": player, "rating": rating, "games": count}


def _load_merged(players: set[int]) -> dict[int, int]:
    """Return those of these players who were merged into others, with these."""
    merged: dict[int, Any] = {}
    for numbers in chunks(sorted(players)):
        rows = Player.objects.filter(pk__in=numbers, merged_into__isnull=False)
        merged |= rows.values_list("pk", "merged_into")
    return merged
