"""The ratings after a run, current or not."""

from django.db.models import Exists, OuterRef, QuerySet

from ratings.models import Run, RunRating


def ratings_after(run: Run) -> "QuerySet[RunRating]":
    """Return the rating of each player after a run; later runs do not change it."""
    rows = RunRating.objects.filter(pool=run.pool_id, run__lte=run.pk)
    later = rows.filter(player=OuterRef("player"), run__gt=OuterRef("run"))
    return rows.filter(~Exists(later), rating__isnull=False)
