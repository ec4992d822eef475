"""Streams of results that are improbable for honest players, for officers to look at.

The results of a player are tested against expected scores by ratings. What is tested:

    below       the last 30 games up to an event, and the last 90: fewer points than expected
    above       the same games: more points than expected
    sandbagging the last 30 games before an event are below, the event itself is above
    pair        the games of two players: one gets more points from the other than expected

Ratings follow results, whatever their cause, so the ratings of these games are no measure:

- In *below*, *above* and *sandbagging*, the player counts with their rating before the first game.
- In *pair*, both count with what they achieved against others: the performance is the rating plus
  sum (S - E) / sum E (1 - E) x 400 / ln 10 points over all other games, one step of Newton's
  method. Its standard error is 400 / ln 10 points over the root of sum E (1 - E).

The p-values take the errors of these ratings into account; p is 1 where the points are near those
expected. The error of the opponents flattens each expected score (MacKay, 1992). That of the player
is the same in all games of a stream: the p-value is the mean over this error, which is normal, of
the exact probability of so few or so many wins (Poisson binomial). A draw counts in favour of the
player: as a win in a stream of few points, as a loss in one of many. The p-values of the two parts
of *sandbagging* are combined by Fisher's method: p = q (1 - ln q), q their product. Streams in
which even the most extreme results would not be improbable are no tests (Tarone, 1990).

Each kind has a quarter of the level. All its tests in a report are corrected together by Holm's
rule (1979), which holds however they depend on each other: if all players are honest, the
probability that a report contains any finding is about its level at most (about, because the errors
of ratings are estimated). A finding is no proof: an honest player may improve quickly or be ill.
"""

import math
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, NamedTuple, Self

import numpy as np

from games.rules.labels import LabelledEnum
from games.rules.messages import gettext_noop
from ratings.systems.elo import MILLI, MILLION
from ratings.systems.lists import SCORE_TEXTS
from ratings.systems.research.calibration import PER_POINT
from ratings.systems.research.poisson_binomial import Numbers, at_most

ERRORS: Final = np.arange(-8, 8.5, 0.5)
"""Errors of the player's rating in standard deviations; the mean is the trapezoidal rule's."""

WEIGHTS: Final = np.exp(-(ERRORS**2) / 2) / np.exp(-(ERRORS**2) / 2).sum()

NOTABLE: Final = 1.5
"""Standard deviations from the expected points, from which on a p-value is computed exactly."""


class FairPlayGame(NamedTuple):
    """A rated game: its number, its batch, its players, and what it was rated by.

    Ratings before the batch, their standard errors and the handicap part are in milli; the part and
    the score are those of the first seat.
    """

    game: int
    batch: int
    first: int
    second: int
    first_rating: int
    second_rating: int
    first_error: int
    second_error: int
    part: int
    score: int


class PlayedGame(NamedTuple):
    """A game of a stream, from the point of view of its player; all but numbers in milli.

    `rating` is what the player counts with. `error` is its standard error, which all games of a
    stream share, `opponent_error` that of the opponent in this game.
    """

    game: int
    batch: int
    opponent: int
    rating: float
    error: float
    opponent_rating: float
    opponent_error: float
    part: int
    score: int

    @property
    def expected(self) -> float:
        """Return the expected score by the ratings."""
        games = Columns.of([self])
        return float(games.chances(self.rating)[0])


@dataclass(frozen=True, slots=True)
class Columns:
    """Games of a player: the logarithm of the odds of a win is `base` + `slope` x their rating."""

    base: Numbers
    slope: Numbers
    score: Numbers

    @classmethod
    def of(cls, games: Sequence[PlayedGame]) -> Self:
        """Return the columns of these games."""
        offsets, errors, scores = np.array(
            [(game.part - game.opponent_rating, game.opponent_error, game.score) for game in games],
            np.float64,
        ).T
        deviations = errors / MILLI * PER_POINT
        slope = PER_POINT / MILLI / np.sqrt(1 + math.pi / 8 * deviations**2)
        return cls(offsets * slope, slope, scores / MILLION)

    def part(self, start: int, end: int) -> Self:
        """Return the columns of the games from `start` to `end`."""
        return type(self)(self.base[start:end], self.slope[start:end], self.score[start:end])

    def chances(self, rating: float | Numbers) -> Numbers:
        """Return the probability of a win in each game, with this rating in milli."""
        return _chance(self.base + self.slope * rating)

    def exchanged(self) -> Self:
        """Return the games with the results exchanged: their wins are the losses."""
        return type(self)(-self.base, -self.slope, 1 - self.score)


