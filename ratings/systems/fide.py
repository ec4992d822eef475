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

The printed tables 8.1.1 (a score as a rating difference) and 8.1.2 (a rating difference as an
expected score) are in whole per cent and whole points, and symmetrical about 50 per cent.

The games of an unrated player against rated opponents are summed by event. A casual game is an
event of its own, so a lost one can be the first event. FIDE knows no such game: it rates
tournaments, and no match with an unrated player (6.1). A pool that rates casual games counts them
towards first ratings nevertheless, because nobody could get one there otherwise, and 8.2.1 then
applies to them as to all events. A pool without casual games follows 6.1.
"""

from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Generic, NamedTuple

from ratings.systems.elo import DRAW, MILLI, MILLION, P, RatedGame, RatingChange, RatingError

# fmt: off
# The largest difference with an expected score of 50, 51, ... 99 per cent for the stronger player.
LARGEST_DIFFERENCES = (
    3, 10, 17, 25, 32, 39, 46, 53, 61, 68, 76, 83, 91, 98, 106, 113, 121, 129, 137, 145, 153, 162,
    170, 179, 188, 197, 206, 215, 225, 235, 245, 256, 267, 278, 290, 302, 315, 328, 344, 357, 374,
    391, 411, 432, 456, 484, 517, 559, 619, 735,
)
# The difference that corresponds to a score of 50, 51, ... 100 per cent.
DIFFERENCE_OF_SCORE = (
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149, 158,
    166, 175, 184, 193, 202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336, 351, 366,
    383, 401, 422, 444, 470, 501, 538, 589, 677, 800,
)
# fmt: on
CERTAIN_DIFFERENCE = LARGEST_DIFFERENCES[-1] + 1
FULL_SCORE_DIFFERENCE = DIFFERENCE_OF_SCORE[-1]


def expected_percent(difference: int) -> int:
    """Return the expected score in per cent of a player rated `difference` above the opponent."""
    stronger = 50 + bisect_left(LARGEST_DIFFERENCES, abs(difference))
    return stronger if difference >= 0 else 100 - stronger


def difference_of(percent: int) -> int:
    """Return the rating difference that corresponds to a score in per cent."""
    if percent >= 50:
        return DIFFERENCE_OF_SCORE[percent - 50]
    return -DIFFERENCE_OF_SCORE[50 - percent]


NEW_PLAYER_GAMES = 30
JUNIOR_AGE, JUNIOR_BELOW = 18, 2300 * MILLI
TOP_LEVEL = 2400 * MILLI


class KRule(StrEnum):
    """Why a player has their K in a period, in words."""

    UNRATED = "unrated before the period"
    TOP = "the rating has reached 2400"
    NEW = "fewer than 30 games before the period"
    JUNIOR = "under 18 and below 2300"
    STANDARD = "30 games or more, never 2400"


K_OF_RULE = {KRule.UNRATED: 0, KRule.TOP: 10, KRule.NEW: 40, KRule.JUNIOR: 40, KRule.STANDARD: 20}


def is_junior(birth_year: int, year: int) -> bool:
    """Return True until the end of the year of the 18th birthday (8.3.3)."""
    return year - birth_year <= JUNIOR_AGE


def find_k_rule(rating: int, games: int, *, has_reached_2400: bool, is_junior: bool) -> KRule:
    """Return the rule for a player with this rating and these games before a period."""
    if not rating:
        return KRule.UNRATED
    if has_reached_2400:
        return KRule.TOP
    if games < NEW_PLAYER_GAMES:
        return KRule.NEW
    return KRule.JUNIOR if is_junior and rating < JUNIOR_BELOW else KRule.STANDARD


INITIAL_PERIODS = 26
HYPOTHETICAL_GAMES, HYPOTHETICAL_RATING = 2, 1800 * MILLI
HIGHEST_INITIAL = 2200 * MILLI


class InitialEvent(NamedTuple):
    """The games of an unrated player against rated opponents in an event.

    `period` is the number of the rating period, `event` that of the event, `opponents` the sum of
    the ratings of the opponents, in milli, and `score` that of the scores, in millionths.
    """

    period: int
    event: int
    games: int = 0
    opponents: int = 0
    score: int = 0


InitialEvents = tuple[InitialEvent, ...]
"""The first event of a player and the later ones that can still count, in their order."""


def add_event(events: InitialEvents, new: InitialEvent) -> InitialEvents:
    """Return the events with that of some further games, which is new or the last one."""
    first, *later = (*events, new)
    if not later:
        return (first,)
    *later, last = later
    before = later[-1] if later else first
    if before[:2] == last[:2]:
        both = zip(before[2:], last[2:], strict=True)
        last = InitialEvent(*last[:2], *(one + other for one, other in both))
        if not later:
            return (last,)
        later = later[:-1]
    recent = [event for event in later if last.period - event.period < INITIAL_PERIODS]
    return first, *recent, last


def count_initial(events: InitialEvents) -> InitialEvent:
    """Return the sums over the events that count; the period and the event are the last ones."""
    first, last = events[0], events[-1]
    counted = [
        event
        for event in events
        if last.period - event.period < INITIAL_PERIODS and not (event is first and not event.score)
    ]
    return InitialEvent(*last[:2], *(sum(event[i] for event in counted) for i in (2, 3, 4)))


def initial_rating(opponents: int, score: int, games: int) -> int:
    """Return the rating of an unrated player from the sums over their games (8.2)."""
    games += HYPOTHETICAL_GAMES
    opponents += HYPOTHETICAL_GAMES * HYPOTHETICAL_RATING
    score += HYPOTHETICAL_GAMES * DRAW
    percent = round_away(100 * score, games * MILLION)
    points = round_away(opponents + difference_of(percent) * MILLI * games, games * MILLI)
    return min(HIGHEST_INITIAL, points * MILLI)


def round_away(numerator: int, denominator: int) -> int:
    """Round to the nearest whole number, a half away from zero."""
    rounded = (2 * abs(numerator) + denominator) // (2 * denominator)
    return rounded if numerator >= 0 else -rounded


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


def start_rated(rating: int, games: int = 0, *, has_reached_2400: bool = False) -> FideState:
    """Return the state of a player with a rating from elsewhere, which is rounded to points.

    `games` are the rated games before; the rating may have reached 2400 at an earlier time.
    """
    rating = _round_points(rating) * MILLI
    if rating < FLOOR:
        return FideState()
    return FideState(rating, games, has_reached_2400 or rating >= TOP_LEVEL)


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


def repeat_change(
    state: FideState,
    before: int,
    opponent: int,
    part: int,
    score: int,
    after: int,
    *,
    period: int,
    event: int,
) -> FideState:
    """Return the state after a game of which `changes` recorded these values.

    `before` and `opponent` are the ratings of the player and the opponent before, `part` the
    handicap part that helps the player, `after` the player's rating after the period; `period` and
    `event` are those of the game. The state is complete after all changes of the period.
    """
    if before and not after:
        return FideState()  # the rating fell below the floor
    if before:
        has_reached_2400 = state.has_reached_2400 or after >= TOP_LEVEL
        return FideState(after, state.games + (opponent > 0), has_reached_2400)
    if not opponent:
        return state
    events = add_event(state.initial, InitialEvent(period, event, 1, opponent - part, score))
    return FideState(after, count_initial(events).games if after else 0, initial=events)


def read_state(values: Sequence[Any]) -> FideState:
    """Return the state with these values, in which JSON has made lists of the events."""
    *numbers, initial = values
    return FideState._make([*numbers, tuple(map(InitialEvent._make, initial))])
