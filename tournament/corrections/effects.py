"""The later rounds that the pairing system would pair differently after a correction."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.core.errors import Conflict
from tournament import queries
from tournament.core.corrected_results import CorrectedValues
from tournament.core.crosstable import load_participants
from tournament.core.engine import build_request
from tournament.core.systems import system_of
from tournament.models import Pairing, Round, Tournament
from tournament.pairing.differences import find_differences
from tournament.pairing.errors import PairingError
from tournament.pairing.request import Pairings
from tournament.pairing.separations import Separation
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.standings.crosstable import Crosstable, PlayerId

PAIRED_KINDS = (Pairing.Kind.GAME, Pairing.Kind.PAIRING_BYE)


@dataclass(frozen=True, slots=True)
class ChangedRound:
    """A round of which boards would be paired differently; None if it cannot be paired at all.

    A board has the entries of the board as the system paired it, None for a bye, and the boards
    on which it would place them.
    """

    round: Round
    boards: tuple[Mapping[str, Any], ...] | None

    def as_json(self) -> dict[str, Any]:
        """Return the round for the API."""
        boards = None if self.boards is None else [dict(board) for board in self.boards]
        return {"round": self.round.number, "state": self.round.state, "boards": boards}


def find_changed_rounds(
    tournament: Tournament, first_round: int, corrected: CorrectedValues
) -> Iterator[ChangedRound]:
    """Yield the paired rounds after the first corrected one that would be paired differently.

    The system pairs each round twice, after the results as they count and as corrected, with the
    players who were paired in it. Rounds that were set by hand and round robins are not compared.
    """
    rounds = list(
        tournament.round_set.filter(number__gt=first_round, system=tournament.system)
        .exclude(state=Round.State.PLANNED)
        .order_by("number")
    )
    system = system_of(tournament)
    if not rounds or (system.has_schedule and system.find_progress is None):
        return
    through = queries.last_complete_round(tournament)
    table, participants = load_participants(tournament, through=through, for_pairing=True)
    new_table = queries.load_crosstable(
        tournament, through=through, for_pairing=True, corrected=corrected
    )
    if table == new_table:
        return
    separations = queries.load_separations(tournament)
    present = _players_paired(tournament)
    for this_round in rounds:
        number = this_round.number
        absent = frozenset(table.by_number.keys() - present.get(number, set()))
        old, new = (
            _pair(tournament, number, results.after(number - 1), separations, absent)
            for results in (table, new_table)
        )
        if old is None:
            continue  # rules were relaxed for this round
        boards = None if new is None else _changed_boards(old, new, participants.entries)
        if boards != ():
            yield ChangedRound(this_round, boards)


def _players_paired(tournament: Tournament) -> dict[int, set[PlayerId]]:
    """Return the players whom the system paired, by round; others were absent or had a bye."""
    rows = queries.current_pairings(tournament).filter(kind__in=PAIRED_KINDS)
    players: dict[int, set[PlayerId]] = {}
    for number, first, second in rows.values_list(
        "round__number", "first__pairing_number", "second__pairing_number"
    ):
        seated = {player for player in (first, second) if player is not None}
        players.setdefault(number, set()).update(seated)
    return players


def _pair(
    tournament: Tournament,
    number: int,
    table: Crosstable,
    separations: Sequence[Separation],
    absent: frozenset[PlayerId],
) -> Pairings | None:
    """Return the pairings of a round, None if there are none by the rules."""
    try:
        request = build_request(tournament, number, table, separations, absent)
        return PAIRING_SYSTEMS[tournament.system].pair(request)
    except (PairingError, Conflict):
        return None


def _changed_boards(
    old: Pairings, new: Pairings, entries: Mapping[PlayerId, int]
) -> tuple[Mapping[str, Any], ...]:
    def entry_ids(place: Sequence[PlayerId | None]) -> list[int | None]:
        return [None if number is None else entries[number] for number in place]

    byes = () if old.bye is None else (old.bye,)
    return tuple(
        {
            "code": difference.code.value,
            "board": difference.board,
            "entries": entry_ids(difference.place),
            "engine": [entry_ids(place) for place in difference.engine],
        }
        for difference in find_differences(old.pairs, byes, new)
    )
