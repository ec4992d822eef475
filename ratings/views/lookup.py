"""What several views of pools need: the pool, and the right and version to change it."""

from games.core.preconditions import Target, version_of
from ratings.models import Pool
from ratings.pools.services import EDITABLE_SETTINGS


def pool_target(pool: Pool) -> Target:
    """Return a pool with what officers change, for `If-Match`."""

    def read_version(locked: bool) -> str:
        if not locked:  # for a body that is not older than the version
            pool.refresh_from_db(fields=EDITABLE_SETTINGS)
        pools = Pool.objects.select_for_update(no_key=True)
        return version_of(pools.get(pk=pool.pk) if locked else pool, *EDITABLE_SETTINGS)

    return Target(pool.stream, read_version, lambda kind, _: kind == "pool.edited")
