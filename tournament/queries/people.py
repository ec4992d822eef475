"""Who the players of an event are now, where a table that was kept may not tell them as then."""

from collections.abc import Collection
from typing import Any

from django.db.models import Q

from tournament.models import Tournament
from tournament.queries.crosstable import survivors


def people_since(tournament: Tournament, wanted: Collection[int] = ()) -> dict[int, dict[str, Any]]:
    """The players as they are now of these entries, and of all that were merged; by entry."""
    rows = tournament.entries.filter(
        Q(player__merged_into__isnull=False) | Q(pk__in=wanted)
    ).values_list(
        "pk", "player__merged_into_id", "player_id", "player__name", "player__country",
        "player__club",
    )  # fmt: skip
    people = {
        entry: (merged, {"id": player, "name": name, "country": country, "club": club})
        for entry, merged, player, name, country, club in rows
    }
    became = survivors([merged for merged, _ in people.values() if merged])
    return {
        entry: became[merged] if merged else person for entry, (merged, person) in people.items()
    }
