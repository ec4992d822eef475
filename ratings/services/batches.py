"""File games with a pool: those of an event as one batch, a casual game as a batch of its own."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from games.broker import send_on_commit
from games.bulk import BATCH_SIZE
from games.http.errors import Conflict
from games.journal import append_line, game_stream
from games.models import Game, Player
from ratings.models import Batch, BatchGame, Pool
from ratings.queries.eligibility import RatedInput, digest_games, find_changed_games, load_games
from ratings.systems.elo import MILLI

MAX_LISTED_GAMES = 20


def file_batch(
    pool: Pool,
    *,
    stream: str,
    label: str,
    effective_at: datetime,
    games: Iterable[Game],
    kind: str = Batch.Kind.EVENT,
) -> Batch:
    """File the games of an event with a pool and request their rating.

    Each game is filed with its current result, or with the code of why it is not rated. Filing the
    same stream again updates its batch, and does nothing if nothing changed. Raises Conflict if
    another batch of the pool contains one of the games.
    """
    label = label[:120]
    with transaction.atomic():
        batch, is_new = pool.batches.select_for_update(no_key=True).get_or_create(
            pool=pool,
            stream=stream,
            defaults={"kind": kind, "label": label, "effective_at": effective_at},
        )
        rows = _load_rows(batch, [game.pk for game in games])
        _check_not_filed_elsewhere(batch, [row.game_id for row in rows])
        digest = digest_games(effective_at, map(RatedInput.from_row, rows))
        stored = set(_rows_of(batch).values_list("game_id", "exclusion"))
        is_same = stored == {(row.game_id, row.exclusion) for row in rows}
        if not is_new and is_same and (batch.label, batch.games_digest) == (label, digest):
            return batch

        batch.label, batch.effective_at, batch.games_digest = label, effective_at, digest
        _save_rows(batch, rows)
        announce_batch(batch, rows)
    return batch


def announce_batch(batch: Batch, rows: Sequence[BatchGame]) -> None:
    """Write the journal line of a filed batch and send the task that rates it."""
    payload = {
        "batch": batch.pk,
        "stream": batch.stream,
        "effective_at": batch.effective_at.isoformat(),
        "games": len(rows),
        "excluded": sum(1 for row in rows if row.exclusion),
        "games_digest": batch.games_digest,
    }
    append_line(batch.pool.stream, "batch.filed", payload, by=None)
    send_on_commit("ratings.tasks.advance_pool", batch.pool_id)


def file_game(pool: Pool, game: Game) -> Batch:
    """File a casual game at the time when its result was confirmed.

    The day on which it was played is not used, because players could then change everybody's
    history at will. Raises Conflict if the game is not confirmed.
    """
    if game.confirmed_at is None:
        raise Conflict("unconfirmed", f"game {game.pk} is not confirmed, so it cannot be rated")
    return file_batch(
        pool,
        stream=game_stream(game),
        label="",
        effective_at=game.confirmed_at,
        games=[game],
        kind=Batch.Kind.GAME,
    )


def file_casual_games(pool: Pool) -> None:
    """File every confirmed casual game of the pool's games that is not filed yet."""
    filed = BatchGame.objects.filter(pool=pool, game=OuterRef("pk"))
    games = Game.objects.filter(
        ~Exists(filed),
        stream="",
        rated=True,
        state=Game.State.CONFIRMED,
        game__in=pool.casual_games,
    )
    for game in list(games.order_by("confirmed_at", "pk")):
        file_game(pool, game)


def refresh_batches(pool: Pool) -> None:
    """Update the batches with games that have changed since they were filed.

    Call it in the transaction of the run that follows.
    """
    changed = set(find_changed_games(pool).values_list("batch", flat=True))
    if not changed:
        return
    # Lock batches before their games, in the same order as file_batch.
    for batch in pool.batches.select_for_update(no_key=True).filter(pk__in=changed):
        rows = _load_rows(batch, list(_rows_of(batch).values_list("game", flat=True)))
        batch.games_digest = digest_games(batch.effective_at, map(RatedInput.from_row, rows))
        _save_rows(batch, rows)


def _rows_of(batch: Batch) -> "QuerySet[BatchGame]":
    return BatchGame.objects.filter(pool=batch.pool_id, batch=batch)


def _load_rows(batch: Batch, game_ids: Sequence[int]) -> list[BatchGame]:
    """Return the games of a batch as they are now; seeds that were filed before are preserved."""
    rows = load_games(batch.pool, game_ids)
    players = {player for row in rows for player in (row.first_id, row.second_id)}
    seeds = {
        player: None if seed is None else seed * MILLI
        for player, seed in Player.objects.filter(pk__in=players).values_list("pk", "seed_rating")
    }
    for row in _rows_of(batch):
        seeds |= {row.first_id: row.first_seed, row.second_id: row.second_seed}
    for row in rows:
        row.batch = batch
        row.first_seed, row.second_seed = seeds[row.first_id], seeds[row.second_id]
    return rows


def _save_rows(batch: Batch, rows: Sequence[BatchGame]) -> None:
    """Save a batch and replace its games."""
    _rows_of(batch).delete()
    BatchGame.objects.bulk_create(rows, batch_size=BATCH_SIZE)
    batch.save(update_fields=["label", "effective_at", "games_digest"])


def _check_not_filed_elsewhere(batch: Batch, game_ids: Sequence[int]) -> None:
    elsewhere = (
        BatchGame.objects.filter(pool=batch.pool_id, game__in=game_ids)
        .exclude(batch=batch)
        .order_by("game_id")
        .values_list("game_id", flat=True)[:MAX_LISTED_GAMES]
    )
    if elsewhere:
        listed = ", ".join(map(str, elsewhere))
        raise Conflict("already_filed", f"another batch of {batch.pool} has the games {listed}")
