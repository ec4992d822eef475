"""What a report holds otherwise than the service would: rounds paired again, and places."""

from dataclasses import replace
from typing import Any

from games.imports.progress import Progress, no_progress
from tournament import queries
from tournament.imports.set_up import is_accelerated
from tournament.models import Tournament
from tournament.pairing.errors import PairingError
from tournament.pairing.request import PairingRequest
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.pairing.trf_request import recorded, round_again
from tournament.queries.standings import compute_provable
from tournament.standings.crosstable import Crosstable
from tournament.trf import TrfFile


def check_rounds(
    document: TrfFile, tournament: Tournament, progress: Progress = no_progress
) -> list[dict[str, Any]]:
    """Each round paired again from those before it by the event's system, and what differs.

    `due` are boards, by pairing numbers, that the system makes and the report does not hold, and
    `held` the other way round; `why` tells of a round that could not be paired again. The bye is
    a board with nobody, 0; a system with a schedule gives no such bye.
    """
    system = PAIRING_SYSTEMS[tournament.system]
    there = replace(document, crosstable=_table(document, tournament))
    checked = []
    last = there.crosstable.completed + bool(document.open_pairings)
    for number in range(1, last + 1):
        progress("pairing rounds again", number - 1, last)
        held = recorded(there, number)
        told: dict[str, Any] = {"round": number, "boards": len(held.pairs)}
        try:
            due = system.pair(_request(there, tournament, number))
        except PairingError as error:
            checked.append(told | {"agrees": False, "due": [], "held": [], "why": str(error)})
            continue
        byes = [] if system.has_schedule else [(one.bye or 0, 0) for one in (due, held)]
        one, other = {*due.pairs, *byes[:1]}, {*held.pairs, *byes[1:]}
        checked.append(
            told
            | {
                "agrees": one == other,
                "due": [list(pair) for pair in sorted(one - other)],
                "held": [list(pair) for pair in sorted(other - one)],
                "why": "",
            }
        )
    return checked


def other_ranks(document: TrfFile, tournament: Tournament) -> list[dict[str, Any]]:
    """Where the places of the report are not those of the event's own tie-breaks here.

    Those that ask for the proof of a record, which no game of a report has, are left out.
    """
    if not document.ranks:
        return []
    last = queries.last_complete_round(tournament)
    rows = compute_provable(tournament, through=last).rows
    return [
        {"number": row.number, "report": document.ranks[row.number], "here": row.rank}
        for row in rows
        if document.ranks.get(row.number, row.rank) != row.rank
    ]


def _table(document: TrfFile, tournament: Tournament) -> Crosstable:
    """The table as the service holds it, with the report's virtual points where it gives none."""
    table = queries.load_crosstable(tournament)
    if PAIRING_SYSTEMS[tournament.system].is_accelerated or not is_accelerated(document.crosstable):
        return table
    virtual = {player.number: player.virtual for player in document.crosstable.players}
    players = (replace(player, virtual=virtual[player.number]) for player in table.players)
    return replace(table, players=tuple(players))


def _request(document: TrfFile, tournament: Tournament, number: int) -> PairingRequest:
    """The round as it was to be paired; a schedule holds whoever was away."""
    system = PAIRING_SYSTEMS[tournament.system]
    request = round_again(document, number)
    return replace(
        request,
        absent=frozenset() if system.has_schedule else request.absent,
        forbidden=request.forbidden if system.can_separate else frozenset(),
        codes=queries.pairing_codes(tournament),
        options=tournament.system_options,
    )
