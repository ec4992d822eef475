"""The tests of a player's results: streams up to an event, sandbagging, and pairs.

What is tested, and how p-values are corrected, is stated in fair_play.py.
"""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final, NamedTuple, Self

import numpy as np

from games.rules.labels import LabelledEnum
from games.rules.messages import gettext_noop
from ratings.systems.elo import MILLI
from ratings.systems.research.calibration import PER_POINT
from ratings.systems.research.fair_play_streams import (
    Columns,
    PlayedGame,
    is_notable,
    log_of_least,
    p_below,
    sum_up,
)

LEAST_TESTED_GAMES: Final = 5
"""Shorter streams are not tested."""

LEAST_P: Final = math.log(1e-5)
"""Streams whose most extreme results are more probable than this are not tested.

This does not depend on the results.
"""

RETEST_GAMES: Final = 15
"""The games after which a stream of so many games is tested again."""

LENGTHS: Final = (30, 90)
"""The numbers of games of the streams: short and strong effects, and longer and weaker ones."""


class FindingKind(LabelledEnum):
    """What is improbable about a stream."""

    BELOW = "below", gettext_noop("fewer points than expected")
    ABOVE = "above", gettext_noop("more points than expected")
    SANDBAGGING = "sandbagging", gettext_noop("fewer points before an event, more in it")
    PAIR = "pair", gettext_noop("more points from one opponent than expected")


class StreamTest(NamedTuple):
    """A tested stream of a player and its p-value; `start` and `end` are places among their games.

    `event` is the batch up to which the stream goes; in sandbagging, its games are those that are
    above. A pair has the opponent instead.
    """

    p: float
    kind: FindingKind
    player: int
    start: int = 0
    end: int = 0
    event: int | None = None
    opponent: int | None = None


class TestedPlayer:
    """A player with their games in order."""

    def __init__(self, number: int, games: list[PlayedGame]) -> None:
        self.number = number
        self.games = games
        self.columns = Columns.of(games)
        self.ratings = np.array([game.rating for game in games], np.float64)
        self.total = sum_up(self.columns, self.ratings)

    def test_windows(self) -> Iterator[StreamTest]:
        """Yield the tests of the games up to each event."""
        tested = dict.fromkeys(LENGTHS, 0)
        for start, end in self._events():
            event = self.games[start].batch
            firsts = {max(end - length, 0): length for length in reversed(LENGTHS)}
            for first, length in firsts.items():
                if end - tested[length] < RETEST_GAMES:
                    continue
                window = self.columns.part(first, end)
                for kind, games in (
                    (FindingKind.BELOW, window),
                    (FindingKind.ABOVE, window.exchanged()),
                ):
                    if self._least(games, first) <= LEAST_P:
                        tested[length] = end
                        p = self._p(games, first)
                        yield StreamTest(p, kind, self.number, first, end, event)
            if min(start, end - start) >= LEAST_TESTED_GAMES:
                first = max(start - LENGTHS[0], 0)
                before = self.columns.part(first, start)
                own = self.columns.part(start, end).exchanged()
                if self._least(before, first) + self._least(own, first) <= LEAST_P:
                    product = self._p(before, first) * self._p(own, first)
                    p = product * (1 - math.log(product)) if product else 0.0
                    yield StreamTest(p, FindingKind.SANDBAGGING, self.number, first, end, event)

    def test_pairs(self, players: Mapping[int, Self]) -> Iterator[StreamTest]:
        """Yield the tests of the games against each opponent."""
        by_opponent: dict[int, list[PlayedGame]] = defaultdict(list)
        for game in self.games:
            by_opponent[game.opponent].append(game)
        for opponent, own in by_opponent.items():
            games = (
                self._corrected(own, players[opponent]) if len(own) >= LEAST_TESTED_GAMES else ()
            )
            if not games:
                continue
            ratings = np.array([game.rating for game in games])
            exchanged = Columns.of(games).exchanged()
            if log_of_least(exchanged, ratings) <= LEAST_P:
                p = p_below(exchanged, ratings, games[0].error)
                yield StreamTest(p, FindingKind.PAIR, self.number, opponent=opponent)

    def games_of(self, test: StreamTest, players: Mapping[int, Self]) -> tuple[PlayedGame, ...]:
        """Return the games of a test, with what the players count with in it."""
        if test.opponent is not None:
            games = [game for game in self.games if game.opponent == test.opponent]
            return self._corrected(games, players[test.opponent])
        first = self.games[test.start]
        return tuple(
            game._replace(rating=first.rating, error=first.error)
            for game in self.games[test.start : test.end]
        )

    def _events(self) -> Iterator[tuple[int, int]]:
        """Yield where the games of each event begin and end."""
        start = 0
        for _, games in groupby(self.games, key=lambda game: game.batch):
            end = start + sum(1 for _ in games)
            yield start, end
            start = end

    def _least(self, games: Columns, first: int) -> float:
        return log_of_least(games, self.games[first].rating)

    def _p(self, games: Columns, first: int) -> float:
        """Return the p-value of few points with the rating before the first game."""
        rating, error = self.games[first].rating, self.games[first].error
        return p_below(games, rating, error) if is_notable(games, rating, error) else 1.0

    def _corrected(self, games: Sequence[PlayedGame], opponent: Self) -> tuple[PlayedGame, ...]:
        """Return all games against an opponent, with what both achieved against others.

        Empty if that is not known from four games at least, which have an information of 1.
        """
        surplus, information = sum_up(
            Columns.of(games), np.array([game.rating for game in games], np.float64)
        )
        own = self.total[0] - surplus, self.total[1] - information
        other = opponent.total[0] + surplus, opponent.total[1] - information
        if min(own[1], other[1]) < 1:
            return ()
        return tuple(
            game._replace(
                rating=game.rating + own[0] / own[1] / PER_POINT * MILLI,
                opponent_rating=game.opponent_rating + other[0] / other[1] / PER_POINT * MILLI,
                error=math.sqrt(1 / own[1] + 1 / other[1]) / PER_POINT * MILLI,
                opponent_error=0,
            )
            for game in games
        )
