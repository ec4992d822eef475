"""Elo in whole numbers, version 1: the same digits on every machine.

Ratings and K are in thousandths of a point (milli), scores and expected scores in millionths, the
exact share of one game in 10^-9 points (milli times millionths). There are no floats, and only
three values are rounded, each half away from zero: the rating difference to whole points, the
expected score to millionths (once, in the table), and a player's sum over a batch to milli.

All games of a batch are rated on the state before the batch:

    E(d)    = TABLE[D], where D is the difference d rounded to points, limited to -2000..2000;
              E(-D) = 1 - E(D)
    share   = (score - E) x K                         exact
    change  = the sum of a player's shares, rounded once
    K       = Kmin + (K0 - Kmin) x n0 / (n0 + n)      n rated games before the batch
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal, localcontext
from functools import cache
from itertools import accumulate, repeat
from operator import mul
from typing import Generic, NamedTuple, TypeVar

ENGINE_VERSION = 1
MILLI = 1_000
MILLION = 1_000_000
WIN, DRAW, LOSS = MILLION, MILLION // 2, 0
LARGEST_DIFFERENCE = 2_000

P = TypeVar("P", bound=Hashable)


class RatingError(ValueError):
    """Base class of the errors of this package."""


# Named tuples, not dataclasses: a rebuild creates several of these per game, and creating a frozen
# dataclass takes three times as long.
class RatedGame(NamedTuple, Generic[P]):
    """A game to rate: its players, the first seat's score, and the value of the handicap.

    `score` is WIN, DRAW or LOSS of the first seat; `handicap_part` is in milli and helps the
    first seat when positive, the second when negative.
    """

    first: P
    second: P
    score: int
    handicap_part: int = 0


class PlayerState(NamedTuple):
    """A player between two batches: the rating in milli and the number of rated games so far."""

    rating: int
    games: int


class RatingChange(NamedTuple, Generic[P]):
    """How one game changes one player's rating, with all values of the computation.

    `game` is the index of the game in the batch. `before`, `opponent_before` and `after` are the
    ratings before and after the batch; `handicap_part` is positive if it helps this player;
    `share` is the exact part of this game in the change, in 10^-9 points.
    """

    game: int
    player: P
    opponent: P
    seat: str
    before: int
    opponent_before: int
    handicap_part: int
    expected: int
    k: int
    score: int
    share: int
    after: int


@dataclass(frozen=True, slots=True)
class Elo:
    """The parameters of a rating system, in whole points and games.

    K falls from `k0` towards `kmin` and has come half of the way after `n0` games; it is fixed if
    `kmin` equals `k0`. `start` is the rating of a new player without a seed rating.
    """

    k0: int
    kmin: int
    n0: int = 10
    start: int = 1500

    def k(self, games: int) -> int:
        """Return K in milli of a player with this many rated games, rounded half up."""
        return _k_by_games(self.k0, self.kmin, self.n0)[games]


class _KByGames(dict[int, int]):
    """K by the number of rated games; each value is computed when it is first needed."""

    def __init__(self, k0: int, kmin: int, n0: int) -> None:
        self.k0, self.kmin, self.n0 = k0, kmin, n0

    def __missing__(self, games: int) -> int:
        weight = self.n0 + games
        added = ((self.k0 - self.kmin) * MILLI * self.n0 + weight // 2) // weight
        self[games] = k = MILLI * self.kmin + added
        return k


_k_by_games = cache(_KByGames)


@cache
def expected_scores() -> tuple[int, ...]:
    """Return the table of expected scores in millionths: that of D at index D.

    Negative differences are at negative indexes, which count from the end.
    """
    with localcontext() as context:
        context.prec = 50
        step = Decimal(10) ** (Decimal(-1) / 400)
        powers = accumulate(repeat(step, LARGEST_DIFFERENCE), mul, initial=Decimal(1))
        positive = [
            int((MILLION / (1 + power)).to_integral_value(rounding=ROUND_HALF_UP))
            for power in powers
        ]
    return (*positive, *(MILLION - expected for expected in positive[:0:-1]))


class RatedBatch(NamedTuple, Generic[P]):
    """The result of rating a batch: the players' ratings and the games' expected scores.

    `players` contains for each player the rating before, K, the rating after (all in milli) and
    the number of rated games after the batch. `games` contains each game with the expected score
    of its first seat.
    """

    players: dict[P, tuple[int, int, int, int]]
    games: list[tuple[RatedGame[P], int]]

    def states(self) -> dict[P, PlayerState]:
        """Return the state after the batch of every player of the batch."""
        return {
            player: PlayerState(after, games)
            for player, (_, _, after, games) in self.players.items()
        }

    def changes(self) -> Iterator[RatingChange[P]]:
        """Yield two changes per game in the order of the games, that of the first seat first."""
        players = self.players
        for number, ((first, second, score, part), expected) in enumerate(self.games):
            first_before, first_k, first_after, _ = players[first]
            second_before, second_k, second_after, _ = players[second]
            surplus = score - expected
            yield RatingChange(number, first, second, "first", first_before, second_before, part,
                               expected, first_k, score, surplus * first_k,
                               first_after)  # fmt: skip
            yield RatingChange(number, second, first, "second", second_before, first_before, -part,
                               MILLION - expected, second_k, MILLION - score, -surplus * second_k,
                               second_after)  # fmt: skip


def rate_batch(
    states: Mapping[P, PlayerState], games: Iterable[RatedGame[P]], elo: Elo
) -> RatedBatch[P]:
    """Rate the games of one batch on the states before it; `states` is not modified.

    A player who is not in `states` starts at `elo.start`. Raises RatingError if a player plays
    against themselves.
    """
    table = expected_scores()
    k_by_games = _k_by_games(elo.k0, elo.kmin, elo.n0)
    start = PlayerState(elo.start * MILLI, 0)
    totals: dict[P, list[int]] = {}  # rating, K, sum of score - E in millionths, rated games
    rated: list[tuple[RatedGame[P], int]] = []

    for game in games:
        first, second, score, part = game
        if first == second:
            raise RatingError(f"{first} has both seats of a game")
        first_total = totals.get(first)
        if first_total is None:
            rating, played = states.get(first, start)
            first_total = totals[first] = [rating, k_by_games[played], 0, played]
        second_total = totals.get(second)
        if second_total is None:
            rating, played = states.get(second, start)
            second_total = totals[second] = [rating, k_by_games[played], 0, played]
        # Rounding half away from zero is written out: a call would take as long as the rest.
        milli = first_total[0] - second_total[0] + part
        difference = (milli + 500) // 1000 if milli >= 0 else -((500 - milli) // 1000)
        if difference > LARGEST_DIFFERENCE:
            difference = LARGEST_DIFFERENCE
        elif difference < -LARGEST_DIFFERENCE:
            difference = -LARGEST_DIFFERENCE
        expected = table[difference]
        surplus = score - expected
        first_total[2] += surplus
        second_total[2] -= surplus
        first_total[3] += 1
        second_total[3] += 1
        rated.append((game, expected))

    players: dict[P, tuple[int, int, int, int]] = {}
    for player, (rating, k, surplus, played) in totals.items():
        share = surplus * k
        change = (share + 500_000) // MILLION if share >= 0 else -((500_000 - share) // MILLION)
        players[player] = (rating, k, rating + change, played)
    return RatedBatch(players, rated)
