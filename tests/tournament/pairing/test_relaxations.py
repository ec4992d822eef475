"""What may give way: the least that must, in the stated order, and the round is paired with it."""

from collections.abc import Iterator
from random import Random

import pytest

from tests.tournament.pairing.events import ENDS, Rows, enter_results, table_of
from tournament.pairing.by_hand import check_by_hand
from tournament.pairing.errors import NoLegalPairing
from tournament.pairing.relaxations import (
    BYE,
    MOST_PLAYERS,
    RELAXATIONS,
    TooManyPlayers,
    parse_relaxations,
    propose,
)
from tournament.pairing.request import PairingRequest, Pairings, in_both_orders
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.pairing.systems.dutch.field import field_of
from tournament.standings.crosstable import Kind


def history(*rounds: Pairings, players: int, more: int = 1, **request: object) -> PairingRequest:
    """The round after these, in which the lower number always won."""
    rows: Rows = [[] for _ in range(players)]
    for pairings in rounds:
        enter_results(rows, pairings, lambda one, other: ENDS[0] if one < other else ENDS[1])
    table = table_of(rows, len(rounds) + more)
    return PairingRequest(crosstable=table, round=len(rounds) + 1, **request)


def games(*pairs: tuple[int, int], bye: int | None = None) -> Pairings:
    return Pairings(pairs, bye)


CASES = {
    "nothing has to": (history(games((1, 2), (3, 4)), players=4), []),
    "two who have met": (history(games((1, 2)), players=2), [("rematch", (1, 2))]),
    "two kept apart": (
        history(players=2, forbidden=frozenset({(2, 1)})),
        [("forbidden-pairs", (1, 2))],
    ),
    "two who must sit first": (
        history(
            games((3, 1), (4, 2)),
            games((4, 1), (3, 2)),
            players=4,
            more=3,
            absent=frozenset({3, 4}),
        ),
        [("same-seats", (1, 2))],
    ),
    "the bye goes to the lowest again": (
        history(
            games((1, 2), bye=3),
            games((3, 1), bye=2),
            games((2, 3), bye=1),
            players=3,
            absent=frozenset({1, 2}),
        ),
        [("second-bye", (3,))],
    ),
    "a bye and the oldest rematch of those equally near": (
        history(
            games((1, 2), bye=3),
            games((3, 1), bye=2),
            games((2, 3), bye=1),
            players=3,
        ),
        [("second-bye", (3,)), ("rematch", (1, 2))],
    ),
    "kept apart rather than a rematch": (
        history(games((1, 2), (3, 4)), players=4, forbidden=frozenset({(1, 3), (2, 4), (1, 4)})),
        [("forbidden-pairs", (1, 4))],
    ),
    "seats count for nothing": (
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
def test_what_gives_way(request_: PairingRequest, due: list[tuple[str, tuple[int, ...]]]) -> None:
    proposal = propose(request_, has_criterion_c3=True)

    assert [(str(one.code), one.players) for one in proposal.broken_rules] == due
    assert proposal.relaxations == parse_relaxations(code for code, _ in due)
    PAIRING_SYSTEMS["dutch"].pair(proposal.request)


def at_random(seed: int) -> PairingRequest:
    """A round after others that were paired by luck, so that much is barred."""
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


def perfect(numbers: tuple[int, ...]) -> Iterator[list[tuple[int, int]]]:
    """Every way to put these into pairs."""
    if not numbers:
        yield []
        return
    for index in range(1, len(numbers)):
        rest = numbers[1:index] + numbers[index + 1 :]
        for others in perfect(rest):
            yield [(numbers[0], numbers[index]), *others]


def counts(request: PairingRequest, pairs: list[tuple[int, int]], *, seats: bool) -> list[int]:
    """How often each rule is broken, the heaviest first, by the checker of rounds by hand."""
    byes = {pair[1]: Kind.PAIRING_BYE for pair in pairs if pair[0] == BYE}
    boards = [pair for pair in pairs if pair[0] != BYE]
    codes = [
        str(one.code)
        for one in check_by_hand(
            request.crosstable,
            request.round,
            boards,
            byes,
            absent=request.absent,
            forbidden=request.forbidden,
        )
    ]
    clashes = sum(must_clash(request, pair) for pair in boards) if seats else 0
    return [codes.count("rematch"), codes.count("second-bye"), clashes, codes.count("forbidden")]


def must_clash(request: PairingRequest, pair: tuple[int, int]) -> bool:
    """Whether C3 alone keeps two apart: the engine's field without the games they played."""
    field = field_of(request)
    places = [field.numbers.index(number) for number in pair]
    mine, theirs = (field.seat_preferences[place] for place in places)
    is_bound = not any(field.topscorers >> place & 1 for place in places)
    return is_bound and mine.clashes_absolutely(theirs)


@pytest.mark.parametrize("code", ["dutch", "monrad"])
@pytest.mark.parametrize("seed", range(150))
def test_never_more_than_must(code: str, seed: int) -> None:
    request, system = at_random(seed), PAIRING_SYSTEMS[code]
    proposal = propose(request, has_criterion_c3=system.has_criterion_c3)

    present = request.present
    numbers = (BYE, *present) if len(present) % 2 else present
    fewest = min(
        counts(request, pairs, seats=system.has_criterion_c3) for pairs in perfect(numbers)
    )
    found = [one.code for one in proposal.broken_rules]
    assert [found.count(one) for one in reversed(RELAXATIONS)] == fewest

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
    for one in broken:
        assert one.players in exempt or one.players[0] in proposal.request.exempt_byes
    if found:
        with pytest.raises(NoLegalPairing):
            system.pair(request)


def test_a_field_too_large_is_told() -> None:
    with pytest.raises(TooManyPlayers, match=f"limited to {MOST_PLAYERS} players"):
        propose(history(players=MOST_PLAYERS + 1), has_criterion_c3=True)


def test_a_word_that_is_none() -> None:
    assert parse_relaxations(["rematch", "second-bye"]) == ("second-bye", "rematch")
    with pytest.raises(ValueError, match="luck"):
        parse_relaxations(["luck"])
