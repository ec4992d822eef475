"""Improbable streams of results: planted cases are found, honest players are not accused."""

import math
from collections.abc import Callable
from random import Random

import pytest

from ratings.systems.elo import DRAW, LOSS, MILLI, WIN, PlayerState, RatedGame, rate_batch
from ratings.systems.intervals import deviation_of
from ratings.systems.presets import PRESETS
from ratings.systems.research.fair_play import (
    NOTABLE,
    SETTLED_FROM,
    Columns,
    FairPlayGame,
    FairPlayReport,
    FindingKind,
    PlayedGame,
    StreamTest,
    is_notable,
    p_below,
    review_games,
)

BELOW, ABOVE, SANDBAGGING, PAIR = FindingKind
CHEAT, PARTNER = 0, 1
FIRST_HALF, EVENTS, ROUNDS = 15, 30, 6

Chance = Callable[[int, int, int, float], float]
"""The probability that the first of two players wins in an event, from that of honest players."""


def honest(_event: int, _first: int, _second: int, chance: float) -> float:
    return chance


def sandbag(event: int, first: int, second: int, chance: float) -> float:
    """Let the cheat lose all games of five events, and win most of those of the next one."""
    if CHEAT not in (first, second) or not FIRST_HALF <= event <= FIRST_HALF + 5:
        return chance
    wins = 0.97 if event == FIRST_HALF + 5 else 0.0
    return wins if first == CHEAT else 1 - wins


def lose_most(event: int, first: int, second: int, chance: float) -> float:
    """Let the cheat lose nine of ten games that they would win, after the first half."""
    if CHEAT not in (first, second) or event < FIRST_HALF:
        return chance
    return 0.1 * chance if first == CHEAT else 1 - 0.1 * (1 - chance)


def feed(_event: int, first: int, second: int, chance: float) -> float:
    """Let the partner lose every game against the cheat."""
    if {first, second} != {CHEAT, PARTNER}:
        return chance
    return 1.0 if first == CHEAT else 0.0


def simulate(
    seed: int, chance_of: Chance = honest, *, players: int = 24, drift: float = 3.0
) -> list[FairPlayGame]:
    """Return the games of players whose strength drifts, with the ratings of the engine.

    The partners meet once in each event. Games of players whose rating is not settled are left out.
    """
    random, elo = Random(seed), PRESETS["decay"]
    strengths = [1500.0, 1500.0, *(random.gauss(1500, 200) for _ in range(players - 2))]
    states = {player: PlayerState(elo.start * MILLI, 0) for player in range(players)}
    found: list[FairPlayGame] = []
    for event in range(EVENTS):
        rated = []
        for number in range(ROUNDS):
            order = random.sample(range(players), players)
            if number == 0:
                rest = [player for player in order if player not in (CHEAT, PARTNER)]
                order = [CHEAT, PARTNER, *rest]
            for first, second in zip(order[::2], order[1::2], strict=True):
                edge = strengths[first] - strengths[second]
                chance = chance_of(event, first, second, 1 / (1 + 10 ** (-edge / 400)))
                score = WIN if random.random() < chance else LOSS
                rated.append(RatedGame(first, second, score))
                own, other = states[first], states[second]
                if min(own.games, other.games) >= SETTLED_FROM:
                    found.append(
                        FairPlayGame(
                            len(found), event, first, second, own.rating, other.rating,
                            *(round(deviation_of(elo, *side)) for side in (own, other)),
                            0, score,
                        )
                    )  # fmt: skip
        states |= rate_batch(states, rated, elo).states()
        strengths = [strength + random.gauss(0, drift) for strength in strengths]
    return found


def kinds_of(report: FairPlayReport) -> set[tuple[FindingKind, int]]:
    return {(finding.test.kind, finding.test.player) for finding in report.findings}


@pytest.mark.parametrize(
    ("chance_of", "kind"), [(sandbag, SANDBAGGING), (lose_most, BELOW), (feed, PAIR)]
)
def test_planted_cases_are_found(chance_of: Chance, kind: FindingKind) -> None:
    report = review_games(simulate(1, chance_of))
    assert (kind, CHEAT) in kinds_of(report)
    assert {player for _, player in kinds_of(report)} <= {CHEAT, PARTNER}


def test_honest_players_are_not_accused() -> None:
    assert kinds_of(review_games(simulate(0))) == set()


@pytest.mark.long
def test_reports_of_honest_players_have_findings_as_rarely_as_their_level() -> None:
    reports = [review_games(simulate(seed), level=0.05) for seed in range(60)]
    assert sum(bool(report.findings) for report in reports) <= 0.05 * 60


@pytest.mark.long
@pytest.mark.parametrize(
    ("chance_of", "kind"), [(sandbag, SANDBAGGING), (lose_most, BELOW), (feed, PAIR)]
)
def test_planted_cases_are_found_nine_times_in_ten(chance_of: Chance, kind: FindingKind) -> None:
    found = [(kind, CHEAT) in kinds_of(review_games(simulate(s, chance_of))) for s in range(40)]
    assert sum(found) >= 36


def played(scores: str) -> Columns:
    """Return games between equal players."""
    values = {"1": WIN, "=": DRAW, "0": LOSS}
    return Columns.of(
        [
            PlayedGame(number, 1, 2, 0, 0, 0, 0, 0, values[score])
            for number, score in enumerate(scores)
        ]
    )


