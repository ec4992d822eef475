"""Random events with all kinds of byes, forfeits, withdrawals and late entries."""

from random import Random

from games.rules.seat import Seat
from tournament.standings.crosstable import Competitor, Crosstable, Kind, PlayerId, RoundResult
from tournament.standings.points import CLASSIC, PointSystem

WON = (Kind.WIN, Kind.LOSS)
DRAWN = (Kind.DRAW, Kind.DRAW)
LOST = (Kind.LOSS, Kind.WIN)
FORFEITS = (
    (Kind.FORFEIT_WIN, Kind.FORFEIT_LOSS),
    (Kind.FORFEIT_LOSS, Kind.FORFEIT_WIN),
    (Kind.FORFEIT_LOSS, Kind.FORFEIT_LOSS),
)
SYSTEMS = (CLASSIC, CLASSIC, PointSystem.from_points(win=3, draw=1))


def swiss(seed: int, *, points: PointSystem | None = None) -> Crosstable:
    """Return a finished Swiss of 6 to 60 players and 3 to 9 rounds, without rematches."""
    random = Random(seed)
    size, rounds = random.randint(6, 60), random.randint(3, 9)
    rates = {name: random.choice([0.0, 0.03, 0.15]) for name in ("forfeit", "bye", "leave", "late")}
    withdrawn = {
        n: random.randint(2, rounds) for n in range(1, size + 1) if _happens(random, rates, "leave")
    }
    late = {
        n: random.randint(1, rounds) for n in range(1, size + 1) if _happens(random, rates, "late")
    }
    rows: dict[PlayerId, list[RoundResult]] = {n: [] for n in range(1, size + 1)}
    for round_number in range(1, rounds + 1):
        absent = {n: Kind.ZERO_BYE for n in rows if late.get(n, 0) >= round_number}
        absent |= {n: Kind.ZERO_BYE for n in rows if withdrawn.get(n, rounds + 1) <= round_number}
        for number in rows.keys() - absent.keys():
            if _happens(random, rates, "bye"):
                absent[number] = random.choice([Kind.HALF_BYE, Kind.ZERO_BYE, Kind.FULL_BYE])
        pairs = _pair(random, [n for n in rows if n not in absent], rows)
        for first, second in pairs:
            outcomes = FORFEITS if _happens(random, rates, "forfeit") else (WON, WON, DRAWN, LOST)
            _add_game(rows, first, second, random.choice(outcomes))
        unpaired = [n for n in rows if len(rows[n]) < round_number and n not in absent]
        if unpaired:
            absent[unpaired.pop()] = Kind.PAIRING_BYE
        for number in rows:
            if len(rows[number]) < round_number:
                rows[number].append(RoundResult(absent.get(number, Kind.ZERO_BYE)))
    return _table(random, rows, rounds, points or random.choice(SYSTEMS))


def round_robin(seed: int) -> Crosstable:
    """Return a round robin of one or two cycles with 4 to 9 players and forfeits."""
    random = Random(seed)
    size = random.randint(4, 9)
    seats: list[int | None] = [*range(1, size + 1), *([None] if size % 2 else [])]
    rows: dict[PlayerId, list[RoundResult]] = {n: [] for n in range(1, size + 1)}
    rate = {"forfeit": random.choice([0.0, 0.1])}
    cycles = random.choice([1, 1, 2])
    for cycle in range(cycles):
        for turn in range(len(seats) - 1):
            for player, other in zip(seats[: len(seats) // 2], reversed(seats), strict=False):
                if player is None or other is None:
                    rows[player or other or 0].append(RoundResult(Kind.ZERO_BYE))
                    continue
                first, second = (player, other) if (turn + cycle) % 2 else (other, player)
                outcomes = FORFEITS if _happens(random, rate, "forfeit") else (WON, DRAWN, LOST)
                _add_game(rows, first, second, random.choice(outcomes))
            seats = [seats[0], seats[-1], *seats[1:-1]]
    rounds = cycles * (len(seats) - 1)
    return _table(random, rows, rounds, CLASSIC, is_round_robin=True)


def _happens(random: Random, rates: dict[str, float], name: str) -> bool:
    return random.random() < rates[name]


def _pair(
    random: Random, present: list[PlayerId], rows: dict[PlayerId, list[RoundResult]]
) -> list[tuple[PlayerId, PlayerId]]:
    """Pair at random; a player without a new opponent is not paired."""
    random.shuffle(present)
    pairs = []
    while present:
        player = present.pop()
        met = {result.opponent for result in rows[player]}
        other = next((number for number in present if number not in met), None)
        if other is not None:
            present.remove(other)
            pairs.append((player, other))
    return pairs


def _add_game(
    rows: dict[PlayerId, list[RoundResult]],
    first: PlayerId,
    second: PlayerId,
    outcome: tuple[Kind, Kind],
) -> None:
    rows[first].append(RoundResult(outcome[0], second, Seat.FIRST))
    rows[second].append(RoundResult(outcome[1], first, Seat.SECOND))


def _table(
    random: Random,
    rows: dict[PlayerId, list[RoundResult]],
    rounds: int,
    points: PointSystem,
    *,
    is_round_robin: bool = False,
) -> Crosstable:
    return Crosstable(
        players=tuple(
            Competitor(
                number=number,
                name=f"Player{number:04}",
                rating=random.randint(1000, 2600),
                results=tuple(row),
            )
            for number, row in rows.items()
        ),
        rounds=rounds,
        points=points,
        round_robin=is_round_robin,
        initial_seat=Seat.FIRST,
    )
