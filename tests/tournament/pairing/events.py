"""Tournaments for tests: from pictures, from recorded positions, or played round by round."""

from collections.abc import Callable, Collection, Iterator, Sequence
from random import Random
from typing import Any

from games.rules.seat import Seat
from tests.processes import ROOT
from tournament.pairing.findings import FindingCode
from tournament.pairing.request import PairingRequest, Pairings
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.pairing.trf_rounds import request_next_round
from tournament.standings.crosstable import ABSENT, Competitor, Crosstable, Kind, RoundResult
from tournament.trf import read_trf

POSITIONS = ROOT / "tests" / "data" / "pairing" / "positions"
SEATS = {"f": Seat.FIRST, "s": Seat.SECOND}
KINDS = {
    "1": Kind.WIN,
    "=": Kind.DRAW,
    "0": Kind.LOSS,
    "+": Kind.FORFEIT_WIN,
    "-": Kind.FORFEIT_LOSS,
    "U": Kind.PAIRING_BYE,
    "F": Kind.FULL_BYE,
    "H": Kind.HALF_BYE,
    "Z": Kind.ZERO_BYE,
}
ENDS = [(Kind.WIN, Kind.LOSS), (Kind.LOSS, Kind.WIN), (Kind.DRAW, Kind.DRAW)]
Rows = list[list[RoundResult]]
Chooser = Callable[[int, int], tuple[Kind, Kind]]


def event(picture: str, *, rounds: int = 9, **options: object) -> Crosstable:
    """Read a crosstable: a line for each player and a word for each round.

    `2f1` is a win against player 2 in the first seat, `U` a bye, `.` nothing.
    """
    players = []
    for number, line in enumerate(picture.strip().splitlines(), start=1):
        results = []
        for word in line.split():
            if word[0].isdigit():
                opponent = int(word[:-2])
                results.append(RoundResult(KINDS[word[-1]], opponent, SEATS[word[-2]]))
            elif word != ".":
                results.append(RoundResult(KINDS[word]))
        players.append(Competitor(number=number, results=tuple(results)))
    return Crosstable(players=tuple(players), rounds=rounds, **options)  # type: ignore[arg-type]


def position(name: str) -> PairingRequest:
    """Return the round to pair of a recorded position."""
    return request_next_round(read_trf((POSITIONS / f"{name}.trf").read_bytes()))


def table_of(rows: Rows, rounds: int, ratings: Sequence[int] = ()) -> Crosstable:
    """Return the crosstable of the rows, player 1 first."""
    return Crosstable(
        players=tuple(
            Competitor(number=n, rating=ratings[n - 1] if ratings else 0, results=tuple(row))
            for n, row in enumerate(rows, start=1)
        ),
        rounds=rounds,
    )


def enter_results(rows: Rows, pairings: Pairings, choose: Chooser) -> None:
    """Add a round to the rows; `choose` returns the results of a game that is not forfeited."""
    forfeits = forfeits_of(pairings)
    for row in rows:
        row.append(ABSENT)
    for number, kind in pairings.byes:
        rows[number - 1][-1] = RoundResult(kind)
    if pairings.bye is not None:
        rows[pairings.bye - 1][-1] = RoundResult(Kind.PAIRING_BYE)
    for first, second in pairings.pairs:
        kinds = list(choose(first, second))
        if forfeits & {first, second}:
            kinds = [
                Kind.FORFEIT_LOSS if number in forfeits else Kind.FORFEIT_WIN
                for number in (first, second)
            ]
        rows[first - 1][-1] = RoundResult(kinds[0], second, Seat.FIRST)
        rows[second - 1][-1] = RoundResult(kinds[1], first, Seat.SECOND)


def forfeits_of(pairings: Pairings) -> set[int]:
    """Return the players whose game is lost by forfeit because they are absent."""
    seated = {number for pair in pairings.pairs for number in pair}
    absent = {f.players[0] for f in pairings.findings if f.code is FindingCode.FORFEIT}
    return absent & seated


def stronger_wins(first: int, second: int) -> tuple[Kind, Kind]:
    """Let the lower pairing number win."""
    return ENDS[0] if first < second else ENDS[1]


def games(*pairs: tuple[int, int], bye: int | None = None) -> Pairings:
    """Return a round."""
    return Pairings(pairs, bye)


def history(*rounds: Pairings, players: int, more: int = 1, **request: Any) -> PairingRequest:
    """Return the round after these rounds, in which the lower number always won."""
    rows: Rows = [[] for _ in range(players)]
    for pairings in rounds:
        enter_results(rows, pairings, stronger_wins)
    table = table_of(rows, len(rounds) + more)
    return PairingRequest(crosstable=table, round=len(rounds) + 1, **request)


def play(
    code: str,
    players: int,
    rounds: int,
    *,
    choose: Chooser | None = None,
    seed: int = 0,
    absent: Callable[[int], Collection[int]] = lambda _: (),
    ratings: Sequence[int] = (),
    **options: Any,
) -> Iterator[tuple[Crosstable, Pairings]]:
    """Play a tournament; yield the table before each round and the pairings of the round."""
    random = Random(seed)
    rows: Rows = [[] for _ in range(players)]
    for number in range(1, rounds + 1):
        table = table_of(rows, rounds, ratings)
        request = PairingRequest(
            crosstable=table, round=number, absent=frozenset(absent(number)), **options
        )
        pairings = PAIRING_SYSTEMS[code].pair(request)
        yield table, pairings
        enter_results(rows, pairings, choose or (lambda *_: random.choice(ENDS)))
