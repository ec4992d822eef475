"""Pools, their runs, and how far their batches have come."""

from typing import Any

from games.http.errors import NotFound
from ratings import eligibility
from ratings.batch_order import first_due
from ratings.models import Batch, Pool

RUN_FIELDS = (
    "id", "number", "engine_version", "parameter_digest", "input_digest", "from_batch_id",
    "created_at", "made_current_at",
)  # fmt: skip


def find_pool(code: str) -> Pool:
    """The pool of that code; raises NotFound."""
    pool = Pool.objects.select_related("current_run").filter(code=code).first()
    if pool is None:
        raise NotFound("not_found", f"there is no pool {code[:40]!r}")
    return pool


def pool_as_dict(pool: Pool) -> dict[str, Any]:
    """A pool as the API shows it."""
    run = pool.current_run
    return {
        "code": pool.code,
        "name": pool.name,
        "preset": pool.preset,
        "parameters": pool.parameters,
        "handicap_table": pool.handicap_table,
        "casual_games": pool.casual_games,
        "run": None if run is None else run_as_dict(vars(run)),
    }


def run_as_dict(row: dict[str, Any]) -> dict[str, Any]:
    """One row of `RUN_FIELDS` as the API shows it."""
    shown = {name: row[name] for name in RUN_FIELDS if name not in ("id", "from_batch_id")}
    return {**shown, "from_batch": row["from_batch_id"]}


def is_due(pool: Pool) -> bool:
    """Whether the pool's ratings are behind its games."""
    return first_due(pool) is not None or eligibility.drifted(pool).exists()


def batch_progress(batch_id: int) -> dict[str, Any] | None:
    """How far a batch has come: `waiting`, or `done` with the run that rated it; None: no such."""
    batch = Batch.objects.select_related("run", "pool").filter(pk=batch_id).first()
    if batch is None:
        return None
    done = batch.facts == batch.rated_facts and batch.run is not None
    return {
        "id": f"batch-{batch.pk}",
        "state": "done" if done else "waiting",
        "progress": 1 if done else 0,
        "stream": batch.stream,
        "result": {"pool": batch.pool.code, "run": batch.run.number}
        if done and batch.run
        else None,
    }
