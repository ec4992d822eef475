"""What Celery runs for ratings: each task brings a pool to its due state, from the rows alone."""

import logging

from celery import shared_task

from ratings import queries, services
from ratings.models import Pool

log = logging.getLogger(__name__)


@shared_task(name="ratings.tasks.advance_pool")
def advance_pool(pool_id: int) -> None:
    """Make the run that a pool is due for, if it is."""
    services.advance_pool(pool_id)


@shared_task(name="ratings.tasks.sweep_pools")
def sweep_pools() -> int:
    """File casual games that wait, advance every pool that is due; how many were.

    A pool that fails is logged and does not hold up the others; the next sweep tries it again.
    """
    advanced = 0
    for pool in Pool.objects.order_by("pk"):
        try:
            services.file_casual_games(pool)
            if queries.is_due(pool):
                services.advance_pool(pool.pk)
                advanced += 1
        except Exception:
            log.exception("pool %s was not brought up to date", pool.code)
    return advanced
