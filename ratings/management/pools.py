"""The pool that a command is given."""

from django.core.management.base import CommandError
from django.db.models import QuerySet

from ratings.models import Pool


def load_pool(code: str, pools: "QuerySet[Pool] | None" = None) -> Pool:
    """Return the pool with this code; raises CommandError with the valid codes."""
    pool = (Pool.objects.all() if pools is None else pools).filter(code=code).first()
    if pool is None:
        codes = ", ".join(Pool.objects.order_by("code").values_list("code", flat=True))
        raise CommandError(f"no pool {code!r}; valid are: {codes}", returncode=2)
    return pool
