"""Bring a pool's ratings up to date: one run, which becomes current in one transaction.

A batch is due if it was never rated, if its games differ from those that were rated, or if it has
moved in the order; every batch is due if the pool's parameters or the engine have changed. A run
rates all batches from the start of the pool in memory, and stores the changes from the first one
that is due on, or from the first of its month if the pool uses FIDE's system. If no batch from
there on was rated before, the states before it are the present ratings, and only these batches are
read. The changes that a run replaces remain: those of the run of a batch are current.

The previous run is current until the last transaction. A run that is killed leaves rows to which
nothing refers, and the next one deletes them.

Every change of a game, its event or its players writes a line to a journal in its transaction. So
whether a pool is due is found out often and at little cost: only the games of the streams with new
lines are compared with what is filed, and all games once an hour, as each rebuild does.
"""

import fcntl
import os
import tempfile
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from django.db import connection, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from games.core.journal.lines import SITE, append_line
from games.core.journal.rows import changed_rows, combined, updated_rows
from games.core.uploads.progress import Progress, no_progress
from games.models import Game, JournalLine, Player
from games.models.bulk import chunks, update_statistics
from games.rules.text import Text
from ratings.batches.eligibility import find_changed_games
from ratings.batches.order import (
    BatchPosition,
    Period,
    batches_from,
    digest_input,
    digest_parameters,
    find_digest_before,
    find_first,
    find_first_due,
    find_period_start,
    has_due_batch,
    load_periods,
)
from ratings.batches.services import refresh_batches
from ratings.core.locking import lock_pool
from ratings.models import (
    IN_CURRENT_RUN,
    IN_ORDER,
    Batch,
    BatchGame,
    Change,
    Pool,
    Rating,
    Run,
    RunRating,
)
from ratings.runs.openings import Openings, load_openings
from ratings.runs.queries import (
    History,
    digest_changes,
    digest_ratings,
    load_histories,
    load_last_states,
)
from ratings.runs.state import CHANGE_COLUMNS, ChangeRow, PoolState
from ratings.systems.elo import ENGINE_VERSION, MILLI, Elo
from ratings.systems.intervals import Group, estimate_spread, start_of
from ratings.systems.presets import RatingSystem, find_preset

ALL_EVERY: Final = timedelta(hours=1)
"""The time between two comparisons of all games."""

LONGEST_TRANSACTION: Final = timedelta(minutes=5)
"""A line that is older is visible, or found by the next comparison of all games."""

MOST_STREAMS: Final = 1000
"""If more journals have new lines, all games are compared."""


@dataclass(frozen=True, slots=True)
class ChangedStreams:
    """The streams with lines since the last comparison; `is_all` if all games are to be compared.

    `last` is the line up to which nothing is looked at again, `now` when this was found out.
    """

    streams: Sequence[str]
    is_all: bool
    last: int
    now: datetime

    @property
    def games(self) -> list[int] | None:
        """Return the games that have streams of their own, as casual games do; None for all."""
        if self.is_all:
            return None
        prefix = "game/"
        return [int(name.removeprefix(prefix)) for name in self.streams if name.startswith(prefix)]


def find_changed_streams(pool: Pool, *, now: datetime, is_all: bool = False) -> ChangedStreams:
    """Return what can have changed since the games of a pool were last compared.

    `is_all` requires that all games are compared, due or not.
    """
    lines = JournalLine.objects.filter(pk__gt=pool.compared_line)
    # Lines become visible in the order of the commits, not of their numbers: those of the last
    # minutes are looked at again.
    settled = lines.filter(at__lt=now - LONGEST_TRANSACTION).order_by("-pk")
    last = settled.values_list("pk", flat=True).first() or pool.compared_line
    streams = list(lines.order_by().values_list("stream", flat=True).distinct()[: MOST_STREAMS + 1])
    is_old = pool.compared_at is None or pool.compared_at <= now - ALL_EVERY
    # A pool that was closed may file casual games from its edition on.
    everywhere = Q(stream=SITE, kind__in=["player.merged", "merge.undone"])
    everywhere |= Q(stream=pool.stream, kind="pool.edited")
    is_all = is_all or is_old or len(streams) > MOST_STREAMS or lines.filter(everywhere).exists()
    return ChangedStreams(streams, is_all, last, now)


def is_due_since(pool: Pool, changed: ChangedStreams) -> bool:
    """Return True if the ratings do not include all games as they are now.

    Only the games are compared that can have changed. Store what was compared if none has; the run
    that follows otherwise stores what it compared.
    """
    if has_due_batch(pool):
        return True
    is_due = find_games_changed_since(pool, changed).exists()
    if not is_due:
        save_comparison(pool, changed)
    return is_due


