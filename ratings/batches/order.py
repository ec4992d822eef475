"""The order in which a pool's batches are rated, the first that is due, and the input digests.

Batches go by their effective time. Those of one time go by their content, never by the order in
which they were filed: single games first, by a digest of their players and their record or result;
then events by slug. Their order keys contain only digits and letters from a to f, so that every
database sorts them alike.

Anyone can compute the input digest of a batch from an export: the first is computed from the digest
of the parameters, each from the one before, the id of the batch, the digest of its games and, if it
has openings, the digest of those.
"""

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.db.models import Q, QuerySet

from games.core.journal.chain import digest_of
from games.models import Game
from ratings.batches.eligibility import RatedInput, find_changed_games
from ratings.models import DUE, IN_ORDER, Batch, BatchGame, Pool
from ratings.systems.elo import ENGINE_VERSION, Elo
from ratings.systems.fide import Fide
from ratings.systems.presets import find_preset

BATCH_ORDER = ("effective_at", "order_key", "pk")

BatchPosition = tuple[datetime, int]
"""The effective time from which on batches are rated, and the id of the batch that is the reason.

All batches of this time are rated.
"""

CONTENT_OF_GAME = (
    "first__name", "first__country", "second__name", "second__country", "game", "board", "options",
    "swap", "handicap", "record__digest", "winner", "draw", "termination", "score_first",
    "score_second",
)  # fmt: skip
"""What places a single game among those of the same effective time."""

Period = list[tuple[Batch, list[RatedInput]]]
"""Batches that are rated together, and their games: in FIDE's system a month, else one batch."""


def order_key_of_event(stream: str) -> str:
    """Return the order key of the batch of an event: the bytes of its slug."""
    _, _, slug = stream.partition("/")
    return f"1{slug.encode().hex()}"


def order_keys_of_games(games: Iterable[int]) -> dict[int, str]:
    """Return the order key of the batch of each of these single games, by its id."""
    rows = Game.objects.filter(pk__in=games).values_list("pk", *CONTENT_OF_GAME)
    return {number: f"0{digest_of(list(content))}" for number, *content in rows}


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


def digest_input(previous: str, batch: int, games_digest: str, openings_digest: str) -> str:
    """Return the input digest of a batch that follows the batch with the digest `previous`."""
    openings = [openings_digest] if openings_digest else []
    return digest_of([previous, batch, games_digest, *openings])


def is_due(pool: Pool) -> bool:
    """Return True if the ratings do not include all games as they are now."""
    return has_due_batch(pool) or find_changed_games(pool).exists()


def has_due_batch(pool: Pool) -> bool:
    """Return True if a batch is due as it is filed."""
    return find_first_due(pool) is not None


def find_first_due(pool: Pool) -> BatchPosition | None:
    """Return the position at which the next run must start; None if no batch is due."""
    current = pool.current_run
    if current is not None and current.parameter_digest != digest_parameters(pool):
        return find_first(pool)
    due = Batch.objects.filter(DUE, pool=pool)
    # A batch that has moved is rated anew from the earlier of its two positions.
    positions = (
        (min(effective_at, rated_effective_at or effective_at), batch)
        for batch, effective_at, rated_effective_at in due.values_list(
            "pk", "effective_at", "rated_effective_at"
        )
    )
    return min(positions, default=None)


def find_first(pool: Pool) -> BatchPosition | None:
    """Return the position of the first batch; None if there is no batch."""
    batches = Batch.objects.filter(IN_ORDER, pool=pool)
    return batches.order_by(*BATCH_ORDER).values_list("effective_at", "pk").first()


def find_period_start(pool: Pool, position: BatchPosition) -> BatchPosition:
    """Return the position of the first batch of the period of this position."""
    if not has_months(pool):
        return position
    month = position[0].astimezone(UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    batches = Batch.objects.filter(IN_ORDER, pool=pool, effective_at__gte=month)
    return batches.order_by(*BATCH_ORDER).values_list("effective_at", "pk").first() or position


def batches_from(pool: Pool, position: BatchPosition) -> "QuerySet[Batch]":
    """Return the batches from the time of this position on."""
    return Batch.objects.filter(IN_ORDER, pool=pool, effective_at__gte=position[0])


def batches_before(batch: Batch) -> "QuerySet[Batch]":
    """Return the batches before one, with a place in the order or not."""
    same_time = Q(effective_at=batch.effective_at)
    before = Q(order_key__lt=batch.order_key) | Q(order_key=batch.order_key, pk__lt=batch.pk)
    earlier = Q(effective_at__lt=batch.effective_at) | same_time & before
    return Batch.objects.filter(earlier, pool=batch.pool)


def find_digest_before(pool: Pool, position: BatchPosition) -> str | None:
    """Return the input digest of the last rated batch before a position; None without one."""
    rated = Batch.objects.filter(
        pool=pool, effective_at__lt=position[0], rated_effective_at__isnull=False
    )
    newest = rated.order_by("-effective_at", "-order_key", "-pk")
    return newest.values_list("input_digest", flat=True).first()


def load_inputs(pool: Pool, batches: "QuerySet[Batch]") -> Iterator[tuple[Batch, list[RatedInput]]]:
    """Yield batches in order with their games by id, in a fixed number of queries."""
    ordered = list(batches.order_by(*BATCH_ORDER))
    rows = (
        BatchGame.objects.filter(pool=pool, batch__in=batches.values("pk"))
        .order_by("batch__effective_at", "batch__order_key", "batch_id", "game_id")
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
    if has_months(pool):
        for _, period in groupby(inputs, key=lambda item: period_number(item[0].effective_at)):
            yield list(period)
    else:
        for item in inputs:
            yield [item]


def has_months(pool: Pool) -> bool:
    """Return True if the pool's system rates the batches of a month together."""
    return isinstance(find_preset(pool.preset, pool.parameters), Fide)


def period_number(at: datetime) -> int:
    """Return the number of the month (UTC) of a time; that after it has the next number."""
    at = at.astimezone(UTC)
    return at.year * 12 + at.month - 1