@pytest.mark.parametrize(
    ("scores", "below", "above"),
    [
        ("00000", 1 / 32, 1),
        ("10000", 6 / 32, 31 / 32),
        # A draw is a win below and a loss above.
        ("=0000", 6 / 32, 1),
        ("=1111", 1, 6 / 32),
    ],
)
def test_the_probability_of_a_stream_between_equal_players(
    scores: str, below: float, above: float
) -> None:
    assert p_below(played(scores), 0, 0) == pytest.approx(below)
    assert p_below(played(scores).exchanged(), 0, 0) == pytest.approx(above)


def test_the_p_value_is_the_mean_over_the_error_of_the_rating() -> None:
    """The error of all games is the same: 200,000 random ones give the same mean."""
    source, deviation = Random(1), 100.0
    chances = [1 / (1 + 10 ** (-source.gauss(0, deviation) / 400)) for _ in range(200_000)]
    mean = sum((1 - chance) ** 5 for chance in chances) / len(chances)
    assert p_below(played("00000"), 0, deviation * MILLI) == pytest.approx(mean, rel=0.01)
    above = p_below(played("11111").exchanged(), 0, deviation * MILLI)
    assert above == pytest.approx(mean, rel=0.01)


def test_the_error_of_the_opponents_brings_expected_scores_nearer_to_a_half() -> None:
    own = PlayedGame(1, 1, 2, 200 * MILLI, 0, 0, 0, 0, WIN)
    assert own.expected == pytest.approx(1 / (1 + 10**-0.5))
    uncertain = own._replace(opponent_error=400 / math.log(10) * MILLI)
    flat = 0.5 / math.sqrt(1 + math.pi / 8)
    assert uncertain.expected == pytest.approx(1 / (1 + 10**-flat))


def test_streams_near_the_expected_points_are_not_notable() -> None:
    """Of 36 even games, the standard deviation is 3 wins; with that of the rating, 5."""
    wins = {count: played("1" * count + "0" * (36 - count)) for count in (11, 13, 14)}
    limit = 18 - NOTABLE * 3
    assert [is_notable(wins[count], 0, 0) for count in wins] == [count <= limit for count in wins]
    error = 4 / (9 * math.log(10) / 400) * MILLI
    assert not is_notable(wins[11], 0, error)


def game(number: int, first: int, second: int, score: int, batch: int = 1) -> FairPlayGame:
    return FairPlayGame(number, batch, first, second, 0, 0, 0, 0, 0, score)


def summary(test: StreamTest) -> tuple[FindingKind, int, int | None]:
    return test.kind, test.player, test.event


def test_the_streams_of_a_kind_are_corrected_together() -> None:
    """Twenty games: both players are tested below and above, the pair is not without others."""
    report = review_games([game(number, 7, 8, WIN) for number in range(20)], level=1)
    assert report.tests == 4
    assert [summary(finding.test) for finding in report.findings[:2]] == [
        (BELOW, 8, 1), (ABOVE, 7, 1),
    ]  # fmt: skip
    assert {finding.test.p for finding in report.findings[2:]} == {1.0}
    for finding in report.findings[:2]:
        assert finding.test.p == pytest.approx(0.5**20)
        assert finding.adjusted == pytest.approx(4 * 2 * 0.5**20)


def test_a_player_counts_with_their_rating_before_the_first_game() -> None:
    """The rating that follows the losses does not make them more probable."""
    games = [
        FairPlayGame(number, number, 7, 20 + number, -number * MILLI * 100, 0, 0, 0, 0, LOSS)
        for number in range(17)
    ]
    (finding,) = review_games(games).findings
    assert (finding.test.kind, finding.test.player) == (BELOW, 7)
    assert {played.expected for played in finding.games} == {0.5}
    assert finding.test.p == pytest.approx(0.5**17)


def test_the_games_of_a_pair_are_compared_with_those_against_others() -> None:
    """Fed points have raised one rating and lowered the other; against others both score half."""
    fed, feeder = 50 * MILLI, -50 * MILLI
    others = [
        FairPlayGame(number, number, player, 20 + number, rating, 0, 0, 0, 0, result)
        for player, rating in ((7, fed), (8, feeder))
        for number, result in enumerate([WIN, LOSS] * 200)
    ]
    pair = [FairPlayGame(number, 400, 7, 8, fed, feeder, 0, 0, 0, WIN) for number in range(30)]
    report = review_games([*others, *pair])
    (found,) = (finding for finding in report.findings if finding.test.kind is PAIR)
    assert (found.test.player, found.test.opponent, len(found.games)) == (7, 8, 30)
    assert found.games[0].expected == pytest.approx(0.5, abs=0.01)


def test_streams_that_cannot_be_improbable_are_not_tested() -> None:
    """The least probable results of 16 even games have a probability of one in 65,536."""
    tests = [
        review_games([game(n, 7, 8, WIN) for n in range(count)]).tests for count in (4, 16, 17)
    ]
    assert tests == [0, 0, 4]


def test_only_the_last_games_are_tested(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ratings.systems.research.fair_play.MOST_FAIR_PLAY_GAMES", 20)
    games = [game(number, 7, 8, WIN if number < 20 else DRAW) for number in range(40)]
    assert review_games(games).findings == ()


def test_sandbagging_compares_an_event_with_the_games_before_it() -> None:
    losses = [game(number, 7, 20 + number, LOSS, batch=number) for number in range(40)]
    wins = [game(40 + number, 80 + number, 7, LOSS, batch=40) for number in range(5)]
    report = review_games([*losses, *wins])
    (found,) = (finding for finding in report.findings if finding.test.kind is SANDBAGGING)
    assert (found.test.player, found.test.event) == (7, 40)
    assert [played.game for played in found.games] == list(range(10, 45))
    assert [played.score for played in found.games] == [LOSS] * 30 + [WIN] * 5
    product = 0.5**35
    assert found.test.p == pytest.approx(product * (1 - math.log(product)))
