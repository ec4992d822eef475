"""Bringing a pool's ratings to what its batches come to: one run, one transaction.

What is due is computed: a batch that was never rated, whose facts are no longer those it was
rated on, or that moved in the order; all of them when the pool's parameters or the engine are
others. A run starts at the first such place, takes the states before it from the changes in
force, and rates every batch from there on; what it replaces stays, marked as superseded. Until
the transaction commits the old run is the current one, so it can be killed at any point, and a
second run finds nothing to do.
"""

from django.db import transaction
from django.db.models import Max, Q
from django.utils import timezone

from games.chunks import ROWS_A_STATEMENT, chunks
from games.journal.chain import write_line
from ratings.batch_order import (
    ORDER,
    Place,
    batches_from,
    earliest,
    first_due,
    next_link,
    parameter_digest,
    with_games,
)
from ratings.bulk import insert_rows
from ratings.fold import COLUMNS, Fold, rows_of
from ratings.models import Batch, BatchGame, Change, Pool, Rating, Run
from ratings.openings import openings_of, states_after
from ratings.services.filing import refresh_facts
from ratings.systems import find_preset
from ratings.systems.elo import ENGINE_VERSION, PlayerState

MOST_HELD = 20_000


def advance_pool(pool_id: int, *, from_the_start: bool = False) -> Run | None:
    """Make the run that is due and make it current; None when nothing is due.

    `from_the_start` rates every batch anew, due or not. The pool's row is locked for the whole of
    it, so that a second call waits and then finds nothing to do.
    """
    with transaction.atomic():
        # Not the key: who files a game meanwhile refers to the pool's row, and must not wait here
        # while this waits for the journal that the other has written in.
        pool = Pool.objects.select_for_update(no_key=True).filter(pk=pool_id).first()
        if pool is None:
            return None
        refresh_facts(pool)
        place = first_due(pool)
        if from_the_start:
            place = earliest(pool)
        if place is None:
            return None
        return _run_from(pool, place)


def _run_from(pool: Pool, place: Place) -> Run:
    digest = parameter_digest(pool)
    run = Run.objects.create(
        pool=pool,
        number=(pool.runs.aggregate(top=Max("number"))["top"] or 0) + 1,
        engine_version=ENGINE_VERSION,
        parameter_digest=digest,
        parent=pool.current_run,
        from_batch_id=place[1],
    )
    # The mark is what the queries below go by: a batch that somebody files meanwhile lacks it and
    # waits for the next run; one that is filed again waits for the lock that comes with the mark.
    batches_from(pool, place).update(run=run)
    batches = Batch.objects.filter(pool=pool, run=run).order_by(*ORDER)
    earlier = Batch.objects.filter(pool=pool, rated_at__isnull=False).exclude(run=run)
    before = earlier.order_by("-effective_at", "-pk").first()
    replaced = Change.objects.filter(
        pool=pool, batch__in=batches.order_by().values("pk"), superseded_by__isnull=True
    )
    touched = set(replaced.order_by().values_list("player_id", flat=True).distinct())
    replaced.update(superseded_by=run)
    if before is None:
        Rating.objects.filter(pool=pool).delete()
    fold = _states_before(run, bool(touched))

    chain = before.chain if before else digest
    changes: list[tuple[object, ...]] = []
    rated: list[Batch] = []
    openings = openings_of(pool, batches)
    for batch, games in with_games(pool, batches):
        ids, done = fold.rate(batch.effective_at, games, openings.get(batch.pk, {}))
        touched.update(done.players)
        changes += rows_of(run, batch, ids, done)
        chain = next_link(chain, batch)
        batch.rated_at = batch.effective_at
        batch.rated_facts, batch.chain = batch.facts, chain
        rated.append(batch)
        if len(changes) >= MOST_HELD:
            insert_rows(Change, COLUMNS, changes)
            changes.clear()
    insert_rows(Change, COLUMNS, changes)
    Batch.objects.bulk_update(
        rated, ["rated_at", "rated_facts", "chain"], batch_size=ROWS_A_STATEMENT
    )

    _swap_ratings(run, fold, touched)
    run.input_digest, run.made_current_at = chain, timezone.now()
    run.save(update_fields=["input_digest", "made_current_at"])
    pool.current_run = run
    pool.save(update_fields=["current_run"])
    payload = {
        "run": run.number,
        "parent": run.parent.number if run.parent else None,
        "from_batch": run.from_batch_id,
        "batches": len(rated),
        "players": len(touched),
        "engine_version": run.engine_version,
        "parameter_digest": run.parameter_digest,
        "input_digest": run.input_digest,
    }
    write_line(pool.stream, "rating.run", payload, by=None)
    return run


def _states_before(run: Run, replaces: bool) -> Fold:
    """The states before the batches that a run has marked as its own.

    Where no change was replaced these are the ratings as they are, of the players who come to
    play; otherwise the last change of each player in the batches before.
    """
    pool = run.pool
    fold = Fold(find_preset(pool.preset, pool.parameters))
    if not replaces:
        rated = BatchGame.objects.filter(pool=pool, batch__run=run)
        involved = Q(player__in=rated.values("first")) | Q(player__in=rated.values("second"))
        for player, rating, games, last in Rating.objects.filter(involved, pool=pool).values_list(
            "player_id", "rating", "games", "last_game_at"
        ):
            fold.states[player] = PlayerState(rating, games)
            fold.last_game_at[player] = last
        return fold
    in_force = Change.objects.filter(pool=pool, superseded_by__isnull=True).exclude(batch__run=run)
    earlier = Batch.objects.filter(pool=pool).exclude(run=run)
    for player, (state, at) in states_after(in_force, openings_of(pool, earlier)).items():
        fold.states[player], fold.last_game_at[player] = state, at
    return fold


def _swap_ratings(run: Run, fold: Fold, touched: set[int]) -> None:
    """Replace the ratings of everyone whose changes are new or gone."""
    played = [player for player in sorted(touched) if player in fold.last_game_at]
    gone = sorted(touched.difference(played))
    for some in chunks(gone):
        Rating.objects.filter(pool=run.pool, player__in=some).delete()
    Rating.objects.bulk_create(
        [
            Rating(
                pool_id=run.pool_id,
                player_id=player,
                run=run,
                rating=fold.states[player].rating,
                games=fold.states[player].games,
                last_game_at=fold.last_game_at[player],
            )
            for player in played
        ],
        batch_size=ROWS_A_STATEMENT,
        update_conflicts=True,
        unique_fields=["pool", "player"],
        update_fields=["run", "rating", "games", "last_game_at"],
    )
