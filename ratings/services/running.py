"""Bringing a pool's ratings to what its batches come to: one run, one transaction.

What is due is computed: a batch that was never rated, whose facts are no longer those it was
rated on, or that moved in the order; all of them when the pool's parameters or the engine are
others. A run starts at the first such place, takes the states before it from the changes in
force, and rates every batch from there on; what it replaces stays, marked as superseded. Until
the transaction commits the old run is the current one, so it can be killed at any point, and a
second run finds nothing to do.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby

from django.db import transaction
from django.db.models import F, Max, Q, QuerySet
from django.utils import timezone

from games.journal import digest_of, write_line
from ratings.models import Batch, BatchGame, Change, Pool, Rating, Run
from ratings.services.filing import refresh_facts
from ratings.systems import find_preset
from ratings.systems.elo import (
    ENGINE_VERSION,
    MILLI,
    Elo,
    PlayerState,
    RatedBatch,
    RatedGame,
    rate_batch,
)

STEP = 500
ORDER = ("effective_at", "pk")
DUE = ~Q(facts=F("rated_facts"))

Place = tuple[datetime, int]


@dataclass(slots=True)
class Fold:
    """The states while batch after batch is rated, and when each player was last rated."""

    elo: Elo
    states: dict[int, PlayerState] = field(default_factory=dict)
    last_game_at: dict[int, datetime] = field(default_factory=dict)

    def rate(self, at: datetime, games: Iterable[BatchGame]) -> tuple[list[int], RatedBatch[int]]:
        """Rate one batch: the ids of its rated games in order, and what came of them."""
        counted = [one for one in games if not one.exclusion]
        for one in counted:
            self._seed(one.first_id, one.first_seed)
            self._seed(one.second_id, one.second_seed)
        rated = [
            RatedGame(one.first_id, one.second_id, one.score, one.handicap_part or 0)
            for one in counted
        ]
        done = rate_batch(self.states, rated, self.elo)
        self.states.update(done.states())
        self.last_game_at.update(dict.fromkeys(done.players, at))
        return [one.game_id for one in counted], done

    def _seed(self, player: int, seed: int | None) -> None:
        if player not in self.states:
            rating = self.elo.start * MILLI if seed is None else seed
            self.states[player] = PlayerState(rating, 0)


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
    return digest_of([chain, batch.pk, batch.facts])


def first_due(pool: Pool) -> Place | None:
    """The place in the order of batches where the next run must start; None when all is done."""
    current = pool.current_run
    if current is not None and current.parameter_digest != parameter_digest(pool):
        return _earliest(pool)
    places = [
        (min(at, rated_at or at), batch)
        for batch, at, rated_at in Batch.objects.filter(DUE, pool=pool).values_list(
            "pk", "effective_at", "rated_at"
        )
    ]
    return min(places, default=None)


def _earliest(pool: Pool) -> Place | None:
    return Batch.objects.filter(pool=pool).order_by(*ORDER).values_list(*ORDER).first()


def batches_from(pool: Pool, place: Place) -> "QuerySet[Batch]":
    """The batches at this place and after it, in order."""
    at, batch = place
    later = Q(effective_at__gt=at) | Q(effective_at=at, pk__gte=batch)
    return Batch.objects.filter(later, pool=pool).order_by(*ORDER)


def with_games(pool: Pool, batches: "QuerySet[Batch]") -> Iterator[tuple[Batch, list[BatchGame]]]:
    """Each batch in order with its games by id, in a fixed number of queries."""
    games = (
        BatchGame.objects.filter(pool=pool, batch__in=batches.order_by().values("pk"))
        .order_by("batch__effective_at", "batch_id", "game_id")
        .iterator(chunk_size=2000)
    )
    grouped = groupby(games, key=lambda one: one.batch_id)
    held = next(grouped, None)
    for batch in list(batches):
        if held is not None and held[0] == batch.pk:
            yield batch, list(held[1])
            held = next(grouped, None)
        else:
            yield batch, []


def advance_pool(pool_id: int, *, from_the_start: bool = False) -> Run | None:
    """Make the run that is due and make it current; None when nothing is due.

    `from_the_start` rates every batch anew, due or not. The pool's row is locked for the whole of
    it, so that a second call waits and then finds nothing to do.
    """
    with transaction.atomic():
        pool = Pool.objects.select_for_update().filter(pk=pool_id).first()
        if pool is None:
            return None
        refresh_facts(pool)
        place = first_due(pool)
        if from_the_start:
            place = _earliest(pool)
        if place is None:
            return None
        return _run_from(pool, place)


def _run_from(pool: Pool, place: Place) -> Run:
    batches = batches_from(pool, place)
    last = Batch.objects.filter(pool=pool).exclude(pk__in=batches.order_by().values("pk"))
    before = last.order_by("-effective_at", "-pk").first()
    digest = parameter_digest(pool)
    run = Run.objects.create(
        pool=pool,
        number=(pool.runs.aggregate(top=Max("number"))["top"] or 0) + 1,
        engine_version=ENGINE_VERSION,
        parameter_digest=digest,
        parent=pool.current_run,
        from_batch_id=place[1],
    )
    replaced = Change.objects.filter(
        pool=pool, batch__in=batches.order_by().values("pk"), superseded_by__isnull=True
    )
    touched = set(replaced.order_by().values_list("player_id", flat=True).distinct())
    replaced.update(superseded_by=run)
    fold = _states_before(pool, place, bool(touched))

    chain = before.chain if before else digest
    changes: list[Change] = []
    rated: list[Batch] = []
    for batch, games in with_games(pool, batches):
        ids, done = fold.rate(batch.effective_at, games)
        touched.update(done.players)
        changes += rows_of(run, batch, ids, done)
        chain = next_link(chain, batch)
        batch.run, batch.rated_at = run, batch.effective_at
        batch.rated_facts, batch.chain = batch.facts, chain
        rated.append(batch)
        if len(changes) >= 10 * STEP:
            Change.objects.bulk_create(changes, batch_size=STEP)
            changes.clear()
    Change.objects.bulk_create(changes, batch_size=STEP)
    Batch.objects.bulk_update(rated, ["run", "rated_at", "rated_facts", "chain"], batch_size=STEP)

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


def _states_before(pool: Pool, place: Place, replaces: bool) -> Fold:
    """The states before a place.

    Where no change was replaced these are the ratings as they are, of the players who come to
    play; otherwise the last change of each player before the place.
    """
    fold = Fold(find_preset(pool.preset, pool.parameters))
    at, batch = place
    if not replaces:
        rated = BatchGame.objects.filter(
            pool=pool, batch__in=batches_from(pool, place).order_by().values("pk")
        )
        involved = Q(player__in=rated.values("first")) | Q(player__in=rated.values("second"))
        for player, rating, games, last in Rating.objects.filter(involved, pool=pool).values_list(
            "player_id", "rating", "games", "last_game_at"
        ):
            fold.states[player] = PlayerState(rating, games)
            fold.last_game_at[player] = last
        return fold
    earlier = Q(batch__effective_at__lt=at) | Q(batch__effective_at=at, batch__lt=batch)
    rows = (
        Change.objects.filter(earlier, pool=pool, superseded_by__isnull=True)
        .order_by("pk")
        .values_list("player_id", "after", "batch__effective_at")
    )
    for player, after, played_at in rows.iterator(chunk_size=2000):
        known = fold.states.get(player)
        fold.states[player] = PlayerState(after, known.games + 1 if known else 1)
        fold.last_game_at[player] = played_at
    return fold


def rows_of(run: Run, batch: Batch, ids: list[int], done: RatedBatch[int]) -> list[Change]:
    """The changes of a batch as rows, in the order of the games."""
    return [
        Change(
            pool_id=run.pool_id,
            run=run,
            batch=batch,
            game_id=ids[change.game],
            player_id=change.player,
            opponent_id=change.opponent,
            seat=change.seat,
            before=change.before,
            opponent_before=change.opponent_before,
            handicap_part=change.handicap_part,
            expected=change.expected,
            k=change.k,
            score=change.score,
            share=change.share,
            after=change.after,
        )
        for change in done.changes()
    ]


def _swap_ratings(run: Run, fold: Fold, touched: set[int]) -> None:
    """Replace the ratings of everyone whose changes are new or gone."""
    played = [player for player in sorted(touched) if player in fold.last_game_at]
    gone = sorted(touched.difference(played))
    for start in range(0, len(gone), STEP):
        Rating.objects.filter(pool=run.pool, player__in=gone[start : start + STEP]).delete()
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
        batch_size=STEP,
        update_conflicts=True,
        unique_fields=["pool", "player"],
        update_fields=["run", "rating", "games", "last_game_at"],
    )
