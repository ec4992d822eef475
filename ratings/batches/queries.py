"""The batches of a pool, and how far the rating of one is."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from typing import Annotated, Any, Final, NotRequired, TypedDict

from django.db.models import Count, Exists, OuterRef, QuerySet

from games.core.references import AccountReference, TournamentReference, account_reference
from games.core.waits import Reason
from games.models import Game
from games.models.streams import game_of, tournament_of
from ratings.batches.decisions import reason_of
from ratings.models import Batch, BatchGame, Pool

HOUR: Final = 3600
"""Seconds after which it is worth to ask again whether somebody has decided."""


class RatingBatch(TypedDict):
    """A batch; one that is waiting or refused has no place in the order of the pool."""

    id: int
    kind: Batch.Kind
    tournament: Annotated[TournamentReference | None, "null for a casual game"]
    game_id: Annotated[int | None, "the casual game"]
    organiser: NotRequired[Annotated[AccountReference | None, "only for the officers of the pool"]]
    state: Batch.State
    approved: Annotated[bool, "by the officers, it or its organiser; else both players must agree"]
    reason: Annotated[str | None, "of the last officer who changed it; or for whom it waits"]
    effective_at: datetime
    filed_at: datetime
    games: int
    excluded: Annotated[dict[str, int], "the number of games that each code excludes"]
    run_number: Annotated[int | None, "the run that rated it in its present form"]


def load_batches(pool: Pool) -> "QuerySet[Batch]":
    """Return the batches of a pool with their organisers."""
    return Batch.objects.filter(pool=pool).select_related("organiser", "run", "pool")


def with_visible_games(batches: "QuerySet[Batch]", games: "QuerySet[Game]") -> "QuerySet[Batch]":
    """Return the batches of which at least one game is among these."""
    own = BatchGame.objects.filter(pool=OuterRef("pool"), batch=OuterRef("pk"))
    return batches.filter(Exists(own.filter(game__in=games.values("pk"))))


def batches_as_json(pool: Pool, batches: Iterable[Batch]) -> list[RatingBatch]:
    """Return the JSON of batches; one query counts their games."""
    listed = list(batches)
    counts: dict[int, dict[str, int]] = defaultdict(dict)
    games = BatchGame.objects.filter(pool=pool, batch__in=[batch.pk for batch in listed])
    rows = games.order_by().values_list("batch", "exclusion").annotate(count=Count("pk"))
    for batch_id, exclusion, count in rows:
        counts[batch_id][exclusion] = count
    return [_batch_as_json(batch, counts[batch.pk]) for batch in listed]


def _batch_as_json(batch: Batch, games: dict[str, int]) -> RatingBatch:
    slug = tournament_of(batch.stream)
    return {
        "id": batch.pk,
        "kind": Batch.Kind(batch.kind),
        "tournament": {"slug": slug, "name": batch.label} if slug else None,
        "game_id": game_of(batch.stream),
        "organiser": account_reference(batch.organiser) if batch.organiser else None,
        "state": Batch.State(batch.state),
        "approved": batch.approved,
        "reason": reason_of(batch.pool, batch.state, batch.reason) or None,
        "effective_at": batch.effective_at,
        "filed_at": batch.filed_at,
        "games": sum(games.values()),
        "excluded": {code: games[code] for code in sorted(games) if code},
        "run_number": batch.run.number if batch.run and batch.is_rated else None,
    }


def batch_progress(batch_id: int) -> dict[str, Any] | None:
    """Return the task that rates a batch; None if there is no such batch.

    It is done when the batch is rated in its present form, and has failed while the pool does not
    rate it.
    """
    batch = Batch.objects.select_related("run", "pool").filter(pk=batch_id).first()
    if batch is None:
        return None
    run = batch.run if batch.is_rated else None
    return {
        "id": f"batch-{batch.pk}",
        "state": "done" if run else "failed" if batch.state in NOT_RATED else "waiting",
        "progress": None,
        "stream": batch.stream,
        "response": {"pool": batch.pool.code, "batch_id": batch.pk} if run else None,
        "current": {"run_number": run.number if run else None},
        "since": batch.filed_at,
        "reason": None if run else _why(batch),
    }


NOT_RATED: Final = (Batch.State.REFUSED, Batch.State.WITHDRAWN)


def _why(batch: Batch) -> Reason | None:
    """Return the decision for which a batch waits, or that excludes it; None if it only queues."""
    code = {
        Batch.State.WAITING: "approval_needed",
        Batch.State.REFUSED: "refused",
        Batch.State.WITHDRAWN: "withdrawn",
    }.get(Batch.State(batch.state))
    detail = reason_of(batch.pool, batch.state, batch.reason)
    return Reason(code, detail, HOUR) if code else None
