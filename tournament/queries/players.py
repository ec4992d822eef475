"""The players of an event as the API shows them.

A merged player is shown as the player they were merged into.
"""

from collections.abc import Collection
from typing import TypedDict, cast

from django.db.models import Q

from games.models import Player
from games.queries import rows_as_dicts
from tournament.models import Tournament


class PlayerSummary(TypedDict):
    """A player in the API's JSON."""

    id: int
    name: str
    country: str
    club: str


def load_survivors(ids: Collection[int]) -> dict[int, PlayerSummary]:
    """Load the players of these ids, into whom others were merged; no query if there are none."""
    if not ids:
        return {}
    rows = rows_as_dicts(Player.objects.filter(pk__in=ids), "id", "name", "country", "club")
    return {row["id"]: cast(PlayerSummary, row) for row in rows}


def load_current_players(
    tournament: Tournament, entries: Collection[int] = ()
) -> dict[int, PlayerSummary]:
    """Load the current players of these entries and of all merged players, by entry id."""
    rows = tournament.entries.filter(
        Q(player__merged_into__isnull=False) | Q(pk__in=entries)
    ).values_list(
        "pk", "player__merged_into_id", "player_id", "player__name", "player__country",
        "player__club", "club",
    )  # fmt: skip
    survivors = load_survivors([row[1] for row in rows if row[1]])
    players: dict[int, PlayerSummary] = {}
    for entry, merged_into, player_id, name, country, club, shown_club in rows:
        players[entry] = {"id": player_id, "name": name, "country": country, "club": club}
        if merged_into:
            players[entry] = survivors[merged_into]
        if shown_club:
            players[entry] = {**players[entry], "club": shown_club}
    return players