def save_comparison(pool: Pool, changed: ChangedStreams) -> None:
    """Store that these games of a pool agree with what is filed."""
    compared = changed.last, changed.now if changed.is_all else pool.compared_at
    if compared != (pool.compared_line, pool.compared_at):
        pool.compared_line, pool.compared_at = compared
        pool.save(update_fields=["compared_line", "compared_at"])


def find_games_changed_since(pool: Pool, changed: ChangedStreams) -> "QuerySet[BatchGame]":
    """Return the filed games that differ from what would be filed now, of those to be compared."""
    games = find_changed_games(pool)
    if changed.is_all:
        return games
    batches = Batch.objects.filter(pool=pool, stream__in=changed.streams)
    own = BatchGame.objects.filter(pool=pool, game__in=changed.games or [])
    named = {*batches.values_list("pk", flat=True), *own.values_list("batch_id", flat=True)}
    return games.filter(batch__in=named)


def find_changed_batches(pool: Pool, changed: ChangedStreams) -> set[int]:
    """Return the batches of the games that `find_games_changed_since` returns."""
    games = find_games_changed_since(pool, changed)
    return set(games.values_list("batch", flat=True).distinct())


RATING_STEP = Text("rating games")

CHANGES_AT_ONCE: Final = 10_000
"""The changes, about, of a transaction."""

MEASURED_PLAYERS: Final = 2000
"""The spread of a pool is estimated by so many players at most: to 2 %."""

ROWS_AT_ONCE: Final = 1000
"""Rows in a statement."""

MANY_GAMES: Final = 1000
"""A run of as many lets the database count its changes, before others read them."""

RATED_COLUMNS = ["run", "rated_effective_at", "rated_games_digest", "input_digest"]
"""What a run writes of a batch."""


RUN_COLUMNS = [
    "input_digest", "changes_digest", "ratings_digest", "made_current_at", "unrated",
]  # fmt: skip
"""What is known of a run only at its end."""


@dataclass(frozen=True, slots=True)
class Input:
    """What a run rates: the state before some periods, and these in their order.

    `unrated` is that of the run before, if the state before is that after it. `replaced` are the
    players of the changes that the run replaces.
    """

    state: PoolState
    digest: str
    periods: Sequence[Period]
    openings: dict[int, Openings]
    unrated: dict[str, Any]
    replaced: Collection[int]

    @property
    def games(self) -> int:
        """The number of rated games."""
        return sum(
            not game.exclusion for period in self.periods for _, games in period for game in games
        )


def advance_pool(
    pool_id: int,
    *,
    from_start: bool = False,
    changed: ChangedStreams | None = None,
    progress: Progress = no_progress,
) -> Run | None:
    """Rate the batches that are due and make the run current.

    Return None if none is due, or if another call is at it. `from_start` rates every batch anew,
    due or not. `changed` are streams of which the caller has filed the casual games: store that
    their games are compared. What becomes due meanwhile is rated by a further run, because its
    message has found the lock taken.
    """
    last = None
    while True:
        with lock_runs(pool_id) as is_held:
            run = _advance(pool_id, changed, progress, from_start=from_start) if is_held else None
        if run is None:
            return last
        last, from_start, changed = run, False, None
        if find_first_due(Pool.objects.get(pk=pool_id)) is None:
            return last


def _advance(
    pool_id: int, changed: ChangedStreams | None, progress: Progress, *, from_start: bool
) -> Run | None:
    """Make one run; return None if there is nothing to rate."""
    with transaction.atomic():
        pools = Pool.objects.select_for_update(no_key=True)  # as lock_pool does
        pool = pools.filter(pk=pool_id).first()
        if pool is None:
            return None
        _delete_unfinished(pool)
        _refresh_batches(pool, changed, from_start=from_start)
        position = find_first(pool) if from_start else find_first_due(pool)
        if position is None:
            return None
        position = find_period_start(pool, position)
        found = _read_input(pool, position)
        last = Run.objects.filter(pool=pool).order_by("number").last()
        run = Run.objects.create(
            pool=pool,
            number=last.number + 1 if last else 1,
            engine_version=ENGINE_VERSION,
            parameter_digest=digest_parameters(pool),
            parent=pool.current_run,
            from_batch_id=position[1],
        )
    batches = _rate(run, found, position, progress)
    return run if _make_current(run, found, batches) else None


def _delete_unfinished(pool: Pool) -> None:
    """Delete the rows of a run that was killed."""
    for run in Run.objects.filter(pool=pool, made_current_at__isnull=True):
        Change.objects.filter(run=run).delete()
        run.delete()


