"""How strong the players are: what the results of simulated games are drawn from.

The expected score of a game is that of Elo for the difference of the ratings, to which the value of
the first seat and of a handicap is added. In games that know draws, the draw rate falls with the
difference (`random_kinds`), and the expected score does not depend on it. No game is a forfeit.
Ratings are not exact, so each simulation draws the strengths of all players about their ratings.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from random import Random

from games.rules.seat import Seat
from ratings.systems.elo import MILLI
from ratings.systems.recommendation import Catalogue
from tournament.pairing.random_tournament import random_kinds
from tournament.pairing.request import Pair
from tournament.standings.crosstable import Kind, PlayerId

KindPair = tuple[Kind, Kind]
"""The result of a game for the first player of a pair, and for the second."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Strengths:
    """The ratings of all players, and the conditions of their games.

    `ratings` are in thousandths of a point, for every player; `deviations` are the standard
    deviations of the strengths about them, for players whose rating is not exact. `draws` is the
    draw rate of players with equal ratings, from 0 to 1: 0 for a game without draws. `first_seat`
    is what moving first is worth in an even game, in thousandths. `catalogue` has the handicaps
    that the event applies; with None, all games are even.
    """

    ratings: Mapping[PlayerId, int]
    deviations: Mapping[PlayerId, int] = field(default_factory=dict)
    draws: float = 0.0
    first_seat: int = 0
    catalogue: Catalogue | None = None
    _recommended: dict[tuple[int, Seat], tuple[Seat, int]] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )

    def __post_init__(self) -> None:
        if not 0 <= self.draws <= 1:
            raise ValueError(f"draws must be between 0 and 1, not {self.draws}")

    def drawn(self, random: Random) -> "Strengths":
        """Return the strengths of a simulation, normally distributed about the ratings.

        The same state of `random` gives the same strengths; without deviations it stays as it is.
        """
        drawn = {
            number: self.ratings[number] + round(random.gauss(0, deviation))
            for number, deviation in sorted(self.deviations.items())
        }
        return replace(self, ratings={**self.ratings, **drawn}, deviations={}) if drawn else self

    def random_game(self, random: Random, pair: Pair, part: int) -> KindPair:
        """Return a random result of a game; `part` is what helps the first of the pair, in milli.

        Raises KeyError for a player without a rating.
        """
        ratings = self.ratings
        difference = ratings[pair[0]] - ratings[pair[1]] + part
        return random_kinds(random, (difference + MILLI // 2) // MILLI, self.draws)

    def seat_by_handicap(
        self, pair: Pair, handicap_ratings: Mapping[PlayerId, int]
    ) -> tuple[Pair, int]:
        """Return a pair in the seats of its game, and what helps the first seat, in milli.

        `handicap_ratings` are those by which the event gives handicaps, in points; a pair with a
        player who has none plays an even game, as in the event itself.
        """
        first, second = pair
        if self.catalogue is None or not (
            handicap_ratings.get(first) and handicap_ratings.get(second)
        ):
            return pair, self.first_seat
        difference = handicap_ratings[first] - handicap_ratings[second]
        seat = Seat.FIRST if difference < 0 else Seat.SECOND
        weaker, stronger = pair if seat is Seat.FIRST else pair[::-1]
        key = abs(difference), seat
        if key not in self._recommended:
            found = self.catalogue.recommend(*key)
            value = found.value if found.seat is Seat.FIRST else -found.value
            self._recommended[key] = found.seat, value
        own_seat, part = self._recommended[key]
        return ((weaker, stronger) if own_seat is Seat.FIRST else (stronger, weaker)), part
