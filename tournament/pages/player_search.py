"""Find the players that a search by name means."""

from typing import Any

from rest_framework.request import Request

from games import queries as game_queries

MOST_FOUND = 20
"""Players that a search shows."""


def find_players(request: Request) -> list[Any]:
    """Return the players that a search by name means, or the one that was just registered."""
    number, name = request.query_params.get("id", ""), request.query_params.get("q", "").strip()
    if number.isascii() and number.isdigit() and len(number) < 18:
        return list(game_queries.unmerged_players().filter(pk=int(number)))
    if not name or "\0" in name:
        return []
    return list(game_queries.players_by_name(name).order_by("name")[:MOST_FOUND])
