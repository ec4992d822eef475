"""The order in which a pool's batches are rated, the first that is due, and the input digests.

Anyone can compute the input digest of a batch from an export: the first is computed from the digest
of the parameters, each from the one before, the id of the batch, the digest of its games and, if it
has openings, the digest of those.
"""

from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.db.models import Q, QuerySet

from games.chain import digest_of
from ratings.models import DUE, IN_ORDER, Batch, BatchGame, Pool
from ratings.queries.eligibility import RatedInput, find_changed_games
from ratings.systems.elo import ENGINE_VERSION, Elo
from ratings.systems.fide import Fide
from ratings.systems.presets import find_preset

ORDER = ("effective_at", "pk")

BatchPosition = tuple[datetime, int]
"""The position of a batch in the order: its effective time and its id."""

Period = list[tuple[Batch, list[RatedInput]]]
"""Batches that are rated together, and their games: in FIDE's system a month, else one batch."""


def describe_parameters(pool: Pool) -> dict[str, Any]:
    """Return everything except the batches that a pool's ratings depend on, as JSON.

    The table of handicaps is not contained, because batches have the values of their games.
    """
    system = find_preset(pool.preset, pool.parameters)
    return {
        "engine": ["elo" if isinstance(system, Elo) else "fide", ENGINE_VERSION],
        **asdict(system),
    }


def digest_parameters(pool: Pool) -> str:
    """Return the SHA-256 of the parameters of a pool."""
    return digest_of(describe_parameters(pool))


def digest_input(previous: str, batch: Batch) -> str:
    """Return the input digest of a batch that follows the batch with the digest `previous`."""
    return _digest_input(previous, batch.pk, batch.games_digest, batch.openings_digest)


def _digest_input(previous: str, batch: int, games_digest: str, openings_digest: str) -> str:
    openings = [openings_digest] if openings_digest else []
    return digest_of([previous, batch, games_digest, *openings])


def digest_inputs(previous: str, batches: "QuerySet[Batch]") -> dict[int, str]:
    """Return the input digest of each batch by its id, in order; `previous` is the one before."""
    digests: dict[int, str] = {}
    rows = batches.order_by(*ORDER).values_list("pk", "games_digest", "openings_digest")
    for batch, games_digest, openings_digest in rows.iterator(chunk_size=2000):
        digests[batch] = previous = _digest_input(previous, batch, games_digest, openings_digest)
    return digests


def is_due(pool: Pool) -> bool:
    """Return True if the ratings do not include all games as they are now."""
    return find_first_due(pool) is not None or find_changed_games(pool).exists()


def find_first_due(pool: Pool) -> BatchPosition | None:
    """Return the position at which the next run must start; None if no batch is due."""
    current = pool.current_run
    if current is not None and current.parameter_digest != digest_parameters(pool):
        return find_first(pool)
    # A batch that has moved is rated anew from the earlier of its two positions.
    positions = (
        (min(effective_at, rated_effective_at or effective_at), batch)
        for batch, effective_at, rated_effective_at in Batch.objects.filter(
            DUE, pool=pool
        ).values_list("pk", "effective_at", "rated_effective_at")
    )
    return min(positions, default=None)


def find_first(pool: Pool) -> BatchPosition | None:
    """Return the position of the first batch; None if there is no batch."""
    batches = Batch.objects.filter(IN_ORDER, pool=pool)
    return batches.order_by(*ORDER).values_list(*ORDER).first()


def find_period_start(pool: Pool, position: BatchPosition) -> BatchPosition:
    """Return the position of the first batch of the period of this position."""
    if not _has_months(pool):
        return position
    month = position[0].astimezone(UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    batches = Batch.objects.filter(IN_ORDER, pool=pool, effective_at__gte=month)
    return batches.order_by(*ORDER).values_list(*ORDER).first() or position


def batches_from(pool: Pool, position: BatchPosition) -> "QuerySet[Batch]":
    """Return the batches from this position on."""
    effective_at, batch = position
    later = Q(effective_at__gt=effective_at) | Q(effective_at=effective_at, pk__gte=batch)
    return Batch.objects.filter(IN_ORDER, later, pool=pool)


def batches_before(pool: Pool, position: BatchPosition) -> "QuerySet[Batch]":
    """Return the batches before this position, with a place in the order or not."""
    effective_at, batch = position
    earlier = Q(effective_at__lt=effective_at) | Q(effective_at=effective_at, pk__lt=batch)
    return Batch.objects.filter(earlier, pool=pool)


def load_inputs(pool: Pool, batches: "QuerySet[Batch]") -> Iterator[tuple[Batch, list[RatedInput]]]:
    """Yield batches in order with their games by id, in a fixed number of queries."""
    ordered = list(batches.order_by(*ORDER))
    rows = (
        BatchGame.objects.filter(pool=pool, batch__in=batches.values("pk"))
        .order_by("batch__effective_at", "batch_id", "game_id")
        .values_list("batch_id", *RatedInput._fields)
        .iterator(chunk_size=2000)
    )
    groups = groupby(rows, key=itemgetter(0))
    group = next(groups, None)
    for batch in ordered:
        if group is not None and group[0] == batch.pk:
            yield batch, [RatedInput._make(row[1:]) for row in group[1]]
            group = next(groups, None)
        else:
            yield batch, []


def load_periods(pool: Pool, batches: "QuerySet[Batch]") -> Iterator[Period]:
    """Yield batches and their games in order, in periods, in a fixed number of queries."""
    inputs = load_inputs(pool, batches)
    if _has_months(pool):
        for _, period in groupby(inputs, key=lambda item: _month(item[0].effective_at)):
            yield list(period)
    else:
        for item in inputs:
            yield [item]


def _has_months(pool: Pool) -> bool:
    return isinstance(find_preset(pool.preset, pool.parameters), Fide)


def _month(at: datetime) -> tuple[int, int]:
    at = at.astimezone(UTC)
    return at.year, at.month
