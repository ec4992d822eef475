"""Merges, and how much belongs to the merged player."""

from django.db.models import Q

from games.models import Game, Merge
from ratings.models import Rating
from tournament.models import Entry


def merge_as_json(merge: Merge) -> dict[str, object]:
    """Return a merge as JSON."""
    return {
        "id": merge.pk,
        "keep": {"id": merge.keep_id, "name": merge.keep.name},
        "merged": {"id": merge.merged_id, "name": merge.merged.name},
        "created_at": merge.created_at,
        "undone_at": merge.undone_at,
    }


def merge_effect_as_json(merge: Merge) -> dict[str, object]:
    """Return a merge as JSON, with the entries and games that it moves and the pools it changes."""
    players = [merge.merged_id, *merge.followed]
    games = Game.objects.filter(Q(first__in=players) | Q(second__in=players))
    pools = Rating.objects.filter(player__in=[merge.keep_id, *players])
    return {
        **merge_as_json(merge),
        "entries": Entry.objects.filter(player__in=players).count(),
        "games": games.count(),
        "pools": sorted(set(pools.values_list("pool__code", flat=True))),
    }