def seats_of(game: FairPlayGame) -> Iterator[tuple[int, PlayedGame]]:
    """Yield the player and their game, for each seat."""
    number, batch, first, second, rating, other, error, other_error, part, score = game
    yield first, PlayedGame(number, batch, second, rating, error, other, other_error, part, score)
    score = MILLION - score
    yield second, PlayedGame(number, batch, first, other, other_error, rating, error, -part, score)


def p_below(games: Columns, rating: float | Numbers, error: float) -> float:
    """Return the probability of so few points; rating and error in milli."""
    wins = np.count_nonzero(games.score)
    odds = games.base + games.slope * rating
    chances = _chance(odds[:, None] + (games.slope * error)[:, None] * ERRORS)
    return float(at_most(int(wins), chances) @ WEIGHTS)


def log_of_least(games: Columns, rating: float | Numbers) -> float:
    """Return the logarithm of the probability of losing every game."""
    return float(np.log1p(-games.chances(rating)).sum())


def is_notable(games: Columns, rating: float | Numbers, error: float) -> bool:
    """Return True if the points are `NOTABLE` standard deviations fewer than expected, or more."""
    chances = games.chances(rating)
    variances = chances * (1 - chances)
    slope = float((games.slope * variances).sum())
    deviation = math.sqrt(float(variances.sum()) + (error * slope) ** 2)
    surplus = np.count_nonzero(games.score) - float(chances.sum())
    return bool(surplus <= -NOTABLE * deviation)


def sum_up(games: Columns, ratings: Numbers) -> tuple[float, float]:
    """Return sum (S - E) and sum E (1 - E)."""
    chances = games.chances(ratings)
    return float((games.score - chances).sum()), float((chances * (1 - chances)).sum())


def _chance(odds: Numbers) -> Numbers:
    return np.exp(-np.logaddexp(0, -odds))


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


SIGNIFICANCE_LEVEL: Final = 0.01
SETTLED_FROM: Final = 30
"""The rated games of a player before the first that is tested.

With fewer, ratings are still near their start, and strong and weak players alike are improbable.
"""

MOST_FAIR_PLAY_GAMES: Final = 200_000
"""The last games that are tested; they bound the memory."""


@dataclass(frozen=True, slots=True)
class FairPlayFinding:
    """An improbable stream: its games in order, and its p-value after Holm's correction."""

    test: StreamTest
    adjusted: float
    games: tuple[PlayedGame, ...]


@dataclass(frozen=True, slots=True)
class FairPlayReport:
    """The improbable streams, least probable first.

    Of the streams of one kind of a player, or of a pair, the least probable one is contained.
    """

    level: float
    tests: int
    findings: tuple[FairPlayFinding, ...]


def review_games(
    games: Iterable[FairPlayGame], *, level: float = SIGNIFICANCE_LEVEL
) -> FairPlayReport:
    """Test all streams of the last `MOST_FAIR_PLAY_GAMES`, in the order of their batches."""
    streams: dict[int, list[PlayedGame]] = defaultdict(list)
    for game in deque(games, maxlen=MOST_FAIR_PLAY_GAMES):
        for player, seat in seats_of(game):
            streams[player].append(seat)
    players = {player: TestedPlayer(player, games) for player, games in streams.items()}
    tests = [test for player in players.values() for test in player.test_windows()]
    tests += [test for player in players.values() for test in player.test_pairs(players)]
    findings: dict[tuple[FindingKind, int, int | None], FairPlayFinding] = {}
    for test, adjusted in _correct(tests):
        key = test.kind, test.player, test.opponent
        if adjusted <= level and key not in findings:
            findings[key] = FairPlayFinding(
                test, adjusted, players[test.player].games_of(test, players)
            )
    return FairPlayReport(level, len(tests), tuple(findings.values()))


