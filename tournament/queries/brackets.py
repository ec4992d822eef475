"""The brackets of knockouts: what decides who advances, and how far each player got."""

from dataclasses import replace

from tournament.core.corrected_results import NO_CORRECTIONS, CorrectedValues
from tournament.core.crosstable import load_crosstable
from tournament.core.queries import current_pairings
from tournament.models import Pairing, Tournament
from tournament.models.rounds import IMPORTED
from tournament.pairing.errors import PairingError
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.pairing.systems.ties import NO_BOARDS, FirstBoards
from tournament.standings.crosstable import Crosstable


def load_bracket(
    tournament: Tournament, crosstable: Crosstable, through: int, corrected: CorrectedValues
) -> Crosstable | None:
    """Return the results that decide who advances, which a correction may leave as they were.

    None without a bracket.
    """
    if PAIRING_SYSTEMS[tournament.system].find_progress is None:
        return None
    counted = Pairing.objects.filter(tournament=tournament, counted__isnull=False)
    if corrected is NO_CORRECTIONS and not counted.exists():
        return crosstable
    return load_crosstable(tournament, through=through, for_pairing=True, corrected=corrected)


def load_first_boards(tournament: Tournament) -> FirstBoards:
    """Return the players of board 1 by round; the boards of an imported file follow the seeds."""
    pairings = current_pairings(tournament).filter(kind=Pairing.Kind.GAME, board_number=1)
    pairings = pairings.exclude(round__system=IMPORTED)
    rows = pairings.values_list("round__number", "first__pairing_number", "second__pairing_number")
    return {number: frozenset(player for player in players if player) for number, *players in rows}


def with_progress(
    tournament: Tournament,
    crosstable: Crosstable,
    bracket: Crosstable,
    first_boards: FirstBoards = NO_BOARDS,
) -> Crosstable:
    """Add how far each player got in the bracket, unless it cannot be read.

    `bracket` has the results that decide who advances, `first_boards` the players of board 1.
    """
    find_progress = PAIRING_SYSTEMS[tournament.system].find_progress
    if find_progress is None:
        return crosstable
    try:
        progress = find_progress(bracket, tournament.system_options, first_boards)
    except PairingError:
        return crosstable
    players = (replace(p, progress=progress.get(p.number)) for p in crosstable.players)
    return replace(crosstable, players=tuple(players))
