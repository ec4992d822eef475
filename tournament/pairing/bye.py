"""Choose the pairing-allocated bye when the number of players is odd (C.04.1).

No player has this bye twice, nor after a win's points without a game (a forfeit win or a
full-point bye). In Monrad and McMahon the bye goes to the lowest player in the order who may have
it and who leaves a pairing for all others. The Dutch system chooses in `systems/dutch/bye`; a
schedule (round robin, knockout) fixes its own byes.
"""

from collections.abc import Iterable, Sequence

from tournament.pairing.findings import Finding
from tournament.pairing.matching import Matching, bits
from tournament.pairing.request import PairingRequest
from tournament.pairing.sentences import Sentence
from tournament.standings.crosstable import BYES, Crosstable, Kind, PlayerId, RoundResult

WITHOUT_A_GAME = BYES | {Kind.FORFEIT_WIN}


def bars_pairing_bye(crosstable: Crosstable, results: Iterable[RoundResult]) -> bool:
    """Return True if a player with these results may not have the pairing-allocated bye."""
    return any(
        result.kind is Kind.PAIRING_BYE or crosstable.units_of(result) >= crosstable.points.win
        for result in results
        if result.kind in WITHOUT_A_GAME
    )


def bye_candidates(request: PairingRequest, order: Sequence[PlayerId]) -> int:
    """Return the set of places in an order whose players may have the bye."""
    return sum(
        1 << place
        for place, number in enumerate(order)
        if number in request.exempt_byes
        or not bars_pairing_bye(request.crosstable, request.earlier(number))
    )


def choose_bye(
    request: PairingRequest, order: Sequence[PlayerId], matching: Matching
) -> tuple[PlayerId | None, list[Finding]]:
    """Return the player who has the bye and the reasons; None for an even number of players.

    The last vertex of the matching is the bye. The player and the bye are matched for good.
    """
    if len(order) % 2 == 0:
        return None, []
    candidates = tuple(bits(matching.neighbours[len(order)]))
    chosen = next(place for place in reversed(candidates) if matching.settle(len(order), place))
    findings = []
    for number in reversed(order[chosen + 1 :]):
        is_barred = bars_pairing_bye(request.crosstable, request.earlier(number))
        reason = Sentence.BARRED_FROM_BYE if is_barred else Sentence.NEEDED_FOR_PAIRING
        findings.append(reason.about(number))
    return order[chosen], [*findings, Sentence.LOWEST_BYE.about(order[chosen])]
