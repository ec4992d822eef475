"""Heal the earlier runs of a pool whose rows were altered, and say in its journal what was altered.

A run has a digest of its changes and one of its ratings, and no other copy of them. What a rebuild
has computed anew is what the run had computed, if no game was corrected since: its digest proves
this, and the rows are restored. Otherwise they stay, and the run gets the digest of what is stored,
so that the next alteration is found.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from django.db import transaction
from django.db.models import QuerySet

from games.core.journal.lines import append_line
from games.core.journal.rows import changed_rows
from ratings.batches.order import BATCH_ORDER, batches_before
from ratings.core.locking import lock_pool
from ratings.models import IN_CURRENT_RUN, Batch, Change, Pool, Run, RunRating
from ratings.runs.openings import load_states
from ratings.runs.queries import CHANGED, digest_changes, digest_ratings, finished_runs
from ratings.systems.presets import find_preset

RATED: Final = ("player_id", "rating", "games")
KEYS: Final[dict[type[Change | RunRating], tuple[str, ...]]] = {
    Change: ("batch_id", "game_id", "seat"),
    RunRating: ("player_id",),
}
MOST_NAMED: Final = 100
"""Rows of a run that a line names; it has the number of all."""

Key = tuple[Any, ...]
Rows = Mapping[Key, dict[str, Any]]
"""Rows by what tells them apart in a run, with their other columns."""


def heal_runs(pool: Pool, differences: Sequence[str]) -> list[dict[str, Any]]:
    """Heal the runs of a pool that was rebuilt; return what was altered in each of them.

    `differences` are the sentences of the verifications before it. A line has everything.
    """
    with transaction.atomic():
        pool = lock_pool(pool.pk)
        runs = list(finished_runs(pool).order_by("number"))
        found = [altered for run in runs for altered in _heal(run)]
        if found or differences:
            payload = {"run": runs[-1].number, "differences": differences, "altered": found}
            numbers = {altered["run"] for altered in found if not altered["restored"]}
            kept = [run for run in runs if run.number in numbers]
            rows = changed_rows(*kept)
            append_line(pool.stream, "rating.altered", payload, by=None, rows=rows)
            Run.objects.bulk_update(kept, ["changes_digest", "ratings_digest"])
    return found


def _heal(run: Run) -> Iterable[dict[str, Any]]:
    """Restore the rows of a run, or give it the digests of what is stored; yield what differs."""
    if digest_changes(run) != run.changes_digest:
        own = Change.objects.filter(pool=run.pool_id, run=run)
        stored = _rows(own.values_list(*CHANGED), CHANGED, Change)
        current = Change.objects.filter(IN_CURRENT_RUN, pool=run.pool_id)
        batches_of: list[Any] = [own.values("batch"), _batches_of(run)]  # all rows may be gone
        computed = [
            _rows(current.filter(batch__in=batches).values_list(*CHANGED), CHANGED, Change)
            for batches in batches_of
        ]
        yield _restore(run, Change, stored, computed, digest_changes, "changes_digest")
    if digest_ratings(run) != run.ratings_digest:
        stored = _rows(run.ratings.values_list(*RATED), RATED, RunRating)
        computed = [{**stored, **_ratings_after(run)}]
        yield _restore(run, RunRating, stored, computed, digest_ratings, "ratings_digest")


def _batches_of(run: Run) -> "QuerySet[Any, Any]":
    """Return the batches that a run has rated, if none has another place since."""
    since = run.from_batch.effective_at if run.from_batch else run.created_at
    filed = Batch.objects.filter(pool=run.pool_id, filed_at__lte=run.created_at)
    return filed.filter(effective_at__gte=since).values("pk")


def _restore(
    run: Run,
    model: Any,
    stored: Rows,
    alternatives: Sequence[Rows],
    digest: Callable[[Run], str],
    column: str,
) -> dict[str, Any]:
    """Store what was computed if its digest is that of the run; return the rows that differ.

    The last of the alternatives counts if none is proven.
    """
    names, is_restored = KEYS[model], False
    for computed in alternatives:
        differing = [
            key for key in sorted({*stored, *computed}) if stored.get(key) != computed.get(key)
        ]
        with transaction.atomic():
            for key in differing:
                values = dict(zip(names, key, strict=True))
                model._default_manager.filter(run=run, **values).delete()
                if key in computed:
                    row = {**values, **computed[key]}
                    model._default_manager.create(pool_id=run.pool_id, run=run, **row)
            is_restored = digest(run) == getattr(run, column)
            transaction.set_rollback(not is_restored)
        if is_restored:
            break
    else:
        setattr(run, column, digest(run))
    rows = [
        {**dict(zip(names, key, strict=True)), **_difference(stored.get(key), computed.get(key))}
        for key in differing[:MOST_NAMED]
    ]
    return {
        "run": run.number,
        "kind": model._meta.model_name,
        "restored": is_restored,
        "count": len(differing),
        "rows": rows,
    }


def _difference(stored: dict[str, Any] | None, computed: dict[str, Any] | None) -> dict[str, Any]:
    """Return the columns in which two rows differ; null for a row that is not there."""
    if stored is None or computed is None:
        return {"stored": stored, "computed": computed}
    names = [name for name in stored if stored[name] != computed[name]]
    return {
        "stored": {name: stored[name] for name in names},
        "computed": {name: computed[name] for name in names},
    }


def _rows(
    rows: Iterable[tuple[Any, ...]], names: Sequence[str], model: type[Change | RunRating]
) -> Rows:
    found = {}
    for row in rows:
        values = dict(zip(names, row, strict=True))
        found[tuple(values.pop(name) for name in KEYS[model])] = values
    return found


def _ratings_after(run: Run) -> Rows:
    """Return the ratings of the players of a run after its last batch, as they are computed now."""
    pool, own = run.pool, Change.objects.filter(pool=run.pool_id, run=run)
    last = Batch.objects.filter(pk__in=own.values("batch")).order_by(*BATCH_ORDER).last()
    if last is None:
        return {}
    until = batches_before(last) | Batch.objects.filter(pk=last.pk)
    changes = Change.objects.filter(IN_CURRENT_RUN, pool=pool, batch__in=until.values("pk"))
    states = load_states(pool, changes, until, find_preset(pool.preset, pool.parameters))
    # In FIDE's system, a player can have games and no rating.
    return {
        (player,): {"rating": state.rating or None, "games": state.games if state.rating else 0}
        for player in own.values_list("player_id", flat=True).distinct()
        if player in states
        for state in [states[player][0]]
    }
