"""Compare the ratings of a pool with a recomputation, and its rows with its journal."""

import json
import logging
from collections.abc import Iterator
from datetime import datetime
from itertools import islice, zip_longest
from typing import Any, Final

from django.db import transaction
from django.db.models import Max, QuerySet

from games.core.journal.lines import load_lines
from games.core.journal.rows import Row, Rows, expanded, kind_of, rows_of, whole_rows
from games.models import JournalLine, Role
from games.play.verification import JournalledRows, find_differences, fold_lines
from ratings.batches.eligibility import digest_games
from ratings.batches.order import digest_input, digest_parameters, is_due, load_periods
from ratings.core.locking import lock_pool
from ratings.models import (
    IN_CURRENT_RUN,
    RATED_ORDER,
    Batch,
    Change,
    Decision,
    Pool,
    PublishedList,
    Rating,
    Run,
    RunRating,
    TableRow,
    TableVersion,
)
from ratings.runs.filed import find_filed, find_filed_before
from ratings.runs.openings import digest_openings, load_openings
from ratings.runs.queries import digest_changes, digest_list, digest_ratings
from ratings.runs.state import CHANGE_COLUMNS, ChangeRow, PoolState
from ratings.systems.elo import Elo
from ratings.systems.presets import BadParameter, UnknownPreset, find_preset

log = logging.getLogger(__name__)

MAX_DIFFERENCES = 20
COMPARED = CHANGE_COLUMNS[2:]


def verify_pool(pool: Pool) -> list[str]:
    """Return a sentence for each difference between stored and recomputed ratings.

    At most twenty are returned. If the pool is due for a run, the only sentence says so, and
    nothing is compared. Runs of the pool wait until the comparison is done.
    """
    with transaction.atomic():
        pool = lock_pool(pool.pk)
        if unreadable := find_unreadable(pool):
            return [unreadable]
        if is_due(pool):
            return [f"{pool.code} is due for a run; advance it first"]
        if pool.current_run is None:
            return []
        return list(islice(_find_differences(pool, pool.current_run), MAX_DIFFERENCES))


def find_unreadable(pool: Pool) -> str:
    """Return a sentence for settings of a pool by which nothing can be computed, or nothing."""
    if not isinstance(pool.parameters, dict):
        return f"{pool.code}: its parameters are {pool.parameters!r:.80}"
    try:
        find_preset(pool.preset, pool.parameters)
    except (UnknownPreset, BadParameter) as error:
        return f"{pool.code}: {error}"
    return ""


def verify_nightly(pool: Pool, *, now: datetime) -> None:
    """Verify the ratings of a pool that were not found correct on this day (UTC); store the result.

    A pool that is due for a run is left for the next call.
    """
    is_verified = pool.verified_at is not None and pool.verified_at.date() == now.date()
    if (is_verified and not pool.differences) or is_due(pool):
        return
    differences = verify_pool(pool)
    for difference in differences:
        log.error("the ratings are not those of a recomputation: %s", difference)
    Pool.objects.filter(pk=pool.pk).update(verified_at=now, differences=differences)


def _find_differences(pool: Pool, run: Run) -> Iterator[str]:
    state = PoolState(find_preset(pool.preset, pool.parameters))
    digest = digest_parameters(pool)
    stored = (
        Change.objects.filter(IN_CURRENT_RUN, pool=pool)
        .order_by(*RATED_ORDER)
        .values_list(*COMPARED)
        .iterator(chunk_size=2000)
    )
    batches = Batch.objects.filter(pool=pool, rated_effective_at__isnull=False)
    openings = load_openings(pool, batches)
    imported = load_openings(pool, batches, follow_merges=False)
    for period in load_periods(pool, batches):
        for batch, games in period:
            place = f"{pool.code}, batch {batch.pk}"
            if batch.rated_effective_at != batch.effective_at:
                yield f"{place}: it was not rated at the time at which it takes effect"
            if digest_games(batch.effective_at, games) != batch.games_digest:
                yield f"{place}: its games do not match their digest"
            if digest_openings(imported.get(batch.pk, {})) != batch.openings_digest:
                yield f"{place}: its openings do not match their digest"
            digest = digest_input(digest, batch.pk, batch.games_digest, batch.openings_digest)
            if batch.input_digest != digest:
                yield f"{place}: its input digest does not follow from the batch before"
        for row in state.rate_period(period, openings):
            found = next(stored, None)
            if found != row[2:]:
                yield _describe_difference(pool, found, row[2:])
    for found in stored:
        yield _describe_difference(pool, found, None)
    if run.input_digest != digest:
        yield f"{pool.code}, run {run.number}: its input digest is not that of the last batch"
    yield from _compare_ratings(pool, state)
    if run.unrated != json.loads(json.dumps(state.unrated_states())):
        yield f"{pool.code}, run {run.number}: its players without a rating are others"


