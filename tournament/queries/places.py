"""Find games and entries by how people name them: round and board, pairing number."""

from collections.abc import Collection

from django.db.models import Q

from tournament.core.queries import current_pairings, numbered_entries
from tournament.models import Tournament

Place = tuple[int, int, bool]
"""The round and the board of a game, and whether it is the return game."""


def games_at(tournament: Tournament, places: Collection[Place]) -> dict[Place, int]:
    """Return the games at these places in the current pairings; places without one are left out."""
    at_places = Q(pk__in=[])
    for number, board, _ in places:
        at_places |= Q(round__number=number, board_number=board)
    rows = current_pairings(tournament).filter(at_places).select_related("round")
    found: dict[Place, int | None] = {}
    for row in rows:
        place = row.round.number, row.board_number or 0
        found[*place, False] = row.game_id
        found[*place, True] = row.return_game_id
    return {place: game for place in places if (game := found.get(place)) is not None}


def entry_with_number(tournament: Tournament, number: int) -> int | None:
    """Return the entry with a pairing number; None if there is none."""
    entries = numbered_entries(tournament).filter(pairing_number=number)
    entry: int | None = entries.values_list("pk", flat=True).first()
    return entry
