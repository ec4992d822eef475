"""What earlier results mean for pairing: opponents, seats and scores.

A forfeited game is not played: it gives no seat, and the two players may meet again.
"""

from collections.abc import Iterable
from itertools import accumulate

from games.rules.seat import Seat
from tournament.pairing.request import PairingRequest
from tournament.standings.crosstable import PLAYED, Crosstable, PlayerId, RoundResult


def opponents_met(results: Iterable[RoundResult]) -> dict[PlayerId, int]:
    """Return the opponents in played games, each with the last round of such a game."""
    return {
        result.opponent: round_number
        for round_number, result in enumerate(results, start=1)
        if result.opponent is not None and result.kind in PLAYED
    }


def played_seats(results: Iterable[RoundResult]) -> tuple[Seat, ...]:
    """Return the seats of the played games, in order."""
    return tuple([r.seat for r in results if r.kind in PLAYED and r.seat is not None])


def running_scores(table: Crosstable, number: PlayerId, round_number: int) -> list[int]:
    """Return a player's units before each round up to this one, virtual points included."""
    player = table.by_number[number]
    results = player.results[: round_number - 1]
    awarded = [table.units_of(result) for result in results]
    awarded += [table.points.zero_bye] * (round_number - 1 - len(results))
    totals = list(accumulate(awarded, initial=0))
    for index, units in enumerate(player.virtual[:round_number]):
        totals[index] += units
    return totals


def units_before(request: PairingRequest, number: PlayerId) -> int:
    """Return a player's units before the round to pair, virtual points included."""
    return running_scores(request.crosstable, number, request.round)[-1]
