"""Random conditions and histories for tests and benchmarks of pairing."""

from fractions import Fraction
from itertools import islice
from random import Random

from tournament.pairing.by_hand import check_by_hand
from tournament.pairing.bye import bars_pairing_bye
from tournament.pairing.errors import NoLegalPairing
from tournament.pairing.random_tournament import RandomConditions, random_rounds
from tournament.pairing.request import PairingRequest, Pairings
from tournament.standings.crosstable import PLAYED, Kind, PlayerId
from tournament.standings.points import CLASSIC, PointSystem
from tournament.trf import TrfFile

POINTS = [
    CLASSIC,
    CLASSIC,
    PointSystem.from_points(win=3, draw=1),
    PointSystem.from_points(pairing_bye=Fraction(1, 2)),
    PointSystem.from_points(win=3, draw=1, pairing_bye=1),
]
SIZES = [8, 9, 10, 11, 13, 20, 26, 31, 44, 60, 81, 120]


def random_conditions(seed: int, most: int) -> RandomConditions:
    """Return usual conditions for at most this number of players."""
    random = Random(seed)
    players = random.choice([size for size in SIZES if size <= most])
    return RandomConditions(
        players=players,
        rounds=random.choice([5, 7, 9, 11]) if players > 12 else 5,
        seed=seed,
        byes=random.choice([0, 0, 0.02, 0.1]),
        withdrawals=random.choice([0, 0, 0.02]),
        late=random.choice([0, 0, 0.05]),
        forfeits=random.choice([0, 0, 0.05, 0.15]),
        draws=random.choice([0.1, 0.3, 0.6]),
        forbidden=random.choice([0, 0, players // 3]),
        points=random.choice(POINTS),
        has_baku=random.random() < 0.25,
    )


def pair_at_random(request: PairingRequest) -> Pairings:
    """Pair at random, so that the engine gets unusual histories; raises NoLegalPairing."""
    random = Random(request.round + 1000 * request.seed)
    numbers = list(request.present)
    had_bye = {n for n in numbers if bars_pairing_bye(request.crosstable, request.earlier(n))}
    for _ in range(100):
        random.shuffle(numbers)
        pairs = tuple(zip(numbers[::2], numbers[1::2], strict=False))
        bye = numbers[-1] if len(numbers) % 2 else None
        byes = {} if bye is None else {bye: Kind.PAIRING_BYE}
        if bye not in had_bye and not check_by_hand(
            request.crosstable, request.round, pairs, byes, absent=request.absent
        ):
            return Pairings(pairs, bye)
    raise NoLegalPairing("found none at random", ())


def unusual_conditions(seed: int) -> RandomConditions:
    """Return conditions with few players and many byes and forfeits."""
    random = Random(seed)
    players = random.randint(2, 16)
    return RandomConditions(
        players=players,
        rounds=random.randint(1, max(1, players)),
        seed=seed,
        byes=random.choice([0, 0.1, 0.3]),
        withdrawals=random.choice([0, 0.05]),
        late=random.choice([0, 0.3]),
        forfeits=random.choice([0, 0.1, 0.4]),
        draws=random.random(),
        forbidden=random.randint(0, players // 2),
        has_baku=random.random() < 0.3,
    )


def event_with_random_history(conditions: RandomConditions, played: int) -> TrfFile:
    """Return an event after some rounds whose pairings are random, but have no rematch."""
    chance = Random(conditions.seed)

    def pair(request: PairingRequest) -> Pairings:
        numbers = list(request.present)
        met = {n: {r.opponent for r in request.earlier(n) if r.kind in PLAYED} for n in numbers}
        had_bye = {n for n in numbers for r in request.earlier(n) if r.kind is Kind.PAIRING_BYE}
        while True:
            chance.shuffle(numbers)
            pairs = list(zip(numbers[::2], numbers[1::2], strict=False))
            bye = numbers[-1] if len(numbers) % 2 else None
            if bye not in had_bye and not any(second in met[first] for first, second in pairs):
                return Pairings(tuple(pairs), bye)

    event, _ = next(islice(random_rounds(conditions, pair), played, None))
    return event


def random_clubs(seed: int, players: int) -> list[tuple[PlayerId, ...]]:
    """Return clubs of which the first has about half of the players, so that many must float."""
    random = Random(seed)
    numbers = list(range(1, players + 1))
    if random.random() < 0.5:
        random.shuffle(numbers)
    start = random.choice([0, players // 2, players // 3])
    numbers = numbers[start:] + numbers[:start]
    sizes = [max(1, players // 2 + random.choice([0, 0, 0, -1, -2, 1, -3]))]
    sizes += [random.randint(1, players // 2) for _ in range(random.choice([0, 0, 1, 1, 2, 3]))]
    clubs = []
    for size in sizes:
        clubs.append(tuple(sorted(numbers[:size])))
        numbers = numbers[size:]
    return [club for club in clubs if len(club) > 1]
