"""The boards of an event whose games have no result yet."""

from django.db.models import Q

from games.models import Game
from tournament.core.queries import current_pairings
from tournament.models import Tournament

UNSETTLED = (Game.State.OPEN, Game.State.WAITING, Game.State.DISPUTED)
"""The states of a game without a result."""


def adjourned_boards(tournament: Tournament) -> list[tuple[int, int | None]]:
    """Return the round and the board number of each adjourned game that has no result yet."""
    pairings = current_pairings(tournament).filter(
        Q(game__adjourned=True) | Q(return_game__adjourned=True)
    )
    ordered = pairings.order_by("round__number", "board_number")
    return list(ordered.values_list("round__number", "board_number"))


def unsettled_boards(tournament: Tournament, round_number: int | None = None) -> list[int]:
    """Return the board numbers without a result, of one round or of all, but not adjourned ones."""
    pairings = current_pairings(tournament).filter(
        Q(game__state__in=UNSETTLED, game__adjourned=False)
        | Q(return_game__state__in=UNSETTLED, return_game__adjourned=False)
    )
    if round_number is not None:
        pairings = pairings.filter(round__number=round_number)
    boards = pairings.order_by("round__number", "board_number")
    return [board for board in boards.values_list("board_number", flat=True) if board is not None]
