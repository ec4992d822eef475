"""The lock of a pool: its settings, its lists and its current run change one after the other."""

from ratings.models import Pool


def lock_pool(pool_id: int) -> Pool:
    """Read a pool again and lock its row until the transaction ends."""
    # Not its key: filing a game refers to the row of the pool, and must not wait for this lock
    # while this transaction waits for a batch or a journal that filing has locked.
    return Pool.objects.select_for_update(no_key=True).get(pk=pool_id)
