"""Compare an imported TRF file with the service: pair every round again, rank the players again."""

from dataclasses import replace
from typing import Any

from games.core.uploads.progress import Progress
from games.rules.text import Text
from tournament import queries
from tournament.core.rankings import rank_players
from tournament.exchange.trf_settings import has_virtual_points
from tournament.models import Tournament
from tournament.pairing.errors import PairingError
from tournament.pairing.request import PairingRequest
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.pairing.trf_rounds import recorded_pairings, request_round
from tournament.queries.brackets import with_progress
from tournament.standings.crosstable import Crosstable
from tournament.standings.tiebreaks import parse_codes
from tournament.trf import TrfFile


def compare_rounds(
    document: TrfFile, tournament: Tournament, table: Crosstable, progress: Progress
) -> list[dict[str, Any]]:
    """Pair each round again and return the differences as JSON, one object per round.

    `table` is the stored crosstable; the database is not used.
    `due` contains the boards, as pairing numbers, that only the system pairs, `held` those that
    only the file contains. `why` is the error if the system cannot pair the round. A
    pairing-allocated bye is a board with player 0; systems with a schedule have none.
    """
    system = PAIRING_SYSTEMS[tournament.system]
    document = replace(document, crosstable=_crosstable(document, tournament, table))
    compared = []
    last = document.crosstable.completed + bool(document.open_pairings)
    for number in range(1, last + 1):
        progress(Text("pairing rounds again"), number - 1, last)
        from_file = recorded_pairings(document, number)
        body: dict[str, Any] = {"round": number, "boards": len(from_file.pairs)}
        try:
            from_system = system.pair(_request(document, tournament, number))
        except PairingError as error:
            compared.append(body | {"agrees": False, "due": [], "held": [], "why": str(error)})
            continue
        due, held = set(from_system.pairs), set(from_file.pairs)
        if not system.has_schedule:
            due.add((from_system.bye or 0, 0))
            held.add((from_file.bye or 0, 0))
        compared.append(
            body
            | {
                "agrees": due == held,
                "due": [list(pair) for pair in sorted(due - held)],
                "held": [list(pair) for pair in sorted(held - due)],
                "why": "",
            }
        )
    return compared


def compare_ranks(
    document: TrfFile, tournament: Tournament, table: Crosstable
) -> list[dict[str, Any]]:
    """Return the players whose rank in the file differs from the computed one, as JSON.

    Tie-breaks that need the records of the games are left out: the file contains no records.
    """
    if not document.ranks:
        return []
    codes = parse_codes(tournament.tiebreaks, round_robin=table.round_robin)
    rows, _ = rank_players(with_progress(tournament, table, table), codes, skip_unproven=True)
    return [
        {"number": row.number, "trf": document.ranks[row.number], "here": row.rank}
        for row in rows
        if document.ranks.get(row.number, row.rank) != row.rank
    ]


def _crosstable(document: TrfFile, tournament: Tournament, table: Crosstable) -> Crosstable:
    """Return the stored crosstable, with the file's virtual points if the system sets none."""
    if PAIRING_SYSTEMS[tournament.system].is_accelerated or not has_virtual_points(
        document.crosstable
    ):
        return table
    virtual = {player.number: player.virtual for player in document.crosstable.players}
    players = (replace(player, virtual=virtual[player.number]) for player in table.players)
    return replace(table, players=tuple(players))


def _request(document: TrfFile, tournament: Tournament, number: int) -> PairingRequest:
    """Return the request to pair a round again; a schedule also pairs absent players."""
    system = PAIRING_SYSTEMS[tournament.system]
    request = request_round(document, number)
    return replace(
        request,
        absent=frozenset() if system.has_schedule else request.absent,
        forbidden=request.forbidden if system.can_separate else frozenset(),
        codes=queries.pairing_codes(tournament),
        options=tournament.system_options,
    )
