"""Random tournaments: invented players, results by their ratings, paired round by round.

FIDE's endorsement of pairing programs requires such a generator. The same conditions lead to the
same tournament on every machine. A player's expected score follows from the difference of the
ratings by the Elo table, whatever the rate of draws.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random

from games.rules.seat import Seat
from ratings.systems.elo import LARGEST_DIFFERENCE, MILLION, expected_scores
from tournament.pairing.errors import NoLegalPairing
from tournament.pairing.request import PairingFunction, Pairings
from tournament.pairing.systems.baku import size_of_group_a, virtual_points
from tournament.pairing.systems.dutch import pair_dutch
from tournament.pairing.trf_rounds import request_next_round
from tournament.standings.crosstable import (
    ABSENT,
    Competitor,
    Crosstable,
    Kind,
    PlayerId,
    RoundResult,
)
from tournament.standings.points import CLASSIC, PointSystem
from tournament.trf import AnnouncedBye, ForbiddenGroup, TrfFile

TOP_RATING, BOTTOM_RATING = 2500, 1200


@dataclass(frozen=True, slots=True, kw_only=True)
class RandomConditions:
    """The conditions of a random tournament.

    `byes` and `withdrawals` are probabilities for each player and round, `late` is the probability
    that a player enters after round 1, `forfeits` is a probability for each board. `draws` is the
    draw rate of players with equal ratings, 0 for a game without draws. `forbidden` is the number
    of pairs who are kept apart. `ratings` are those of the players by number; by default they fall
    evenly from the top rating to the bottom rating.
    """

    players: int
    rounds: int
    seed: int
    byes: float = 0.0
    withdrawals: float = 0.0
    late: float = 0.0
    forfeits: float = 0.0
    draws: float = 0.3
    forbidden: int = 0
    ratings: tuple[int, ...] = ()
    points: PointSystem = CLASSIC
    has_baku: bool = False

    def __post_init__(self) -> None:
        if not 2 <= self.players <= 9999:
            raise ValueError(f"players must be between 2 and 9999, not {self.players}")
        if not 1 <= self.rounds <= 99:
            raise ValueError(f"rounds must be between 1 and 99, not {self.rounds}")
        for name in ("byes", "withdrawals", "late", "forfeits", "draws"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} must be between 0 and 1, not {getattr(self, name)}")
        if self.forbidden and not 0 <= self.forbidden <= self.players * (self.players - 1) // 2:
            raise ValueError(f"there are not {self.forbidden} pairs to keep apart")
        if len(self.ratings) not in (0, self.players):
            raise ValueError(f"{len(self.ratings)} ratings for {self.players} players")


def random_tournament(conditions: RandomConditions, pair: PairingFunction = pair_dutch) -> TrfFile:
    """Play a whole tournament, or as many rounds of it as can be paired."""
    *_, (trf, _) = random_rounds(conditions, pair)
    return trf


def random_rounds(
    conditions: RandomConditions, pair: PairingFunction = pair_dutch
) -> Iterator[tuple[TrfFile, Pairings | None]]:
    """Yield the tournament before each round with the pairings of that round.

    The last item has no pairings: it is the finished tournament, or the one before a round without
    a legal pairing.
    """
    tournament = _Tournament(conditions)
    for round_number in range(1, conditions.rounds + 1):
        trf = tournament.as_trf(round_number)
        try:
            pairings = pair(request_next_round(trf))
        except NoLegalPairing:
            yield trf, None
            return
        yield trf, pairings
        tournament.play(pairings)
        if not pairings.pairs:
            break
    yield tournament.as_trf(None), None


def random_kinds(random: Random, difference: int, draws: float) -> tuple[Kind, Kind]:
    """Return the result of a game, for the first player and for the second.

    `difference` is the rating of the first player minus that of the second. The draw rate is
    `draws` for equal ratings and falls in proportion to the expected score of the weaker player.
    """
    bounded = max(-LARGEST_DIFFERENCE, min(difference, LARGEST_DIFFERENCE))
    expected = expected_scores()[bounded] / MILLION
    draw_rate = 2 * draws * min(expected, 1 - expected)
    chance = random.random()
    if chance < draw_rate:
        return Kind.DRAW, Kind.DRAW
    if chance < expected + draw_rate / 2:
        return Kind.WIN, Kind.LOSS
    return Kind.LOSS, Kind.WIN


class _Tournament:
    def __init__(self, conditions: RandomConditions):
        self.conditions = conditions
        self.random = random = Random(conditions.seed)
        numbers = range(1, conditions.players + 1)
        step = (TOP_RATING - BOTTOM_RATING) / conditions.players
        evenly = (round(TOP_RATING - step * (number - 1)) for number in numbers)
        self.ratings = dict(zip(numbers, conditions.ratings or evenly, strict=True))
        self.first_round = {
            number: random.randint(2, max(2, conditions.rounds // 2))
            for number in numbers
            if random.random() < conditions.late
        }
        self.initial_seat = random.choice(list(Seat))
        self.forbidden = self._forbidden_pairs()
        self.results: dict[PlayerId, list[RoundResult]] = {number: [] for number in numbers}
        self.byes: dict[PlayerId, Kind] = {}
        self.withdrawn: set[PlayerId] = set()

    def as_trf(self, round_number: int | None) -> TrfFile:
        """Return the tournament before a round, or at its end."""
        if round_number is not None:
            self.byes = dict(self._absences(round_number))
        table = self._table()
        return TrfFile(
            crosstable=table,
            ranks=_ranks(table),
            byes=tuple(
                AnnouncedBye(round_number, kind, number) for number, kind in self.byes.items()
            )
            if round_number is not None
            else (),
            forbidden=tuple(
                ForbiddenGroup(pair, 1, self.conditions.rounds) for pair in self.forbidden
            ),
        )

    def play(self, pairings: Pairings) -> None:
        """Add the results of a round."""
        new = {number: RoundResult(kind) for number, kind in self.byes.items()}
        if pairings.bye is not None:
            new[pairings.bye] = RoundResult(Kind.PAIRING_BYE)
        for first, second in pairings.pairs:
            kinds = self._kinds(first, second)
            new[first] = RoundResult(kinds[0], second, Seat.FIRST)
            new[second] = RoundResult(kinds[1], first, Seat.SECOND)
        for number, row in self.results.items():
            row.append(new.get(number, ABSENT))

    def _table(self) -> Crosstable:
        conditions = self.conditions
        virtual: tuple[int, ...] = ()
        group_a = 0
        if conditions.has_baku:
            virtual = virtual_points(conditions.rounds, conditions.points)
            punctual = [number for number in self.ratings if number not in self.first_round]
            group_a = max(punctual[: size_of_group_a(len(punctual))], default=0)
        return Crosstable(
            players=tuple(
                Competitor(
                    number=number,
                    name=f"Player {number:04}",
                    rating=self.ratings[number],
                    results=tuple(row),
                    virtual=virtual if number <= group_a else (),
                )
                for number, row in self.results.items()
            ),
            rounds=conditions.rounds,
            points=conditions.points,
            initial_seat=self.initial_seat,
        )

    def _absences(self, round_number: int) -> Iterator[tuple[PlayerId, Kind]]:
        random, conditions = self.random, self.conditions
        for number in self.ratings:
            if conditions.withdrawals and random.random() < conditions.withdrawals:
                self.withdrawn.add(number)
            if number in self.withdrawn or round_number < self.first_round.get(number, 1):
                yield number, Kind.ZERO_BYE
            elif conditions.byes and random.random() < conditions.byes:
                yield number, random.choice([Kind.HALF_BYE, Kind.HALF_BYE, Kind.ZERO_BYE])

    def _kinds(self, first: PlayerId, second: PlayerId) -> tuple[Kind, Kind]:
        random = self.random
        if self.conditions.forfeits and random.random() < self.conditions.forfeits:
            lost = Kind.FORFEIT_LOSS
            return random.choices(
                [(Kind.FORFEIT_WIN, lost), (lost, Kind.FORFEIT_WIN), (lost, lost)], [9, 9, 2]
            )[0]
        difference = self.ratings[first] - self.ratings[second]
        return random_kinds(random, difference, self.conditions.draws)

    def _forbidden_pairs(self) -> list[tuple[PlayerId, PlayerId]]:
        pairs: dict[tuple[PlayerId, PlayerId], None] = {}
        while len(pairs) < self.conditions.forbidden:
            a, b = sorted(self.random.sample(list(self.ratings), 2))
            pairs[a, b] = None
        return list(pairs)


def _ranks(table: Crosstable) -> Mapping[PlayerId, int]:
    points = {number: table.points_of(number) for number in table.by_number}
    ordered = sorted(points, key=lambda number: (-points[number], number))
    return {number: rank for rank, number in enumerate(ordered, start=1)}
