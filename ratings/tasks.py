"""Celery tasks of ratings: each brings a pool to its due state, from the rows alone."""

import logging

from celery import shared_task
from django.utils import timezone

from games.core.checks import note_check
from games.core.uploads.services import import_in_turn
from ratings.batches.casual import file_casual_games
from ratings.batches.services import review_waiting_batches
from ratings.casual.imports import CASUAL_GAMES
from ratings.core.pools import differing_pools
from ratings.models import Pool
from ratings.runs import services as runs
from ratings.runs.verification import verify_nightly

log = logging.getLogger(__name__)


@shared_task(name="ratings.tasks.advance_pool")
def advance_pool(pool_id: int) -> None:
    """Rate the batches of a pool that are due."""
    runs.advance_pool(pool_id)


@shared_task(name=CASUAL_GAMES.task)
def import_games(_upload_id: int = 0) -> None:
    """Import the casual games of the upload whose turn it is."""
    import_in_turn(CASUAL_GAMES)


@shared_task(name="ratings.tasks.verify_pools")
def verify_pools() -> None:
    """Verify the ratings of every pool once a day, and again while they differ."""
    is_ok = True
    for pool in Pool.objects.order_by("pk"):
        try:
            verify_nightly(pool, now=timezone.now())
        except Exception:  # it must not stop the other pools
            log.exception("the ratings of %s could not be verified", pool.code)
            is_ok = False
    note_check("ratings", is_ok=is_ok and not differing_pools().exists())


@shared_task(name="ratings.tasks.sweep_pools")
def sweep_pools() -> int:
    """File casual games and approved events that are not filed yet, advance every pool that is due.

    Return how many were due. Only what the journals name is filed or compared with the filed games,
    and all games once an hour.
    """
    advanced = 0
    for pool in Pool.objects.order_by("pk"):
        try:
            review_waiting_batches(pool)
            changed = runs.find_changed_streams(pool, now=timezone.now())
            file_casual_games(pool, changed.games)
            if runs.is_due_since(pool, changed):
                runs.advance_pool(pool.pk, changed=changed)
                advanced += 1
        except Exception:  # it must not stop the other pools; the next sweep tries again
            log.exception("pool %s could not be brought up to date", pool.code)
    return advanced
