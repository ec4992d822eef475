"""The order in which a pool's batches are rated, what of it is due, and the digests over it.

The input digest is a chain that anyone can compute from an export: it starts with the digest of
the parameters, and each batch adds its id, the digest of its facts and, where some came along with
it, that of its openings.
"""

from collections.abc import Iterator
from datetime import datetime
from itertools import groupby
from operator import itemgetter

from django.db.models import F, Q, QuerySet

from games.journal.chain import digest_of
from ratings.eligibility import FILED, Filed
from ratings.models import Batch, BatchGame, Pool
from ratings.systems import find_preset
from ratings.systems.elo import ENGINE_VERSION

ORDER = ("effective_at", "pk")
DUE = ~Q(facts=F("rated_facts"))

Place = tuple[datetime, int]


def parameter_digest(pool: Pool) -> str:
    """SHA-256 of everything but the games that the ratings depend on."""
    elo = find_preset(pool.preset, pool.parameters)
    return digest_of(
        {
            "engine": ["elo", ENGINE_VERSION],
            "k0": elo.k0,
            "kmin": elo.kmin,
            "n0": elo.n0,
            "start": elo.start,
            "handicap_table": pool.handicap_table,
        }
    )


def next_link(chain: str, batch: Batch) -> str:
    """The digest of all input up to this batch: of the digest before it and the batch's facts."""
    brought = [batch.openings] if batch.openings else []
    return digest_of([chain, batch.pk, batch.facts, *brought])


def first_due(pool: Pool) -> Place | None:
    """The place in the order of batches where the next run must start; None when all is done."""
    current = pool.current_run
    if current is not None and current.parameter_digest != parameter_digest(pool):
        return earliest(pool)
    places = [
        (min(at, rated_at or at), batch)
        for batch, at, rated_at in Batch.objects.filter(DUE, pool=pool).values_list(
            "pk", "effective_at", "rated_at"
        )
    ]
    return min(places, default=None)


def earliest(pool: Pool) -> Place | None:
    """The first place of all, None where nothing was filed."""
    return Batch.objects.filter(pool=pool).order_by(*ORDER).values_list(*ORDER).first()


def batches_from(pool: Pool, place: Place) -> "QuerySet[Batch]":
    """The batches at this place and after it, in order."""
    at, batch = place
    later = Q(effective_at__gt=at) | Q(effective_at=at, pk__gte=batch)
    return Batch.objects.filter(later, pool=pool).order_by(*ORDER)


def with_games(pool: Pool, batches: "QuerySet[Batch]") -> Iterator[tuple[Batch, list[Filed]]]:
    """Each batch in order with its games by id, in a fixed number of queries."""
    listed = list(batches)
    rows = (
        BatchGame.objects.filter(pool=pool, batch__in=batches.order_by().values("pk"))
        .order_by("batch__effective_at", "batch_id", "game_id")
        .values_list("batch_id", *FILED)
        .iterator(chunk_size=2000)
    )
    grouped = groupby(rows, key=itemgetter(0))
    held = next(grouped, None)
    for batch in listed:
        if held is not None and held[0] == batch.pk:
            yield batch, [Filed._make(row[1:]) for row in held[1]]
            held = next(grouped, None)
        else:
            yield batch, []