def _describe_difference(pool: Pool, stored: ChangeRow | None, correct: ChangeRow | None) -> str:
    described = [
        "nothing"
        if row is None
        else ", ".join(f"{name} {value}" for name, value in zip(COMPARED, row, strict=True))
        for row in (stored, correct)
    ]
    return f"{pool.code}: a change is stored as [{described[0]}], expected [{described[1]}]"


def _compare_ratings(pool: Pool, state: PoolState) -> Iterator[str]:
    stored = (
        Rating.objects.filter(pool=pool)
        .order_by("player_id")
        .values_list("player_id", "rating", "games", "last_game_at", "state", "run__number")
        .iterator(chunk_size=2000)
    )
    last = RunRating.objects.filter(pool=pool).values_list("player_id")
    runs = dict(last.annotate(Max("run__number")))
    is_elo = isinstance(state.system, Elo)
    correct = (
        (
            player,
            state.players[player].rating,
            state.players[player].games,
            state.last_game_at[player],
            None if is_elo else json.loads(json.dumps(state.players[player])),
            runs.get(player),
        )
        for player in sorted(state.last_game_at)
        if state.has_rating(player)
    )
    for found, expected in zip_longest(stored, correct):
        if found != expected:
            yield f"{pool.code}: a rating is stored as {found}, expected {expected}"


OF_ALL_POOLS = (TableVersion, TableRow)
"""The models whose rows belong to no pool: the journal of the pool whose officer made them has
them."""
LISTED = ("player_id", "rating", "games", "rank")
STAR_GAMES: Final[dict[str, list[str]]] = {
    "star-star": [], "double-star-star": [], "nobridge-star-star": [],
}  # fmt: skip
"""What the first pool of an installation names since version 0.3; it named nothing before."""


def pool_querysets(stream: str) -> "list[QuerySet[Any]]":
    """Return the rows of a pool that its journal describes, by model."""
    pools = Pool.objects.filter(code=stream.removeprefix("pool/"))
    models = (Decision, Batch, PublishedList)
    return [
        pools,
        *(model._default_manager.filter(pool__in=pools) for model in models),
        Run.objects.filter(pool__in=pools, made_current_at__isnull=False),
        Role.objects.filter(stream=stream),
    ]


def verify_pool_rows(stream: str) -> list[str]:
    """Return a sentence for each difference between the rows of a pool and its journal.

    No line describes the creation of the pool that every installation starts with. Until 0.3.0 it
    rated all games, by `decay`; a new one names its games, and has `floor`.
    """
    first = Pool(code="star", name="*Star", preset="decay", casual_games=["star-star"])
    if Pool.objects.filter(code=first.code, rated_games=STAR_GAMES).exists():
        first.rated_games = STAR_GAMES
    if Pool.objects.filter(code=first.code, preset="floor").exists():
        first.preset = "floor"
    before: Rows = whole_rows(first) if first.stream == stream else {}
    lines = load_lines(stream)
    journalled, errors = fold_lines(lines, before=before)
    has_spread = _has_spread(journalled, stream)
    stored: dict[str, dict[str, Row]] = {
        kind_of(found.model): rows_of(found) for found in pool_querysets(stream)
    }
    if not has_spread:
        for row in stored[kind_of(Pool)].values():
            del row["spread"]
    elsewhere = _tables_elsewhere(stream)
    for model in OF_ALL_POOLS:
        kind = kind_of(model)
        rows = rows_of(model._default_manager.all())
        stored[kind] = {key: row for key, row in rows.items() if (kind, key) not in elsewhere}
    pool = Pool.objects.filter(code=stream.removeprefix("pool/")).first()
    differences = [*errors, *find_differences(journalled, stored)]
    if pool is None:
        return differences
    return [
        *differences,
        *find_filed(pool),
        *_find_chained(pool, journalled),
        *_find_computed(pool),
        *_find_listed(pool),
    ]


def _has_spread(journalled: JournalledRows, stream: str) -> bool:
    """Return True if a line names the spread of a pool, as runs do since version 0.3."""
    key = stream.removeprefix("pool/")
    return bool(journalled.lines.get((kind_of(Pool), key, "spread")))


