"""What is certain about the final places, by the points alone.

A player's final points are at least those of today with the worst result in every round to come,
and at most those with wins in all of them. If these bounds of two players do not overlap, one is
ahead of the other in every possible continuation. That proves most of what is certain near the end
of an event; it does not see that two rivals still have to play each other.

In a knockout, the number of ties won takes the place of points: who has lost a tie wins no more,
except in the game for third place.
"""

from collections.abc import Mapping
from typing import NamedTuple

from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.pairing.systems.bracket import THIRD_PLACE
from tournament.pairing.systems.round_robin import WITHDRAWN
from tournament.pairing.systems.ties import count_stages
from tournament.simulation.event import SimulatedEvent
from tournament.standings.crosstable import Crosstable, PlayerId, RoundResult
from tournament.standings.tiebreaks import TiebreakCode, parse_codes

BY_POINTS = ("PTS", "MMS")


class Bounds(NamedTuple):
    """The lowest and the highest final score of a player that is possible."""

    low: int
    high: int


def score_bounds(event: SimulatedEvent) -> dict[PlayerId, Bounds] | None:
    """Return the bounds of each player's final score; None if the first tie-break has none.

    It has bounds if it is PTS, MMS, or STAGE of a knockout from its first round on. Withdrawals may
    strike results in some round robins, which then have none.
    """
    first = parse_codes(event.tiebreaks, round_robin=event.crosstable.round_robin)[0]
    page = PAIRING_SYSTEMS[event.system]
    if WITHDRAWN in page.options and WITHDRAWN.read(event.options) != "keep":
        return None
    if first == TiebreakCode("STAGE") and event.system == "knockout":
        return _stage_bounds(event)
    if str(first) not in BY_POINTS:
        return None
    table = event.crosstable
    worst = min(table.points.zero_bye, table.points.forfeit_loss, table.points.loss)
    bounds = {}
    for player in table.players:
        low = high = player.start if str(first) == "MMS" else 0
        for number in range(1, table.rounds + 1):
            result = _known_result(event, player.number, number)
            units = None if result is None or result.adjourned else table.units_of(result)
            low += worst if units is None else units
            high += table.points.win if units is None else units
        bounds[player.number] = Bounds(low, high)
    return bounds


def certain_in_top(
    bounds: Mapping[PlayerId, Bounds], top: int
) -> tuple[frozenset[PlayerId], frozenset[PlayerId]]:
    """Return who is certainly among the first `top` players, and who certainly is not."""
    ordered_highs = sorted((bound.high for bound in bounds.values()), reverse=True)
    ordered_lows = sorted((bound.low for bound in bounds.values()), reverse=True)
    # At most `top` players, themselves included, can reach what they have at least.
    inside = frozenset(
        number
        for number, (low, _) in bounds.items()
        if sum(other >= low for other in ordered_highs) <= top
    )
    outside = frozenset(
        number
        for number, (_, high) in bounds.items()
        if sum(other > high for other in ordered_lows) >= top
    )
    return inside, outside


def _known_result(event: SimulatedEvent, number: PlayerId, round_number: int) -> RoundResult | None:
    """Return a player's result of a round that is over or paired; None if it is open."""
    if round_number <= event.crosstable.completed:
        return event.crosstable.by_number[number].result(round_number)
    open_round = event.open_rounds.get(round_number)
    return open_round.results.get(number) if open_round else None


def _stage_bounds(event: SimulatedEvent) -> dict[PlayerId, Bounds] | None:
    """Return the bounds of the half ties that the players win in a knockout."""
    find_progress = PAIRING_SYSTEMS[event.system].find_progress
    if find_progress is None:
        return None
    table: Crosstable = (event.paired_by or event.crosstable).for_pairing()
    progress = find_progress(table, event.options, event.tiebreaks, event.first_boards)
    stages = count_stages(len(table.players))
    bounds = {}
    for number, reached in progress.items():
        low = high = reached.half_ties
        if reached.lost_to is None:
            high = 2 * stages
        elif THIRD_PLACE.read(event.options) and low >= 2 * (stages - 2):
            high = low + 1
        bounds[number] = Bounds(low, high)
    return bounds
