"""The export of a pool: everything that its ratings are computed from, and the ratings.

The first line is the pool; then come its batches in order, each with its rated games and its
openings, and the ratings by player. Players are numbers, as in the API. The games that are not
rated, those of private events among them, are not contained. `ratings/recompute_pool.py` computes
the ratings and the digests from such lines alone.
"""

from collections.abc import Iterator
from typing import Any

from ratings.batches.eligibility import describe_games
from ratings.batches.order import describe_parameters, digest_parameters, load_inputs
from ratings.models import Batch, Pool, Rating
from ratings.runs.openings import load_openings


def export_lines(pool: Pool) -> Iterator[dict[str, Any]]:
    """Yield the lines of an export, in a fixed number of queries."""
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
    openings = load_openings(pool, batches)
    for batch, games in load_inputs(pool, batches):
        effective_at, rows = describe_games(batch.effective_at, games)
        yield {
            "kind": "batch",
            "id": batch.pk,
            "effective_at": effective_at,
            "order": batch.order_key,
            "openings": [[player, *state] for player, state in openings.get(batch.pk, {}).items()],
            "openings_digest": batch.openings_digest,
            "games": rows,
        }
    ratings = Rating.objects.filter(pool=pool).order_by("player_id")
    for player, rating, count in ratings.values_list("player_id", "rating", "games").iterator(
        chunk_size=2000
    ):
        yield {"kind": "rating", "player": player, "rating": rating, "games": count}
