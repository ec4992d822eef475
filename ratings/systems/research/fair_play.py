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

The p-values take the errors of these ratings into account (fair_play_streams.py); p is 1 where the
points are near those expected. Those of the two parts of *sandbagging* are combined by Fisher's
method: p = q (1 - ln q), q their product. Streams in which even the most extreme results would not
be improbable are no tests (Tarone, 1990).

Each kind has a quarter of the level. All its tests in a report are corrected together by Holm's
rule (1979), which holds however they depend on each other: if all players are honest, the
probability that a report contains any finding is about its level at most (about, because the errors
of ratings are estimated). A finding is no proof: an honest player may improve quickly or be ill.
"""

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from operator import itemgetter
from typing import Final

from ratings.systems.research.fair_play_streams import FairPlayGame, PlayedGame, seats_of
from ratings.systems.research.fair_play_tests import FindingKind, StreamTest, TestedPlayer

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
