"""FIDE's rating system (Rating Regulations, B.02, effective 1 March 2024), in whole numbers.

All games of a rating period, a calendar month, are rated on the ratings before it (7.1). The units
are those of `elo.py`; every rating is a whole number of points.

    E        the printed table 8.1.2; a difference above 400 points counts as 400 for a player below
             2650 (8.3.1, as amended on 1 October 2025; here in every period)
    K        10 once a rating of 2400 was reached; else 40 before 30 games, and until the end of the
             year of the 18th birthday below 2300; else 20 (8.3.3)
    K x n    at most 700 for the n games of a period: K is reduced to the largest whole number
    change   the sum of (score - E) x K, rounded once to whole points, half away from zero (8.3.4)

An unrated player gets a rating when five games against rated opponents have been played within 26
periods (7.1.4): the mean rating of these opponents and of two hypothetical ones rated 1800, plus
the difference of table 8.1.1 for the score with draws against these two, at most 2200 (8.2). The
first event is disregarded if the player scored zero in it (8.2.1). A game against an unrated
opponent changes no rating. A handicap changes the difference, and the rating at which an
unrated player's opponent counts.

A player whose rating falls below 1400 is unrated from the next period on, and starts again like any
other unrated player (7.2.1). A first rating below 1400 is not published (7.1.4): the games remain,
and the player is unrated until a rating from all of them reaches 1400. A rating from elsewhere that
is below 1400 does not count.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, NamedTuple

from ratings.systems.elo import MILLI, MILLION, P, RatedGame, RatingChange, RatingError
from ratings.systems.fide_initial import (
    InitialEvent,
    InitialEvents,
    add_event,
    count_initial,
    initial_rating,
    round_away,
)
from ratings.systems.fide_k import K_OF_RULE, TOP_LEVEL, KRule, find_k_rule
from ratings.systems.fide_tables import expected_percent

DIFFERENCE_LIMIT = 400
MAX_K_TIMES_GAMES = 700
INITIAL_GAMES = 5
FLOOR = 1400 * MILLI
WITHOUT_LIMIT = 2650 * MILLI


@dataclass(frozen=True, slots=True)
class Fide:
    """The parameters of the system.

    `limit_400` is 1 if larger differences count as 400 for players below 2650, 0 for no player.
    """

    limit_400: int = 1


class FideState(NamedTuple):
    """A player between two periods; the rating is zero while the player is unrated.

    `games` are the rated games, zero while the player is unrated. `initial` are the events until
    the period in which the player got the rating, this included.
    """

    rating: int = 0
    games: int = 0
    has_reached_2400: bool = False
    initial: InitialEvents = ()


class FidePlayer(NamedTuple):
    """What a period changed for a player: the states, K in milli and its rule.

    `is_capped` is true if K is lower than that of the rule, because of the 700 in a period.
    """

    before: FideState
    k: int
    rule: KRule
    is_capped: bool
    after: FideState


class RatedPeriod(NamedTuple, Generic[P]):
    """The result of rating a period: what it changed for each player, and its games.

    `games` contains each game with the expected scores of its first and its second seat; zero if
    one of the players is unrated. From 2650 points on, they may not add up to one.
    """

    players: dict[P, FidePlayer]
    games: list[tuple[RatedGame[P], int, int]]

    def states(self) -> dict[P, FideState]:
        """Return the state after the period of every player of the period."""
        return {player: change.after for player, change in self.players.items()}

    def changes(self) -> Iterator[RatingChange[P]]:
        """Yield two changes per game in the order of the games, that of the first seat first.

        `expected`, `k` and `share` are zero if one of the players is unrated. The sum of a player's
        shares, rounded to whole points, is their change.
        """
        for number, ((first, second, score, part), expected, other_expected) in enumerate(
            self.games
        ):
            own, other = self.players[first], self.players[second]
            counts = own.before.rating > 0 and other.before.rating > 0
            for player, opponent, seat, own_part, points, own_expected in (
                (first, second, "first", part, score, expected),
                (second, first, "second", -part, MILLION - score, other_expected),
            ):
                change, against = self.players[player], self.players[opponent]
                k = change.k if counts else 0
                yield RatingChange(
                    number, player, opponent, seat, change.before.rating, against.before.rating,
                    own_part, own_expected, k, points, (points - own_expected) * k,
                    change.after.rating,
                )  # fmt: skip


def start_rated(rating: int, games: int = 0) -> FideState:
    """Return the state of a player with a rating from elsewhere, which is rounded to points."""
    rating = _round_points(rating) * MILLI
    return FideState(rating, games, rating >= TOP_LEVEL) if rating >= FLOOR else FideState()


def rate_period(
    states: Mapping[P, FideState],
    games: Sequence[RatedGame[P]],
    fide: Fide,
    *,
    period: int = 0,
    events: Sequence[int] = (),
    juniors: Collection[P] = frozenset(),
) -> RatedPeriod[P]:
    """Rate the games of one period on the states before it; `states` is not modified.

    A player who is not in `states` is unrated. `period` is the number of the period, and `events`
    those of the events of the games, which are in the order of their events; by default, all games
    are those of one event. Raises RatingError if a player plays against themselves.
    """
    unrated = FideState()
    totals: dict[P, _Total] = {}
    rated: list[tuple[RatedGame[P], int, int]] = []
    for game, event in zip(games, events or [0] * len(games), strict=True):
        first, second, score, part = game
        if first == second:
            raise RatingError(f"{first} has both seats of a game")
        own = totals.setdefault(first, _Total(states.get(first, unrated)))
        other = totals.setdefault(second, _Total(states.get(second, unrated)))
        expected = other_expected = 0
        if own.before.rating and other.before.rating:
            difference = _round_points(own.before.rating - other.before.rating + part)
            expected = expected_score(difference, fide, rating=own.before.rating)
            other_expected = expected_score(-difference, fide, rating=other.before.rating)
            own.add(score - expected)
            other.add(MILLION - score - other_expected)
        elif other.before.rating:
            own.add_initial(event, other.before.rating - part, score)
        elif own.before.rating:
            other.add_initial(event, own.before.rating + part, MILLION - score)
        rated.append((game, expected, other_expected))
    return RatedPeriod(
        {
            player: total.result(period, is_junior=player in juniors)
            for player, total in totals.items()
        },
        rated,
    )


def expected_score(difference: int, fide: Fide, *, rating: int) -> int:
    """Return the expected score in millionths of a player with this rating in milli (8.1.2, 8.3.1).

    The difference is in points.
    """
    if fide.limit_400 and rating < WITHOUT_LIMIT:
        difference = max(-DIFFERENCE_LIMIT, min(DIFFERENCE_LIMIT, difference))
    return expected_percent(difference) * (MILLION // 100)


@dataclass(slots=True)
class _Total:
    """The sums over the games of a player in a period.

    `initial` are those of an unrated player by event: the games, the opponents, the score.
    """

    before: FideState
    games: int = 0
    surplus: int = 0
    initial: dict[int, list[int]] = field(default_factory=dict)

    def add(self, surplus: int) -> None:
        self.games += 1
        self.surplus += surplus

    def add_initial(self, event: int, opponent: int, score: int) -> None:
        sums = self.initial.setdefault(event, [0, 0, 0])
        for index, value in enumerate((1, opponent, score)):
            sums[index] += value

    def result(self, period: int, *, is_junior: bool) -> FidePlayer:
        before = self.before
        rule = find_k_rule(
            before.rating,
            before.games,
            has_reached_2400=before.has_reached_2400,
            is_junior=is_junior,
        )
        if not before.rating:
            return FidePlayer(before, 0, rule, False, self._initial_state(period))
        k = K_OF_RULE[rule]
        reduced = min(k, MAX_K_TIMES_GAMES // self.games) if self.games else k
        rating = before.rating + round_away(self.surplus * reduced, MILLION) * MILLI
        has_reached_2400 = before.has_reached_2400 or rating >= TOP_LEVEL
        after = FideState(rating, before.games + self.games, has_reached_2400)
        if rating < FLOOR:
            after = FideState()
        return FidePlayer(before, reduced * MILLI, rule, reduced < k, after)

    def _initial_state(self, period: int) -> FideState:
        """Return the state of an unrated player after the period."""
        if not self.initial:
            return self.before
        events = self.before.initial
        for event, sums in self.initial.items():
            events = add_event(events, InitialEvent(period, event, *sums))
        counted = count_initial(events)
        if counted.games >= INITIAL_GAMES:
            rating = initial_rating(counted.opponents, counted.score, counted.games)
            if rating >= FLOOR:
                return FideState(rating, counted.games, initial=events)
        return FideState(initial=events)


def _round_points(milli: int) -> int:
    return round_away(milli, MILLI)
