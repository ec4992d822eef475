"""Events played by a pairing system round by round, with results drawn from a seed."""

from collections.abc import Callable, Collection, Iterator, Sequence
from random import Random
from typing import Any

from games.rules.seat import Seat
from tournament.pairing.request import PairingRequest, Pairings
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.standings.crosstable import ABSENT, Competitor, Crosstable, Kind, RoundResult

ENDS = [(Kind.WIN, Kind.LOSS), (Kind.LOSS, Kind.WIN), (Kind.DRAW, Kind.DRAW)]
Rows = list[list[RoundResult]]
Chooser = Callable[[int, int], tuple[Kind, Kind]]


def table_of(rows: Rows, rounds: int, ratings: Sequence[int] = ()) -> Crosstable:
    """The crosstable of these rows, player 1 first."""
    return Crosstable(
        players=tuple(
            Competitor(number=n, rating=ratings[n - 1] if ratings else 0, results=tuple(row))
            for n, row in enumerate(rows, start=1)
        ),
        rounds=rounds,
    )


def enter_results(rows: Rows, pairings: Pairings, choose: Chooser) -> None:
    """One more round: `choose` tells how the game of two ends; a forfeit needs no game."""
    for row in rows:
        row.append(ABSENT)
    for number, kind in pairings.byes:
        rows[number - 1][-1] = RoundResult(kind)
    if pairings.bye is not None:
        rows[pairings.bye - 1][-1] = RoundResult(Kind.PAIRING_BYE)
    for first, second in pairings.pairs:
        kinds = list(choose(first, second))
        if pairings.forfeits & {first, second}:
            kinds = [
                Kind.FORFEIT_LOSS if number in pairings.forfeits else Kind.FORFEIT_WIN
                for number in (first, second)
            ]
        rows[first - 1][-1] = RoundResult(kinds[0], second, Seat.FIRST)
        rows[second - 1][-1] = RoundResult(kinds[1], first, Seat.SECOND)


def stronger_wins(first: int, second: int) -> tuple[Kind, Kind]:
    """The lower pairing number wins."""
    return ENDS[0] if first < second else ENDS[1]


def play(
    code: str,
    players: int,
    rounds: int,
    *,
    choose: Chooser | None = None,
    seed: int = 0,
    away: Callable[[int], Collection[int]] = lambda _: (),
    ratings: Sequence[int] = (),
    **request: Any,
) -> Iterator[tuple[Crosstable, Pairings]]:
    """Pair and play an event; the table before each round, and the round."""
    random = Random(seed)
    rows: Rows = [[] for _ in range(players)]
    for number in range(1, rounds + 1):
        table = table_of(rows, rounds, ratings)
        asked = PairingRequest(
            crosstable=table, round=number, absent=frozenset(away(number)), **request
        )
        pairings = PAIRING_SYSTEMS[code].pair(asked)
        yield table, pairings
        enter_results(rows, pairings, choose or (lambda *_: random.choice(ENDS)))