def _correct(tests: Iterable[StreamTest]) -> Iterator[tuple[StreamTest, float]]:
    """Yield the tests with their adjusted p-values, the least probable first.

    Holm's rule corrects the tests of each kind, which has an equal share of the level.
    """
    by_kind: dict[FindingKind, list[StreamTest]] = {kind: [] for kind in FindingKind}
    for test in tests:
        by_kind[test.kind].append(test)
    found = []
    for same_kind in by_kind.values():
        same_kind.sort(key=lambda test: test.p)
        adjusted = 0.0
        for place, test in enumerate(same_kind):
            factor = len(FindingKind) * (len(same_kind) - place)
            adjusted = max(adjusted, min(factor * test.p, 1.0))
            found.append((test, adjusted))
    yield from sorted(found, key=itemgetter(1))


FAIR_PLAY_NOTE: Final = (
    "For rating officers. A finding is improbable for an honest player and proves nothing: a "
    f"player may improve quickly or be ill. The last {MOST_FAIR_PLAY_GAMES} games are tested. `p` "
    "is the exact probability of such results, as the mean over the error of the player's rating, "
    "which is normal with the standard deviation `error`. `adjusted` is the one after Holm's "
    "correction for all tests of its kind, which has a quarter of the level. If all players are "
    "honest, the probability that a report contains any finding is about its level at most."
)

FINDING_COLUMNS: Final = ("finding", "kind", "player", "p", "adjusted", "error")
FAIR_PLAY_GAME_COLUMNS: Final = (
    "game", "batch", "opponent", "rating", "opponent_rating", "opponent_error", "handicap_part",
    "expected", "tested", "result",
)  # fmt: skip


def report_as_json(report: FairPlayReport) -> dict[str, Any]:
    """Return a report as JSON; ratings in points."""
    return {
        "level": report.level,
        "rule": "Holm",
        "tests": report.tests,
        "note": FAIR_PLAY_NOTE,
        "findings": list(map(_finding_as_json, report.findings)),
    }


def report_rows(report: Mapping[str, Any]) -> Iterator[Sequence[Any]]:
    """Yield the header, and a row for each game of each finding."""
    yield (*FINDING_COLUMNS, *FAIR_PLAY_GAME_COLUMNS)
    for number, finding in enumerate(report["findings"], 1):
        start = [number, *(finding[name] for name in FINDING_COLUMNS[1:])]
        for game in finding["games"]:
            yield [*start, *(game[name] for name in FAIR_PLAY_GAME_COLUMNS)]


def _finding_as_json(finding: FairPlayFinding) -> dict[str, Any]:
    test = finding.test
    return {
        "kind": test.kind.value,
        "player": test.player,
        "opponent": test.opponent,
        "batch": test.event,
        "p": float(f"{test.p:.3g}"),
        "adjusted": float(f"{finding.adjusted:.3g}"),
        "error": round(finding.games[0].error / MILLI, 3),
        "games": [_game_as_json(test, game) for game in finding.games],
    }


def _game_as_json(test: StreamTest, game: PlayedGame) -> dict[str, Any]:
    """Return a game with its expected score by the ratings."""
    is_before = test.kind is FindingKind.SANDBAGGING and game.batch != test.event
    is_below = is_before or test.kind is FindingKind.BELOW
    return {
        "game": game.game,
        "batch": game.batch,
        "opponent": game.opponent,
        "rating": round(game.rating / MILLI, 3),
        "opponent_rating": round(game.opponent_rating / MILLI, 3),
        "opponent_error": round(game.opponent_error / MILLI, 3),
        "handicap_part": game.part / MILLI,
        "expected": round(game.expected, 6),
        "tested": "below" if is_below else "above",
        "result": SCORE_TEXTS[game.score],
    }