def find_unstated(pool: Pool) -> Iterator[str]:
    """Yield a sentence for what no line says of a pool that an earlier version has rated."""
    yield from find_filed_before(pool)
    journalled, _ = fold_lines(load_lines(pool.stream))
    if pool.current_run_id and not _has_spread(journalled, pool.stream):
        yield "its spread, on which intervals depend, is of an earlier version: no line has it"


def _find_chained(pool: Pool, journalled: JournalledRows) -> Iterator[str]:
    """Yield a sentence for each mark of what was rated that the current run has not left.

    The digests of what was rated follow one another, up to that of the run, which the journal has.
    A batch that has got another place since has none until its next run.
    """
    run = pool.current_run
    digest = run.parameter_digest if run else ""
    rated = pool.batches.filter(rated_effective_at__isnull=False)
    is_whole = True
    for batch in rated.order_by("rated_effective_at", "order_key", "pk"):
        name, games_digest = f"batch {batch.stream}", batch.rated_games_digest
        if not games_digest and run and _is_placed_since(batch, run, journalled):
            is_whole = False
            break
        if batch.is_rated and batch.rated_effective_at != batch.effective_at:
            yield f"{name}: it was not rated at the time at which it takes effect"
        digest = digest_input(digest, batch.pk, games_digest, batch.openings_digest)
        if batch.input_digest != digest:
            yield f"{name}: its digests are not those of what run {run and run.number} has rated"
    if run and is_whole and run.input_digest != digest:
        yield f"run {run.number}: its input digest is not that of the last batch"
    unrated = pool.batches.filter(rated_effective_at__isnull=True)
    for batch in unrated.exclude(run=None, rated_games_digest="", input_digest=""):
        yield f"batch {batch.stream}: it has the marks of a run, and not the time"


def _is_placed_since(batch: Batch, run: Run, journalled: JournalledRows) -> bool:
    """Return True if a line after that of the run has changed the place of a batch."""
    placed = journalled.lines.get((kind_of(Batch), batch.stream, "order_key"), 0)
    return placed > journalled.lines.get((kind_of(Run), str(run.number), "made_current_at"), 0)


def _find_computed(pool: Pool) -> Iterator[str]:
    """Yield a sentence for each run whose changes and ratings are not those that it computed.

    The run of a batch is not before the last one with changes by its games.
    """
    changes = Change.objects.filter(pool=pool, run__made_current_at__isnull=False)
    last = dict(changes.values_list("batch").annotate(Max("run__number")))
    for batch, stream, run in pool.batches.values_list("pk", "stream", "run__number"):
        if (run or 0) < last.get(batch, 0):
            yield f"batch {stream}: run {last[batch]} rated it last, not run {run}"
    for found in pool.runs.filter(made_current_at__isnull=False).order_by("number"):
        if digest_changes(found) != found.changes_digest:
            yield f"run {found.number}: its changes are not those that it computed"
        if digest_ratings(found) != found.ratings_digest:
            yield f"run {found.number}: its ratings are not those that it computed"
        if found.unrated and found.pk != pool.current_run_id:
            yield f"run {found.number}: only the current run has players without a rating"


def _find_listed(pool: Pool) -> Iterator[str]:
    """Yield a sentence for each rating on a list that the runs up to it did not give."""
    runs = RunRating.objects.filter(pool=pool).order_by("run__number")
    for published in pool.published_lists.select_related("run").order_by("published_on"):
        name = f"list {published.published_on}"
        until = runs.filter(run__number__lte=published.run.number)
        given = {row[0]: row[1:] for row in until.values_list("player_id", "rating", "games")}
        if digest_list(published) != published.ratings_digest:
            yield f"{name}: its ratings are not those that were published"
        rows = list(published.ratings.order_by("-rating").values_list(*LISTED))
        if len(rows) != published.players:
            yield f"{name}: it has {len(rows)} players, not {published.players}"
        ranks: dict[int, int] = {}
        for place, row in enumerate(rows, start=1):
            ranks.setdefault(row[1], place)
        for player, rating, games, rank in rows:
            if given.get(player) != (rating, games) or rank != ranks[rating]:
                yield f"{name}: the runs did not give player {player} rating {rating}, rank {rank}"


def _tables_elsewhere(stream: str) -> set[tuple[str, str]]:
    """Return the kinds and keys of the tables in the journals of other pools."""
    lines = JournalLine.objects.filter(kind="table.added").exclude(stream=stream)
    return {
        (kind, key)
        for line in lines.filter(payload__isnull=False).select_related("payload")
        for kind, key, _ in expanded(line.payload.rows or {})
    }
