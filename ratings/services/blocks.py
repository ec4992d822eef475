"""Bring the blocks of a pool, by which ranks are found, to those of the current run and day."""

from django.db import transaction

from games.bulk import BATCH_SIZE
from ratings.models import Pool, RatingBlock
from ratings.queries.lists import live_list
from ratings.queries.ranks import are_blocks_due, load_blocks


def refresh_blocks(pool_id: int) -> bool:
    """Count the blocks of a pool anew if they are due; return True if they were.

    A million ratings take about a second. Ranks are right before it too, but slower to find.
    """
    with transaction.atomic():
        # The lock that a run takes: the ratings are those of the current run.
        pool = Pool.objects.select_for_update(no_key=True).filter(pk=pool_id).first()
        if pool is None:
            return False
        live = live_list(pool)
        if not are_blocks_due(live):
            return False
        RatingBlock.objects.filter(pool=pool).delete()
        RatingBlock.objects.bulk_create(load_blocks(live), batch_size=BATCH_SIZE)
    return True
