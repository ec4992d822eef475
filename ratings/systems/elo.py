"""Elo in whole numbers, version 1: the same digits on every machine.

Ratings and K are in thousandths of a point (milli), scores and expected scores in millionths, the
exact share of one game in thousand-millionths of a point (milli times millionths). Nothing is a
float and nothing is rounded but in three places: the rating difference to whole points, the
expected score to millionths (once, in the table), and a player's sum over a batch to milli; each
rounds a half away from zero.

All games of a batch read the state before it. What the systems share is this:

    E(d)    = TABLE[D] for the difference d rounded to D points and limited to 2000 either way;
              E(-D) = 1 - E(D)
    share   = (score - E) x K                         exact
    change  = the sum of a player's shares, rounded once
    K       = Kmin + (K0 - Kmin) x n0 / (n0 + n)      n rated games before the batch
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal, localcontext
from functools import cache
from typing import Generic, NamedTuple, TypeVar

from ratings.systems.errors import RatingError

ENGINE_VERSION = 1
MILLI = 1_000
MILLION = 1_000_000
WIN, DRAW, LOSS = MILLION, MILLION // 2, 0
WIDEST_GAP = 2_000
START = 1500 * MILLI

P = TypeVar("P", bound=Hashable)


# Named tuples, not dataclasses: a rebuild makes several of these a game, and a frozen dataclass
# takes three times as long to make.
class RatedGame(NamedTuple, Generic[P]):
    """A game that counts: who sat where, the first seat's score, and what the handicap is worth.

    `score` is WIN, DRAW or LOSS of the first seat; `handicap_part` is in milli and helps the
    first seat when positive, the second when negative.
    """

    first: P
    second: P
    score: int
    handicap_part: int = 0


class PlayerState(NamedTuple):
    """A player between two batches: the rating in milli and the games rated so far."""

    rating: int
    games: int


class Change(NamedTuple, Generic[P]):
    """What one game did to one player, with everything that explains it.

    `before`, `opponent_before` and `after` are the batch's; `handicap_part` counts for this
    player's seat; `share` is this game's exact part of the change, in 10^-9 points.
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
    """How far a rating moves: K falls from `k0` towards `kmin`, half of the way after `n0` games.

    All in whole points and games; `kmin` equal to `k0` is a fixed K. `start` is the rating of a
    player without a seed.
    """

    k0: int
    kmin: int
    n0: int = 10
    start: int = 1500

    def k(self, games: int) -> int:
        """K in milli for a player with so many rated games, a half rounded up."""
        return _falling(self.k0, self.kmin, self.n0)[games]


class _Falling(dict[int, int]):
    """K by the number of rated games, worked out once for each number that comes up."""

    def __init__(self, k0: int, kmin: int, n0: int) -> None:
        self.k0, self.kmin, self.n0 = k0, kmin, n0

    def __missing__(self, games: int) -> int:
        weight = self.n0 + games
        added = ((self.k0 - self.kmin) * MILLI * self.n0 + weight // 2) // weight
        self[games] = k = MILLI * self.kmin + added
        return k


_falling = cache(_Falling)


def divided(amount: int, by: int) -> int:
    """The quotient rounded to the nearest whole number, a half away from zero; `by` is positive."""
    return (2 * amount + by) // (2 * by) if amount >= 0 else -((2 * -amount + by) // (2 * by))


@cache
def expected_table() -> tuple[int, ...]:
    """Expected scores in millionths: D at index D, so that -D counts from the table's end."""
    with localcontext() as context:
        context.prec = 50
        ahead = [
            int(
                (MILLION / (1 + Decimal(10) ** (Decimal(-gap) / 400))).to_integral_value(
                    rounding=ROUND_HALF_UP
                )
            )
            for gap in range(WIDEST_GAP + 1)
        ]
    return (*ahead, *(MILLION - value for value in ahead[:0:-1]))


def expected_score(difference: int) -> int:
    """The expected score, in millionths, of a player this many milli above the opponent."""
    gap = divided(difference, MILLI)
    return expected_table()[max(-WIDEST_GAP, min(WIDEST_GAP, gap))]


class RatedBatch(NamedTuple, Generic[P]):
    """A batch after rating: the players' states, and the games with their expected scores.

    `players` holds for each player the rating before, K, the rating after (all in milli) and the
    games rated by then; the changes are spelled out only when somebody asks for them.
    """

    players: dict[P, tuple[int, int, int, int]]
    games: list[tuple[RatedGame[P], int]]

    def states(self) -> dict[P, PlayerState]:
        """The state after the batch of everyone who played in it."""
        return {
            player: PlayerState(after, games)
            for player, (_, _, after, games) in self.players.items()
        }

    def changes(self) -> Iterator[Change[P]]:
        """Two changes a game in the order of the games, the first seat's before the second's."""
        players = self.players
        for number, ((first, second, score, part), expected) in enumerate(self.games):
            own, k, after, _ = players[first]
            theirs, other_k, other_after, _ = players[second]
            surplus = score - expected
            yield Change(number, first, second, "first", own, theirs, part,
                         expected, k, score, surplus * k, after)  # fmt: skip
            yield Change(number, second, first, "second", theirs, own, -part,
                         MILLION - expected, other_k, MILLION - score, -surplus * other_k,
                         other_after)  # fmt: skip


def rate_batch(
    states: Mapping[P, PlayerState], games: Iterable[RatedGame[P]], elo: Elo
) -> RatedBatch[P]:
    """Rate the games of one batch, all on the states before it, which are left as they are.

    A player missing from `states` starts at `elo.start`. Raises RatingError for a game of a
    player against himself.
    """
    table = expected_table()
    k_after = _falling(elo.k0, elo.kmin, elo.n0)
    start = PlayerState(elo.start * MILLI, 0)
    running: dict[P, list[int]] = {}  # rating, K, millionths scored above expectation, games
    told: list[tuple[RatedGame[P], int]] = []

    for game in games:
        first, second, score, part = game
        if first == second:
            raise RatingError(f"{first} sits on both sides of a game")
        one = running.get(first)
        if one is None:
            rating, played = states.get(first, start)
            one = running[first] = [rating, k_after[played], 0, played]
        two = running.get(second)
        if two is None:
            rating, played = states.get(second, start)
            two = running[second] = [rating, k_after[played], 0, played]
        difference = one[0] - two[0] + part
        gap = (difference + 500) // 1000 if difference >= 0 else -((500 - difference) // 1000)
        if gap > WIDEST_GAP:
            gap = WIDEST_GAP
        elif gap < -WIDEST_GAP:
            gap = -WIDEST_GAP
        expected = table[gap]
        surplus = score - expected
        one[2] += surplus
        two[2] -= surplus
        one[3] += 1
        two[3] += 1
        told.append((game, expected))

    players: dict[P, tuple[int, int, int, int]] = {}
    for player, (rating, k, surplus, played) in running.items():
        moved = surplus * k  # rounded as by `divided`; the call alone would cost as much again
        moved = (moved + 500_000) // MILLION if moved >= 0 else -((500_000 - moved) // MILLION)
        players[player] = (rating, k, rating + moved, played)
    return RatedBatch(players, told)
