"""Improbable streams of results: planted cases are found, honest players are not accused."""

import math
from collections.abc import Callable
from random import Random

import pytest

from ratings.systems.elo import DRAW, LOSS, MILLI, WIN, PlayerState, RatedGame, rate_batch
from ratings.systems.fair_play import (
    SETTLED_FROM,
    FairPlayGame,
    FairPlayReport,
    FindingKind,
    PlayedGame,
    p_above,
    p_below,
    review_games,
)
from ratings.systems.presets import PRESETS

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
                            elo.k(own.games), elo.k(other.games), 0, score,
                        )
                    )  # fmt: skip
        states |= rate_batch(states, rated, elo).states()
        strengths = [strength + random.gauss(0, drift) for strength in strengths]
    return found


def kinds_of(report: FairPlayReport) -> set[tuple[FindingKind, int]]:
    return {(test.kind, test.player) for test, _ in report.findings}


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
def test_planted_cases_are_found_three_times_in_four(chance_of: Chance, kind: FindingKind) -> None:
    found = [(kind, CHEAT) in kinds_of(review_games(simulate(s, chance_of))) for s in range(20)]
    assert sum(found) >= 15


def played(scores: str, difference: float = 0, margin: float = 0) -> list[PlayedGame]:
    values = {"1": WIN, "=": DRAW, "0": LOSS}
    return [
        PlayedGame(number, 1, 2, difference, 0, 0, margin, values[score])
        for number, score in enumerate(scores)
    ]


@pytest.mark.parametrize(
    ("scores", "below", "above"),
    [
        ("00000", 1 / 32, 1),
        ("11111", 1, 1 / 32),
        ("10000", 6 / 32, 31 / 32),
        ("11100", 26 / 32, 16 / 32),
        # A draw is a win below and a loss above.
        ("=0000", 6 / 32, 1),
        ("=1111", 1, 6 / 32),
    ],
)
def test_the_probability_of_a_stream_between_equal_players(
    scores: str, below: float, above: float
) -> None:
    assert p_below(played(scores)) == pytest.approx(below)
    assert p_above(played(scores)) == pytest.approx(above)


def test_the_error_of_the_ratings_is_in_favour_of_the_player() -> None:
    # A difference of 400 log10(3) points is an expected score of 3/4.
    points = 400 * math.log10(3) * MILLI
    assert p_above(played("111", 0, points)) == pytest.approx(27 / 64)
    assert p_below(played("000", 0, points)) == pytest.approx(27 / 64)


def game(number: int, first: int, second: int, score: int, batch: int = 1) -> FairPlayGame:
    return FairPlayGame(number, batch, first, second, 0, 0, 0, 0, 0, score)


def test_all_streams_of_a_report_are_corrected_together() -> None:
    """Five games: both players are tested below and above, the pair is not without other games."""
    report = review_games([game(number, 7, 8, WIN) for number in range(5)], level=1)
    assert report.tests == 4
    assert [(test.kind, test.player, test.event) for test, _ in report.findings] == [
        (ABOVE, 7, 1), (BELOW, 8, 1), (BELOW, 7, 1), (ABOVE, 8, 1),
    ]  # fmt: skip
    assert [test.p for test, _ in report.findings] == pytest.approx([1 / 32, 1 / 32, 1, 1])
    assert [adjusted for _, adjusted in report.findings] == pytest.approx([1 / 8, 1 / 8, 1, 1])


def test_a_player_counts_with_their_rating_before_the_first_game() -> None:
    """The rating that follows the losses does not make them more probable."""
    games = [
        FairPlayGame(number, number, 7, 20 + number, -number * MILLI * 100, 0, 0, 0, 0, LOSS)
        for number in range(20)
    ]
    (finding,) = review_games(games).findings
    assert (finding[0].kind, finding[0].player) == (BELOW, 7)
    assert {played.expected for played in finding[0].games} == {0.5}
    assert finding[0].p == pytest.approx(0.5**20)


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
    (test,) = (test for test, _ in report.findings if test.kind is PAIR)
    assert (test.player, test.opponent, len(test.games)) == (7, 8, 30)
    assert test.games[0].expected == pytest.approx(0.5, abs=0.01)


def test_short_streams_are_not_tested() -> None:
    assert review_games([game(number, 7, 8, WIN) for number in range(4)]).tests == 0


def test_sandbagging_compares_an_event_with_the_games_before_it() -> None:
    losses = [game(number, 7, 20 + number, LOSS, batch=number) for number in range(40)]
    wins = [game(40 + number, 50 + number, 7, LOSS, batch=40) for number in range(5)]
    report = review_games([*losses, *wins])
    (test,) = (test for test, _ in report.findings if test.kind is SANDBAGGING)
    assert (test.player, test.event) == (7, 40)
    assert [played.game for played in test.games] == list(range(10, 45))
    assert [played.score for played in test.games] == [LOSS] * 30 + [WIN] * 5
    product = 0.5**35
    assert test.p == pytest.approx(product * (1 - math.log(product)))
