"""Streams of results that are improbable for honest players, for officers to look at.

The results of a player are tested against expected scores by ratings. What is tested:

    below       the last 30 games up to an event: fewer points than expected
    above       the same games: more points than expected
    sandbagging the last 30 games before an event are below, the event itself is above
    pair        the games of two players: one gets more points from the other than expected

Ratings follow results, whatever their cause, so the ratings of these games are no measure:

- In *below*, *above* and *sandbagging*, the player counts with their rating before the first game.
- In *pair*, both count with what they achieved against others: the performance is the rating plus
  sum (S - E) / sum E (1 - E) x 400 / ln 10 points over all other games, one step of Newton's
  method.

The error of these ratings is allowed for in favour of the player: the difference is moved by its
standard error towards the results. That of two Elo ratings in equilibrium is the root of
(K + K') x 200 / ln 10; that of a performance is 400 / ln 10 points over the root of sum E (1 - E).
A draw counts as a win in *below*, and as a loss elsewhere.

The p-value is the exact probability of so few or so many wins (Poisson binomial). Those of the two
parts of *sandbagging* are combined by Fisher's method: p = q (1 - ln q), q their product. All tests
of a report are corrected together by Holm's rule (1979), which holds however they depend on each
other: if all players are honest, the probability that a report contains any finding is about its
level at most (about, because the errors of ratings are estimated). A finding is no proof: an honest
player may improve quickly or be ill.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple, TypeAlias

from ratings.systems.calibration import PER_POINT
from ratings.systems.elo import LOSS, MILLI, MILLION, WIN
from ratings.systems.poisson_binomial import at_least, at_most
from ratings.systems.uncertainty import VARIANCE_OF_K

LEVEL: Final = 0.01
MIN_GAMES: Final = 5
"""Shorter streams are not tested; the number of games does not depend on the results."""

LENGTH: Final = 30
"""The number of games of a stream."""

SETTLED_FROM: Final = 30
"""The rated games of a player before the first that is tested.

