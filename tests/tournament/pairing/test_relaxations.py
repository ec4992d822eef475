"""Relaxations: a proposal breaks as few rules as possible, and the round can be paired with it."""

from collections.abc import Iterator
from random import Random

import pytest

from tests.games.rules.seeds import seeds
from tests.tournament.pairing.events import games, history
from tournament.pairing.by_hand import check_by_hand
from tournament.pairing.errors import NoLegalPairing
from tournament.pairing.relaxations import (
    BYE,
    MOST_RELAXED_PLAYERS,
    RELAXATIONS,
    TooManyPlayers,
    propose,
)
from tournament.pairing.request import PairingRequest, Pairings, in_both_orders
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.pairing.systems.dutch.field import field_of
from tournament.standings.crosstable import Kind

CASES = {
    "nothing has to give way": (history(games((1, 2), (3, 4)), players=4), []),
    "a rematch": (history(games((1, 2)), players=2), [("rematch", (1, 2))]),
    "a forbidden pair": (
        history(players=2, forbidden=frozenset({(2, 1)})),
        [("forbidden_pairs", (1, 2))],
    ),
    "the same seat preference": (
        history(
            games((3, 1), (4, 2)),
            games((4, 1), (3, 2)),
            players=4,
            more=3,
            absent=frozenset({3, 4}),
        ),
        [("same_seats", (1, 2))],
    ),
    "the same seat preference as a topscorer in the last round": (
        history(games((3, 1), (2, 4)), games((2, 1), (3, 4)), players=4, absent=frozenset({2, 3})),
        [],
    ),
    "a second bye for the lowest": (
        history(
            games((1, 2), bye=3),
            games((3, 1), bye=2),
            games((2, 3), bye=1),
            players=3,
            absent=frozenset({1, 2}),
        ),
        [("second_bye", (3,))],
    ),
    "a second bye and the oldest rematch": (
        history(
            games((1, 2), bye=3),
            games((3, 1), bye=2),
            games((2, 3), bye=1),
            players=3,
        ),
        [("second_bye", (3,)), ("rematch", (1, 2))],
    ),
    "a forbidden pair rather than a rematch": (
        history(games((1, 2), (3, 4)), players=4, forbidden=frozenset({(1, 3), (2, 4), (1, 4)})),
        [("forbidden_pairs", (1, 4))],
    ),
    "no seat balance": (
        history(
            games((3, 1), (4, 2)),
            games((4, 1), (3, 2)),
            players=4,
            more=3,
            absent=frozenset({3, 4}),
            balance_seats=False,
        ),
        [],
    ),
}


@pytest.mark.parametrize(("request_", "due"), CASES.values(), ids=CASES)
def test_the_proposal_breaks_the_fewest_rules(
    request_: PairingRequest, due: list[tuple[str, tuple[int, ...]]]
) -> None:
    proposal = propose(request_, has_criterion_c3=True)

    assert [(str(finding.code), finding.players) for finding in proposal.broken_rules] == due
    assert proposal.relaxations == tuple(code for code in RELAXATIONS if code in dict(due))
    PAIRING_SYSTEMS["dutch"].pair(proposal.request)


def random_request(seed: int) -> PairingRequest:
    """Return a round after random rounds, in which many pairs are barred."""
    random = Random(seed)
    players = random.randint(2, 7)
    numbers = list(range(1, players + 1))
    rounds = []
    for _ in range(random.randint(1, players + 1)):
        random.shuffle(numbers)
        pairs = tuple(zip(numbers[::2], numbers[1::2], strict=False))
        rounds.append(Pairings(pairs, numbers[-1] if players % 2 else None))
    forbidden = [(random.choice(numbers), random.choice(numbers)) for _ in range(3)]
    absent = frozenset(n for n in numbers if random.random() < 0.1)
    return history(
        *rounds,
        players=players,
        more=random.randint(1, 3),
        absent=absent,
        forbidden=frozenset(pair for pair in forbidden if pair[0] != pair[1]),
    )


def all_pairings(numbers: tuple[int, ...]) -> Iterator[list[tuple[int, int]]]:
    """Yield all complete pairings."""
    if not numbers:
        yield []
        return
    for index in range(1, len(numbers)):
        rest = numbers[1:index] + numbers[index + 1 :]
        for others in all_pairings(rest):
            yield [(numbers[0], numbers[index]), *others]


def counts(request: PairingRequest, pairs: list[tuple[int, int]], *, seats: bool) -> list[int]:
    """Count how often each rule is broken, the most important first, with check_by_hand."""
    byes = {pair[1]: Kind.PAIRING_BYE for pair in pairs if pair[0] == BYE}
    boards = [pair for pair in pairs if pair[0] != BYE]
    codes = [
        str(finding.code)
        for finding in check_by_hand(
            request.crosstable,
            request.round,
            boards,
            byes,
            absent=request.absent,
            forbidden=request.forbidden,
        )
    ]
    clashes = sum(breaks_criterion_c3(request, pair) for pair in boards) if seats else 0
    return [codes.count("rematch"), codes.count("second_bye"), clashes, codes.count("forbidden")]


def breaks_criterion_c3(request: PairingRequest, pair: tuple[int, int]) -> bool:
    """Return True if C3 forbids a pair."""
    field = field_of(request)
    places = [field.numbers.index(number) for number in pair]
    own, other = (field.seat_preferences[place] for place in places)
    is_bound = not any(field.topscorers >> place & 1 for place in places)
    return is_bound and own.clashes_absolutely(other)


@pytest.mark.parametrize("code", ["dutch", "monrad"])
@seeds(range(30), range(30, 150))
def test_no_pairing_breaks_fewer_rules_than_the_proposal(code: str, seed: int) -> None:
    request, system = random_request(seed), PAIRING_SYSTEMS[code]
    proposal = propose(request, has_criterion_c3=system.has_criterion_c3)

    present = request.present
    numbers = (BYE, *present) if len(present) % 2 else present
    fewest = min(
        counts(request, pairs, seats=system.has_criterion_c3) for pairs in all_pairings(numbers)
    )
    found = [finding.code for finding in proposal.broken_rules]
    assert [found.count(finding) for finding in reversed(RELAXATIONS)] == fewest

    paired = system.pair(proposal.request)
    exempt = in_both_orders(proposal.request.exempt)
    byes = {} if paired.bye is None else {paired.bye: Kind.PAIRING_BYE}
    broken = check_by_hand(
        request.crosstable,
        request.round,
        paired.pairs,
        byes,
        absent=request.absent,
        forbidden=request.forbidden,
    )
    for finding in broken:
        assert finding.players in exempt or finding.players[0] in proposal.request.exempt_byes
    if found:
        with pytest.raises(NoLegalPairing):
            system.pair(request)


def test_too_many_players_are_rejected() -> None:
    with pytest.raises(TooManyPlayers, match=f"limited to {MOST_RELAXED_PLAYERS} players"):
        propose(history(players=MOST_RELAXED_PLAYERS + 1), has_criterion_c3=True)
