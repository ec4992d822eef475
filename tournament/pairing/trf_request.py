"""Rounds to pair, out of tournament reports, and pairings as the text that pairing programs write.

The text is the number of pairs, then `first second` a line by board, byes last as `player 0`.
"""

from itertools import combinations

from games.rules.seat import Seat
from tournament.pairing.errors import PairingRequestError
from tournament.pairing.request import Pair, PairingRequest, Pairings
from tournament.standings.crosstable import PAIRED, Kind
from tournament.trf import TrfFile

MOST_FORBIDDEN = 500_000
"""How many pairs a report may keep apart in a round; a club of 1000 is one short of that."""


def next_round(document: TrfFile) -> PairingRequest:
    """Give the round after the last with results; absent is who has a bye announced for it.

    Raises PairingRequestError when the event has no further round.
    """
    table = document.crosstable
    round_number = table.completed + 1
    if round_number > table.rounds:
        told = f"all {table.rounds} rounds have been paired; record XXR or 142 tells their number"
        raise PairingRequestError(told)
    return PairingRequest(
        crosstable=table,
        round=round_number,
        absent=frozenset(bye.player for bye in document.byes if bye.round == round_number),
        forbidden=_forbidden(document, round_number),
    )


def round_again(document: TrfFile, round_number: int) -> PairingRequest:
    """Give a round that has been paired, to pair it once more from what went before."""
    table = document.crosstable
    if round_number > table.completed:
        return next_round(document)
    absent = (
        player.number
        for player in table.players
        if player.result(round_number).kind not in PAIRED | {Kind.PAIRING_BYE}
    )
    return PairingRequest(
        crosstable=table,
        round=round_number,
        absent=frozenset(absent),
        forbidden=_forbidden(document, round_number),
    )


def recorded(document: TrfFile, round_number: int) -> Pairings:
    """Give the pairings a report holds for a round, by the number of who sits first."""
    table = document.crosstable
    if round_number > table.completed:
        return Pairings(document.open_pairings)
    pairs = []
    bye = None
    for player in table.players:
        result = player.result(round_number)
        if result.kind is Kind.PAIRING_BYE:
            bye = player.number
        elif result.opponent is not None and (
            result.seat is Seat.FIRST or (result.seat is None and player.number < result.opponent)
        ):
            pairs.append((player.number, result.opponent))
    return Pairings(tuple(pairs), bye)


def pairs_text(pairings: Pairings) -> str:
    """Write pairings as other pairing programs do."""
    rows = [f"{first} {second}" for first, second in pairings.pairs]
    without = [number for number, _ in pairings.byes]
    if pairings.bye is not None:
        without.append(pairings.bye)
    rows += [f"{number} 0" for number in without]
    return "".join(f"{row}\n" for row in (len(rows), *rows))


def _forbidden(document: TrfFile, round_number: int) -> frozenset[Pair]:
    groups = [group.players for group in document.forbidden if group.applies_in(round_number)]
    if sum(len(group) * (len(group) - 1) // 2 for group in groups) > MOST_FORBIDDEN:
        raise PairingRequestError(f"more than {MOST_FORBIDDEN} pairs are to be kept apart")
    return frozenset(pair for group in groups for pair in combinations(group, 2))
