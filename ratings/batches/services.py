"""File the games of an event, or a casual game, with a pool as one batch."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction

from games.core.broker import send_on_commit
from games.core.errors import Conflict
from games.core.journal.lines import append_line
from games.core.journal.rows import changed_rows
from games.models import Account, Game
from games.rules.text import Text
from ratings.batches.decisions import Filing
from ratings.batches.eligibility import RatedInput, digest_games
from ratings.models import Batch, BatchGame, Pool
from ratings.services.batch_rows import load_rows, rows_of

MAX_LISTED_GAMES = 20
BATCH_COLUMNS = [
    "label",
    "state",
    "approved",
    "reason",
    "effective_at",
    "backdated",
    "games_digest",
]


def file_batch(
    pool: Pool,
    *,
    stream: str,
    label: str,
    effective_at: datetime,
    games: Iterable[Game],
    filing: Filing,
    kind: str = Batch.Kind.EVENT,
    organiser: Account | None = None,
    over_limit: Collection[int] = (),
) -> Batch:
    """File the games of an event with a pool and request their rating.

    Each game is filed with its current result, or with the code of why it is not rated. Filing the
    same stream again updates its batch, except that a withdrawn one stays withdrawn and one with
    a time of an officer keeps it, and does nothing if nothing changed. `over_limit` are the games
    beyond the daily limit of their players.
    Raises Conflict if another batch of the pool contains one of the games.
    """
    label = label[:120]
    with transaction.atomic():
        batch, is_new = pool.batches.select_for_update(no_key=True).get_or_create(
            pool=pool,
            stream=stream,
            defaults={
                "kind": kind,
                "label": label,
                "effective_at": effective_at,
                "organiser": organiser,
                "state": filing.state,
            },
        )
        before = (batch.label, batch.state, batch.approved, batch.reason, batch.games_digest)
        stored = set(rows_of(batch).values_list("game_id", "exclusion"))
        if batch.state != Batch.State.WITHDRAWN:
            batch.state, batch.approved, batch.reason = filing
        batch.label = label
        if not batch.backdated:
            batch.effective_at = effective_at
        rows = load_rows(batch, [game.pk for game in games], over_limit)
        _check_not_filed_elsewhere(batch, [row.game_id for row in rows])
        batch.games_digest = digest_games(batch.effective_at, map(RatedInput.from_row, rows))
        after = (batch.label, batch.state, batch.approved, batch.reason, batch.games_digest)
        if is_new or before != after or stored != {(row.game_id, row.exclusion) for row in rows}:
            _save_rows(batch, rows)
            announce_batch(batch, rows)
    return batch


def announce_batch(batch: Batch, rows: Sequence[BatchGame]) -> None:
    """Write the journal line of a new or changed batch and send the task that rates it."""
    payload, changed = batch_payload(batch, rows), changed_rows(batch)
    append_line(batch.pool.stream, f"batch.{batch.state}", payload, by=None, rows=changed)
    send_on_commit("ratings.tasks.advance_pool", batch.pool_id)


def batch_payload(batch: Batch, rows: Sequence[BatchGame]) -> dict[str, Any]:
    """Return the payload of the journal line of a batch."""
    return {
        "batch": batch.pk,
        "stream": batch.stream,
        "effective_at": batch.effective_at.isoformat(),
        "games": len(rows),
        "excluded": sum(1 for row in rows if row.exclusion),
        "games_digest": batch.games_digest,
    }


def limit_effective_time(
    ends_at: datetime, *, created_at: datetime, filed_at: datetime
) -> datetime:
    """Return when the batch of an event takes effect: at its end, within the limits.

    These are its creation, less the grace period of the installation, and the time of filing. They
    prevent that an organiser changes the whole history, or the order of all later events.
    """
    earliest = created_at - timedelta(days=settings.RATING_GRACE_DAYS)
    return min(max(ends_at, earliest), filed_at)


def refresh_event(stream: str) -> list[Batch]:
    """File the games of an event as they are now, in every pool, and request a run of each."""
    found = Batch.objects.filter(stream=stream).select_related("pool")
    batches = list(found.select_for_update(no_key=True, of=("self",)).order_by("pk"))
    for batch in batches:
        before = batch.games_digest
        refresh_batch(batch)
        if batch.games_digest != before:
            announce_batch(batch, list(rows_of(batch)))
    return batches


def refresh_batches(pool: Pool, changed: Collection[int]) -> None:
    """Update these batches, of which games have changed since they were filed.

    Call it in the transaction of the run that follows.
    """
    if not changed:
        return
    # Lock batches before their games, in the same order as file_batch.
    for batch in pool.batches.select_for_update(no_key=True).filter(pk__in=changed):
        refresh_batch(batch)


def refresh_batch(batch: Batch) -> None:
    """File the games of a batch, whose row is locked, as they are now."""
    filed = dict(rows_of(batch).values_list("game", "over_limit"))
    rows = load_rows(batch, list(filed), [game for game in filed if filed[game]])
    batch.games_digest = digest_games(batch.effective_at, map(RatedInput.from_row, rows))
    _save_rows(batch, rows)


def _save_rows(batch: Batch, rows: Sequence[BatchGame]) -> None:
    """Save a batch and replace its games."""
    rows_of(batch).delete()
    BatchGame.objects.bulk_create(rows)
    batch.save(update_fields=BATCH_COLUMNS)


def _check_not_filed_elsewhere(batch: Batch, game_ids: Sequence[int]) -> None:
    elsewhere = (
        BatchGame.objects.filter(pool=batch.pool_id, game__in=game_ids)
        .exclude(batch=batch)
        .order_by("game_id")
        .values_list("game_id", flat=True)[:MAX_LISTED_GAMES]
    )
    if elsewhere:
        listed = ", ".join(map(str, elsewhere))
        raise Conflict(
            "already_filed",
            Text(
                "another batch of %(pool)s has the games %(names)s", pool=batch.pool, names=listed
            ),
        )
