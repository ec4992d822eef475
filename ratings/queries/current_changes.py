"""The current changes of players.

Changes have no index by player: it would take half of the time of a rebuild. The games of the
batches have one, and lead to the changes.
"""

from collections.abc import Collection
from typing import Any

from django.db.models import F, Q, QuerySet

from ratings.models import IN_CURRENT_RUN, Change, Pool


def load_current_changes(
    pools: "QuerySet[Any, Any] | Collection[Pool]", players: Collection[int]
) -> "QuerySet[Change]":
    """Return the current changes of players in pools; a query of pools selects their keys."""
    games = Q(batch__games__first__in=players) | Q(batch__games__second__in=players)
    return Change.objects.filter(
        games,
        IN_CURRENT_RUN,
        batch__games__pool__in=pools,
        batch__games__game=F("game"),
        pool__in=pools,
        player__in=players,
    )