def _refresh_batches(pool: Pool, filed: ChangedStreams | None, *, from_start: bool) -> None:
    """Update the batches whose games have changed; a rebuild compares all games."""
    changed = filed or find_changed_streams(pool, now=timezone.now(), is_all=from_start)
    if changed.is_all:
        update_statistics(Batch, BatchGame, Game, Player)
    refresh_batches(pool, find_changed_batches(pool, changed))
    if filed is not None:
        save_comparison(pool, filed)


def _read_input(pool: Pool, position: BatchPosition) -> Input:
    """Read what a run from a position on needs; the batches stay locked in this transaction."""
    own = batches_from(pool, position)
    state = PoolState(find_preset(pool.preset, pool.parameters))
    current = pool.current_run
    if current is not None and not own.filter(rated_effective_at__isnull=False).exists():
        periods = _read_periods(pool, own)
        state.add_states(load_last_states(pool, state.system, _players_of(periods)))
        digest = find_digest_before(pool, position) or digest_parameters(pool)
        return Input(state, digest, periods, load_openings(pool, own), current.unrated, ())
    batches = Batch.objects.filter(IN_ORDER, pool=pool)
    replaced: QuerySet[Any] = pool.ratings.all()
    first = find_first(pool)
    if first is None or position[0] != first[0]:
        replaced = Change.objects.filter(IN_CURRENT_RUN, pool=pool, batch__in=own.values("pk"))
    return Input(
        state,
        digest_parameters(pool),
        _read_periods(pool, batches),
        load_openings(pool, batches),
        {},
        set(replaced.values_list("player_id", flat=True).distinct()),
    )


def _read_periods(pool: Pool, batches: "QuerySet[Batch]") -> list[Period]:
    """Lock batches and return them in their order, in periods, with their games."""
    # Locked while their games are read, so that what is rated of a batch is what its digest covers.
    # By key, as everyone who locks several batches; `load_periods` reads them in another order.
    len(batches.select_for_update(no_key=True).order_by("pk").values_list("pk"))
    return list(load_periods(pool, batches))


def _players_of(periods: Sequence[Period]) -> set[int]:
    games = [game for period in periods for _, rows in period for game in rows]
    return {player for game in games for player in (game.first_id, game.second_id)}


def _rate(run: Run, found: Input, position: BatchPosition, progress: Progress) -> list[Batch]:
    """Rate all periods and store the changes from a position on; return the batches from there on.

    The batches have the values of `RATED_COLUMNS`, which are not saved.
    """
    digest, done, total = found.digest, 0, found.games
    changes: list[ChangeRow] = []
    rated: list[Batch] = []
    progress(RATING_STEP, done, total)
    for period in found.periods:
        first = period[0][0]
        is_own = first.effective_at >= position[0]
        if is_own and not rated:
            found.state.rated = set()
        rows = found.state.rate_period(period, found.openings)
        done += len(rows) // 2
        for batch, _ in period:
            digest = digest_input(digest, batch.pk, batch.games_digest, batch.openings_digest)
            if is_own:
                batch.run, batch.rated_effective_at = run, batch.effective_at
                batch.rated_games_digest, batch.input_digest = batch.games_digest, digest
                rated.append(batch)
        if is_own:
            changes += rows
        if len(changes) >= CHANGES_AT_ONCE:
            _store_changes(run, changes)
            changes = []
            progress(RATING_STEP, done, total)
    if changes:
        _store_changes(run, changes)
        progress(RATING_STEP, done, total)
    return rated


def _store_changes(run: Run, changes: Sequence[ChangeRow]) -> None:
    rows = [
        Change(**dict(zip(CHANGE_COLUMNS, (pool, run.pk, *values), strict=True)))
        for pool, _, *values in changes
    ]
    with transaction.atomic():  # a portion each: SQLite has one writer, whom others wait for
        Change.objects.bulk_create(rows, batch_size=ROWS_AT_ONCE)


def _make_current(run: Run, found: Input, batches: Sequence[Batch]) -> bool:
    """Make a run current that has rated these batches; False if its parameters are of before."""
    players = sorted(found.state.rated.union(found.replaced))
    run.changes_digest = digest_changes(run)
    estimate_spread(found.state.system, ())  # the first in a process simulates: not under the locks
    with transaction.atomic():
        pool = lock_pool(run.pool_id)
        if digest_parameters(pool) != run.parameter_digest:
            return False
        run.input_digest, run.made_current_at = batches[-1].input_digest, timezone.now()
        # All batches exist. `bulk_update` takes ten times as long.
        Batch.objects.bulk_create(
            batches,
            batch_size=ROWS_AT_ONCE,
            update_conflicts=True,
            unique_fields=["id"],
            update_fields=RATED_COLUMNS,
        )
        _replace_ratings(run, found.state, players)
        run.unrated, run.ratings_digest = _unrated_states(found), digest_ratings(run)
        run.save(update_fields=RUN_COLUMNS)
        Run.objects.filter(pool=pool, number__lt=run.number).exclude(unrated={}).update(unrated={})
        pool.current_run, pool.spread = run, _measure_spread(pool, found.state.system)
        pool.save(update_fields=["current_run", "spread"])
        rows = combined(changed_rows(run, pool), updated_rows([pool], "spread"))
        payload = {
            "run": run.number,
            "parent": run.parent.number if run.parent else None,
            "from_batch": run.from_batch_id,
            "batches": len(batches),
            "players": len(players),
            "engine_version": run.engine_version,
            "parameter_digest": run.parameter_digest,
            "input_digest": run.input_digest,
        }
        append_line(pool.stream, "rating.run", payload, by=None, rows=rows)
        if found.games >= MANY_GAMES:
            update_statistics(Batch, Change)
    return True


