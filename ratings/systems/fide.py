"""FIDE's rating system (Rating Regulations, B.02, effective 1 March 2024), in whole numbers.

All games of a rating period, a calendar month, are rated on the ratings before it (7.1). The units
are those of `elo.py`; every rating is a whole number of points.

    E        the printed table 8.1.2; a difference above 400 points counts as 400 for a player below
             2650 (8.3.1, as amended on 1 October 2025; here in every period)
    K        10 once a rating of 2400 was reached; else 40 before 30 games, and until the end of the
             year of the 18th birthday below 2300; else 20 (8.3.3)
    K x n    at most 700 for the n games of a period: K is reduced to the largest whole number
    change   the sum of (score - E) x K, rounded once to whole points, half away from zero (8.3.4)

An unrated player gets a rating when five games against rated opponents have been played (7.1.4):
the mean rating of these opponents and of two hypothetical ones rated 1800, plus the difference of
table 8.1.1 for the score with draws against these two, at most 2200 (8.2). A game against an
unrated opponent changes no rating. A handicap changes the difference, and the rating at which an
unrated player's opponent counts.

A player whose rating falls below 1400 is unrated from the next period on, and starts again like any
other unrated player (7.2.1). A first rating below 1400 is not published (7.1.4): the games remain,
and the player is unrated until a rating from all of them reaches 1400. A rating from elsewhere that
is below 1400 does not count.

Not applied: the 26 months within which the first five games must be played (7.1.4), and that a
first event without a point is disregarded (8.2.1). A state has only the sums over the games of an
unrated player, without their dates and events.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Generic, NamedTuple

from ratings.systems.elo import DRAW, MILLI, MILLION, P, RatedGame, RatingChange, RatingError
from ratings.systems.fide_k import K_OF_RULE, TOP_LEVEL, KRule, find_k_rule
from ratings.systems.fide_tables import difference_of, expected_percent

LIMIT = 400
MAX_K_TIMES_GAMES = 700
INITIAL_GAMES = 5
HYPOTHETICAL_GAMES, HYPOTHETICAL_RATING = 2, 1800 * MILLI
HIGHEST_INITIAL, FLOOR = 2200 * MILLI, 1400 * MILLI
WITHOUT_LIMIT = 2650 * MILLI


@dataclass(frozen=True, slots=True)
class Fide:
    """The parameters of the system.

    `limit_400` is 1 if larger differences count as 400 for players below 2650, 0 for no player.
    """

    limit_400: int = 1


class FideState(NamedTuple):
    """A player between two periods; the rating is zero while the player is unrated.

    `games` are the rated games. While the player is unrated, these are the games against rated
    opponents, `opponents` is the sum of the ratings of these and `score` the sum of the scores.
    """

    rating: int = 0
    games: int = 0
    has_reached_2400: bool = False
    opponents: int = 0
    score: int = 0


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


def repeat_change(
    state: FideState, before: int, opponent: int, part: int, score: int, after: int
) -> FideState:
    """Return the state after a game of which `changes` recorded these values.

    `before` and `opponent` are the ratings of the player and the opponent before, `part` the
    handicap part that helps the player, `after` the player's rating after the period. The state is
    complete after all changes of the period.
    """
    if before and not after:
        return FideState()  # the rating fell below the floor
    _, games, has_reached_2400, opponents, points = state
    games += opponent > 0
    if after:
        return FideState(after, games, has_reached_2400 or after >= TOP_LEVEL)
    if opponent:
        opponents, points = opponents + opponent - part, points + score
    return FideState(0, games, has_reached_2400, opponents, points)


def rate_period(
    states: Mapping[P, FideState],
    games: Iterable[RatedGame[P]],
    fide: Fide,
    *,
    juniors: Collection[P] = frozenset(),
) -> RatedPeriod[P]:
    """Rate the games of one period on the states before it; `states` is not modified.

    A player who is not in `states` is unrated. Raises RatingError if a player plays against
    themselves.
    """
    unrated = FideState()
    totals: dict[P, _Total] = {}
    rated: list[tuple[RatedGame[P], int, int]] = []
    for game in games:
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
            own.add_initial(other.before.rating - part, score)
        elif own.before.rating:
            other.add_initial(own.before.rating + part, MILLION - score)
        rated.append((game, expected, other_expected))
    return RatedPeriod(
        {player: total.result(is_junior=player in juniors) for player, total in totals.items()},
        rated,
    )


def expected_score(difference: int, fide: Fide, *, rating: int) -> int:
    """Return the expected score in millionths of a player with this rating in milli (8.1.2, 8.3.1).

    The difference is in points.
    """
    if fide.limit_400 and rating < WITHOUT_LIMIT:
        difference = max(-LIMIT, min(LIMIT, difference))
    return expected_percent(difference) * (MILLION // 100)


def initial_rating(opponents: int, score: int, games: int) -> int:
    """Return the rating of an unrated player from the sums over their games (8.2)."""
    games += HYPOTHETICAL_GAMES
    opponents += HYPOTHETICAL_GAMES * HYPOTHETICAL_RATING
    score += HYPOTHETICAL_GAMES * DRAW
    percent = _round_away(100 * score, games * MILLION)
    points = _round_away(opponents + difference_of(percent) * MILLI * games, games * MILLI)
    return min(HIGHEST_INITIAL, points * MILLI)


@dataclass(slots=True)
class _Total:
    """The sums over the games of a player in a period."""

    before: FideState
    games: int = 0
    surplus: int = 0
    opponents: int = 0
    score: int = 0

    def add(self, surplus: int) -> None:
        self.games += 1
        self.surplus += surplus

    def add_initial(self, opponent: int, score: int) -> None:
        self.games += 1
        self.opponents += opponent
        self.score += score

    def result(self, *, is_junior: bool) -> FidePlayer:
        before = self.before
        games = before.games + self.games
        rule = find_k_rule(
            before.rating,
            before.games,
            has_reached_2400=before.has_reached_2400,
            is_junior=is_junior,
        )
        k = K_OF_RULE[rule]
        if not before.rating:
            opponents, score = before.opponents + self.opponents, before.score + self.score
            after = FideState(0, games, before.has_reached_2400, opponents, score)
            if games >= INITIAL_GAMES:
                rating = initial_rating(opponents, score, games)
                after = FideState(rating, games) if rating >= FLOOR else after
            return FidePlayer(before, 0, rule, False, after)
        reduced = min(k, MAX_K_TIMES_GAMES // self.games) if self.games else k
        change = _round_away(self.surplus * reduced, MILLION)
        rating = before.rating + change * MILLI
        after = FideState(rating, games, before.has_reached_2400 or rating >= TOP_LEVEL)
        if rating < FLOOR:
            after = FideState()
        return FidePlayer(before, reduced * MILLI, rule, reduced < k, after)


def _round_points(milli: int) -> int:
    return _round_away(milli, MILLI)


def _round_away(numerator: int, denominator: int) -> int:
    """Round to the nearest whole number, a half away from zero."""
    rounded = (2 * abs(numerator) + denominator) // (2 * denominator)
    return rounded if numerator >= 0 else -rounded
