"""The boards of an event whose games have no result yet."""

from typing import Any

from django.db.models import Q, QuerySet

from games.compiled_queries import CompiledQuery
from games.models import Game
from tournament.models import Pairing, Tournament
from tournament.queries.events import IN_CURRENT_VERSION, current_pairings

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
    if round_number is None:
        return UNSETTLED_BOARDS.rows(tournament.pk)
    return UNSETTLED_BOARDS_OF_ROUND.rows(tournament.pk, round_number)


def _unsettled_boards(tournament: int) -> "QuerySet[Pairing, Any]":
    pairings = Pairing.objects.filter(
        Q(game__state__in=UNSETTLED, game__adjourned=False)
        | Q(return_game__state__in=UNSETTLED, return_game__adjourned=False),
        IN_CURRENT_VERSION,
        tournament=tournament,
    )
    ordered = pairings.order_by("round__number", "board_number")
    return ordered.values_list("board_number", flat=True)


UNSETTLED_BOARDS = CompiledQuery(_unsettled_boards, int)
UNSETTLED_BOARDS_OF_ROUND = CompiledQuery(
    lambda tournament, number: _unsettled_boards(tournament).filter(round__number=number), int, int
)