def _measure_spread(pool: Pool, system: RatingSystem) -> int:
    """Return how far the strengths in a pool are apart, by the ratings of some of its players."""
    ratings = Rating.objects.filter(pool=pool).order_by("player")
    found = list(ratings.values_list("player", "rating", "games")[:MEASURED_PLAYERS])
    histories = load_histories([pool], [player for player, *_ in found])
    groups: dict[int, list[tuple[float, float]]] = defaultdict(list)
    for player, rating, games in found:
        history = histories.get((pool.pk, player), History())
        # A rating that games elsewhere led to is near its strength from the first game on.
        if games <= history.games:
            distance = (rating - start_of(system, history.start)) / MILLI
            groups[games].append((distance**2, history.sizes.least))
    return estimate_spread(
        system,
        [
            Group(games, len(rows), sum(square for square, _ in rows), _mean_size(rows))
            for games, rows in sorted(groups.items())
        ],
    )


def _mean_size(rows: Sequence[tuple[float, float]]) -> float:
    return round(sum(size for _, size in rows) / len(rows), 1)


def _replace_ratings(run: Run, state: PoolState, players: Sequence[int]) -> None:
    """Replace the ratings of these players; remove those of players without a rating."""
    for ids in chunks([player for player in players if not state.has_rating(player)]):
        Rating.objects.filter(pool=run.pool, player__in=ids).delete()
    ratings = [
        Rating(
            pool=run.pool,
            player_id=player,
            run=run,
            rating=state.players[player].rating,
            games=state.players[player].games,
            last_game_at=state.last_game_at[player],
            state=None if isinstance(state.system, Elo) else state.players[player],
        )
        for player in players
        if state.has_rating(player)
    ]
    Rating.objects.bulk_create(
        ratings,
        batch_size=ROWS_AT_ONCE,
        update_conflicts=True,
        unique_fields=["pool", "player"],
        update_fields=["run", "rating", "games", "last_game_at", "state"],
    )
    rated = {rating.player_id: rating for rating in ratings}
    RunRating.objects.bulk_create(
        (
            RunRating(
                pool=run.pool,
                run=run,
                player_id=player,
                rating=rated[player].rating if player in rated else None,
                games=rated[player].games if player in rated else 0,
            )
            for player in players
        ),
        batch_size=ROWS_AT_ONCE,
    )


def _unrated_states(found: Input) -> dict[str, Any]:
    """Return the players without a rating as `Run.unrated`."""
    state = found.state
    others = {
        player: values
        for player, values in found.unrated.items()
        if int(player) not in state.players
    }
    return others | state.unrated_states()


ADVISORY_LOCKS: Final = 7
"""The first key of the advisory locks of runs; the second is the id of the pool."""


@contextmanager
def lock_runs(pool_id: int) -> Iterator[bool]:
    """Hold the lock of the runs of a pool; yield False if another call holds it.

    PostgreSQL releases an advisory lock with its connection, and the system that of a file with the
    process that holds it. SQLite has no lock besides that of its one writer, which a run must not
    hold while it computes.
    """
    if connection.vendor == "postgresql":
        with _advisory_lock(pool_id) as is_held:
            yield is_held
        return
    with _lock_file(pool_id).open("w") as file:  # closing it releases the lock
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True


@contextmanager
def _advisory_lock(pool_id: int) -> Iterator[bool]:
    keys = [ADVISORY_LOCKS, pool_id]
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", keys)
        (is_held,) = cursor.fetchone()
    try:
        yield is_held
    finally:
        if is_held:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s, %s)", keys)


def _lock_file(pool_id: int) -> Path:
    """Return the file beside that of the database; one in memory belongs to this process."""
    database = Path(connection.settings_dict["NAME"])
    if database.is_file():
        return database.with_name(f"{database.name}-runs-{pool_id}")
    return Path(tempfile.gettempdir(), f"perihelion-{os.getpid()}-runs-{pool_id}")
