"""The rounds of a TRF file: the request to pair a round, and the pairings that the file records."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from games.rules.text import Text
from tournament.pairing.bye import bars_pairing_bye
from tournament.pairing.errors import NoLegalPairing, PairingRequestError
from tournament.pairing.request import Pair, PairingRequest, Pairings
from tournament.pairing.systems.baku import accelerate
from tournament.standings.crosstable import PAIRED, Kind, PlayerId
from tournament.trf import TrfFile
from tournament.trf.rounds import has_first_seat

MOST_FORBIDDEN = 500_000
"""The maximum number of forbidden pairs in a round, one more than a club of 1000 has."""


def with_baku_points(trf: TrfFile) -> TrfFile:
    """Return the file with Baku's virtual points, unless it has virtual points already.

    A file does not say who entered late, so all its players count for the size of group A.
    """
    if any(player.virtual for player in trf.crosstable.players):
        return trf
    return replace(trf, crosstable=accelerate(trf.crosstable))


def request_next_round(trf: TrfFile) -> PairingRequest:
    """Return the round after the last results; players with an announced bye are absent.

    Raises PairingRequestError if the tournament has no further round.
    """
    table = trf.crosstable.for_pairing()
    round_number = table.completed + 1
    if round_number > table.rounds:
        raise PairingRequestError(
            Text(
                "all %(rounds)s rounds have been paired; record XXR or 142 sets their number",
                rounds=table.rounds,
            )
        )
    return PairingRequest(
        crosstable=table,
        round=round_number,
        absent=frozenset(bye.player for bye in trf.byes if bye.round == round_number),
        forbidden=_forbidden_pairs(trf, round_number),
        preferences=_preferences(trf, round_number),
        balance_seats=_balances_seats(trf),
        options=trf.own.system_options,
    )


def require_legal_byes(trf: TrfFile, request: PairingRequest) -> None:
    """Raise NoLegalPairing if pairing-allocated byes that the file gives break FIDE's rules.

    A schedule has other rules.
    """
    given = sorted(_pairing_byes(trf, request.round))
    others = len(request.present)
    barred = [n for n in given if bars_pairing_bye(request.crosstable, request.earlier(n))]
    problems = []
    if given and len(given) + others % 2 > 1:
        rest = f", and {others} others are left to pair" if others % 2 else ""
        problems.append(
            f"the file gives it to {_listed(given)}{rest}; a round has one at most, if the"
            " number of players is odd (C.04.1, article 3)"
        )
    if barred:
        problems.append(
            f"{_listed(barred)} had a bye or a win without a game before, so the file cannot give"
            " it to them (C2; C.04.1, article 4)"
        )
    if problems:
        place = f"pairing-allocated bye of round {request.round}"
        raise NoLegalPairing(f"{place}: {'; '.join(problems)}", tuple(given))


def _listed(numbers: Sequence[PlayerId]) -> str:
    return ", ".join(map(str, numbers))


def with_given_byes(trf: TrfFile, round_number: int, pairings: Pairings) -> Pairings:
    """Return the pairings with the pairing-allocated byes that the file gave before the round.

    Raises NoLegalPairing if a schedule has a board for one of these players.
    """
    given = sorted(_pairing_byes(trf, round_number))
    scheduled = sorted({number for pair in pairings.pairs for number in pair}.intersection(given))
    if scheduled:
        raise NoLegalPairing(
            f"pairing-allocated bye of round {round_number}: the file gives it to"
            f" {_listed(scheduled)}, who have a board by the schedule",
            tuple(scheduled),
        )
    if pairings.bye is None and given:
        pairings = replace(pairings, bye=given.pop())
    byes = (*pairings.byes, *((number, Kind.PAIRING_BYE) for number in given))
    return replace(pairings, byes=tuple(sorted(byes)))


def request_round(trf: TrfFile, round_number: int) -> PairingRequest:
    """Return a round that the file has pairings of, to pair it again from the rounds before it."""
    table = trf.crosstable.for_pairing()
    if round_number > table.completed:
        request = request_next_round(trf)
        return replace(request, absent=request.absent - _pairing_byes(trf, round_number))
    absent = (
        player.number
        for player in table.players
        if player.result(round_number).kind not in PAIRED | {Kind.PAIRING_BYE}
    )
    return PairingRequest(
        crosstable=table,
        round=round_number,
        absent=frozenset(absent),
        forbidden=_forbidden_pairs(trf, round_number),
        preferences=_preferences(trf, round_number),
        balance_seats=_balances_seats(trf),
        options=trf.own.system_options,
    )


def recorded_pairings(trf: TrfFile, round_number: int) -> Pairings:
    """Return the pairings that a file records for a round, by the number of the first player."""
    table = trf.crosstable
    if round_number > table.completed:
        return Pairings(trf.open_pairings, min(_pairing_byes(trf, round_number), default=None))
    pairs = []
    bye = None
    for player in table.players:
        result = player.result(round_number)
        if result.kind is Kind.PAIRING_BYE:
            bye = player.number
        elif result.opponent is not None and has_first_seat(player.number, result):
            pairs.append((player.number, result.opponent))
    return Pairings(tuple(pairs), bye)


def _pairing_byes(trf: TrfFile, round_number: int) -> frozenset[PlayerId]:
    """Return the players with the pairing-allocated bye of an open round, usually one at most."""
    return frozenset(
        bye.player for bye in trf.byes if bye.round == round_number and bye.kind is Kind.PAIRING_BYE
    )


def _balances_seats(trf: TrfFile) -> bool:
    is_off = trf.own.settings.get("balance_seats") is False
    return trf.crosstable.games_per_pairing == 1 and not is_off


def _forbidden_pairs(trf: TrfFile, round_number: int) -> frozenset[Pair]:
    return _pairs([group.players for group in trf.forbidden if group.applies_in(round_number)])


def _preferences(trf: TrfFile, round_number: int) -> tuple[frozenset[Pair], ...]:
    """Return the pairs that should not meet in a round, the most important first."""
    applied = [each for each in trf.own.preferences if each.applies_in(round_number)]
    _pairs([each.players for each in applied])
    return tuple(_pairs([each.players]) for each in applied)


def _pairs(groups: Sequence[tuple[PlayerId, ...]]) -> frozenset[Pair]:
    """Return the pairs in groups; raises PairingRequestError if there are very many."""
    if sum(len(group) * (len(group) - 1) // 2 for group in groups) > MOST_FORBIDDEN:
        raise PairingRequestError(
            Text("the file forbids more than %(most)s pairs", most=MOST_FORBIDDEN)
        )
    return frozenset(pair for group in groups for pair in combinations(group, 2))