With fewer, ratings are still near their start, and strong and weak players alike are improbable.
"""


class FindingKind(Enum):
    """What is improbable about a stream."""

    BELOW = "below"
    ABOVE = "above"
    SANDBAGGING = "sandbagging"
    PAIR = "pair"


class FairPlayGame(NamedTuple):
    """A rated game: its number, its batch, its players, and what it was rated by.

    Ratings before the batch, K and the handicap part are in milli; the part and the score are those
    of the first seat.
    """

    game: int
    batch: int
    first: int
    second: int
    first_rating: int
    second_rating: int
    first_k: int
    second_k: int
    part: int
    score: int


class PlayedGame(NamedTuple):
    """A game of a stream, from the point of view of its player; all but numbers in milli.

    `rating` is what the player counts with, `margin` the standard error of the difference.
    """

    game: int
    batch: int
    opponent: int
    rating: float
    opponent_rating: float
    part: int
    margin: float
    score: int

    @property
    def expected(self) -> float:
        """Return the expected score by the ratings."""
        return self._expected(0)

    @property
    def lowest_expected(self) -> float:
        """Return the expected score if the player is weaker, by the error of the ratings."""
        return self._expected(-self.margin)

    @property
    def highest_expected(self) -> float:
        """Return the expected score if the player is stronger, by the error of the ratings."""
        return self._expected(self.margin)

    def _expected(self, error: float) -> float:
        points = (self.rating - self.opponent_rating + self.part + error) / MILLI
        return 1 / (1 + math.exp(-max(min(points * PER_POINT, 500.0), -500.0)))


Stream: TypeAlias = Sequence[PlayedGame]


@dataclass(frozen=True, slots=True)
class StreamTest:
    """A tested stream of a player, in order, and its p-value.

    `opponent` is that of a pair. `event` is the batch up to which the stream goes; in sandbagging,
    its games are those that are above.
    """

    kind: FindingKind
    player: int
    games: tuple[PlayedGame, ...]
    p: float
    opponent: int | None = None
    event: int | None = None


@dataclass(frozen=True, slots=True)
class FairPlayReport:
    """The improbable streams, least probable first, with their p-values adjusted by Holm's rule.

    Of the streams of one kind of a player, or of a pair, the least probable one is contained.
    """

    level: float
    tests: int
    findings: tuple[tuple[StreamTest, float], ...]


def review_games(games: Iterable[FairPlayGame], *, level: float = LEVEL) -> FairPlayReport:
    """Test all streams of games, which are in the order of their batches."""
    streams: dict[int, list[PlayedGame]] = defaultdict(list)
    for game in games:
        for player, seat in _seats(game):
            streams[player].append(seat)
    tests = [test for player, stream in streams.items() for test in _test_windows(player, stream)]
    tests += _test_pairs(streams)
    tests.sort(key=lambda test: test.p)

    findings: dict[tuple[FindingKind, int, int | None], tuple[StreamTest, float]] = {}
    adjusted = 0.0
    for place, test in enumerate(tests):
        adjusted = max(adjusted, min((len(tests) - place) * test.p, 1.0))
        if adjusted > level:
            break
        findings.setdefault((test.kind, test.player, test.opponent), (test, adjusted))
    return FairPlayReport(level, len(tests), tuple(findings.values()))


def p_below(games: Stream) -> float:
    """Return the probability of so few points, in favour of the player."""
    wins = sum(game.score > LOSS for game in games)
    return at_most(wins, [game.lowest_expected for game in games])


def p_above(games: Stream) -> float:
    """Return the probability of so many points, in favour of the player."""
    wins = sum(game.score == WIN for game in games)
    return at_least(wins, [game.highest_expected for game in games])


def _seats(game: FairPlayGame) -> Iterator[tuple[int, PlayedGame]]:
    number, batch, first, second, rating, opponent_rating, k, opponent_k, part, score = game
    margin = math.sqrt((k + opponent_k) / MILLI * VARIANCE_OF_K) * MILLI
    yield first, PlayedGame(number, batch, second, rating, opponent_rating, part, margin, score)
    yield (
        second,
        PlayedGame(number, batch, first, opponent_rating, rating, -part, margin, MILLION - score),
    )


def _test_windows(player: int, stream: Stream) -> Iterator[StreamTest]:
    """Yield the tests of the games up to each event of a player."""
    start = 0
    while start < len(stream):
        event = stream[start].batch
        end = start
        while end < len(stream) and stream[end].batch == event:
            end += 1
        window = _with_first_rating(stream[max(end - LENGTH, 0) : end])
        if len(window) >= MIN_GAMES:
            for kind, p in (
                (FindingKind.BELOW, p_below(window)),
                (FindingKind.ABOVE, p_above(window)),
            ):
                yield StreamTest(kind, player, window, p, event=event)
        if min(start, end - start) >= MIN_GAMES:
            before = min(start, LENGTH)
            window = _with_first_rating(stream[start - before : end])
            product = p_below(window[:before]) * p_above(window[before:])
            p = product * (1 - math.log(product)) if product else 0.0
            yield StreamTest(FindingKind.SANDBAGGING, player, window, p, event=event)
        start = end


def _with_first_rating(games: Stream) -> tuple[PlayedGame, ...]:
    """Return games in which the player counts with their rating before the first of them."""
    return tuple(game._replace(rating=games[0].rating) for game in games)


def _test_pairs(streams: dict[int, list[PlayedGame]]) -> Iterator[StreamTest]:
    """Yield the tests of the games of each pair, for both players."""
    totals = {player: _sum_up(stream) for player, stream in streams.items()}
    for player, stream in streams.items():
        pairs: dict[int, list[PlayedGame]] = defaultdict(list)
        for game in stream:
            pairs[game.opponent].append(game)
        for opponent, games in pairs.items():
            surplus, information = _sum_up(games)
            own = totals[player][0] - surplus, totals[player][1] - information
            other = totals[opponent][0] + surplus, totals[opponent][1] - information
            if len(games) < MIN_GAMES or min(own[1], other[1]) < 1:
                continue  # 1 is the information of four games: too little is known from others
            margin = math.sqrt(1 / own[1] + 1 / other[1]) / PER_POINT * MILLI
            corrected = tuple(
                game._replace(
                    rating=game.rating + own[0] / own[1] / PER_POINT * MILLI,
                    opponent_rating=game.opponent_rating + other[0] / other[1] / PER_POINT * MILLI,
                    margin=margin,
                )
                for game in games
            )
            yield StreamTest(FindingKind.PAIR, player, corrected, p_above(corrected), opponent)


def _sum_up(games: Stream) -> tuple[float, float]:
    """Return sum (S - E) and sum E (1 - E)."""
    expected = [game.expected for game in games]
    surplus = sum(game.score / MILLION for game in games) - sum(expected)
    return surplus, sum(chance * (1 - chance) for chance in expected)
