"""Recomputing a pool from its facts and comparing every row with what is stored."""

from collections.abc import Iterator
from itertools import islice, zip_longest

from django.db import transaction

from ratings import eligibility
from ratings.batch_order import ORDER, first_due, next_link, parameter_digest, with_games
from ratings.fold import COLUMNS, Fold, rows_of
from ratings.models import Batch, Change, Pool, Rating, Run
from ratings.openings import digest_of_openings, openings_as_brought, openings_of
from ratings.systems import find_preset

MOST_TOLD = 20
FIELDS = COLUMNS[2:]

Row = tuple[object, ...]


def verify_pool(pool: Pool) -> list[str]:
    """Where the stored ratings are not what the facts come to, a sentence each, twenty at most.

    Empty when all agree. A pool that is due for a run is told as that, and not compared. Runs wait
    until the comparison is done.
    """
    with transaction.atomic():
        pool = Pool.objects.select_for_update(no_key=True).get(pk=pool.pk)
        if first_due(pool) is not None or eligibility.drifted(pool).exists():
            return [f"{pool.code} is due for a run; advance it first"]
        if pool.current_run is None:
            return []
        return list(islice(_drift(pool, pool.current_run), MOST_TOLD))


def _drift(pool: Pool, run: Run) -> Iterator[str]:
    fold = Fold(find_preset(pool.preset, pool.parameters))
    chain = parameter_digest(pool)
    stored = (
        Change.objects.filter(pool=pool, superseded_by__isnull=True)
        .order_by("pk")
        .values_list(*FIELDS)
        .iterator(chunk_size=2000)
    )
    batches = Batch.objects.filter(pool=pool, rated_at__isnull=False).order_by(*ORDER)
    openings, brought = openings_of(pool, batches), openings_as_brought(pool, batches)
    for batch, games in with_games(pool, batches):
        if eligibility.digest_of_facts(batch.effective_at, games) != batch.facts:
            yield f"{pool.code}, batch {batch.pk}: its games are not those of its facts' digest"
        if digest_of_openings(brought.get(batch.pk, {})) != batch.openings:
            yield f"{pool.code}, batch {batch.pk}: its openings are not those of their digest"
        chain = next_link(chain, batch)
        if batch.chain != chain:
            yield f"{pool.code}, batch {batch.pk}: the chain of input digests breaks here"
        ids, done = fold.rate(batch.effective_at, games, openings.get(batch.pk, {}))
        for row in rows_of(run, batch, ids, done):
            found = next(stored, None)
            if found != row[2:]:
                yield _difference(pool, found, row[2:])
    for found in stored:
        yield _difference(pool, found, None)
    if run.input_digest != chain:
        yield f"{pool.code}, run {run.number}: its input digest is not that of the batches"
    yield from _wrong_ratings(pool, fold)


def _difference(pool: Pool, found: Row | None, right: Row | None) -> str:
    named = [
        "nothing"
        if row is None
        else ", ".join(f"{name} {value}" for name, value in zip(FIELDS, row, strict=True))
        for row in (found, right)
    ]
    return f"{pool.code}: a change is stored as [{named[0]}], right is [{named[1]}]"


def _wrong_ratings(pool: Pool, fold: Fold) -> Iterator[str]:
    stored = Rating.objects.filter(pool=pool).order_by("player_id")
    found = stored.values_list("player_id", "rating", "games", "last_game_at")
    right = (
        (player, *fold.states[player], fold.last_game_at[player])
        for player in sorted(fold.last_game_at)
    )
    for one, other in zip_longest(found.iterator(chunk_size=2000), right):
        if one != other:
            yield f"{pool.code}: a rating is stored as {one}, right is {other}"
