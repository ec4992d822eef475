"""Rating systems are compared by how well they predict the same games."""

import json
import math
from collections.abc import Sequence
from random import Random

import numpy as np
import pytest

from ratings.systems.elo import DRAW, LOSS, MILLI, WIN
from ratings.systems.fide import Fide
from ratings.systems.history import GameColumns, rate_history
from ratings.systems.presets import PRESETS
from ratings.systems.reliability import QUANTILE
from ratings.systems.research.comparison import COMPARISON_COLUMNS, NoCommonGames, compare
from ratings.systems.research.prediction_scores import Numbers
from ratings.systems.research.shadow import (
    SHADOW_SYSTEMS,
    Predict,
    UnknownSystem,
    available_systems,
    find_systems,
    predict_preset,
)
from ratings.systems.research.shadow_games import ShadowGames

NONE = math.nan


def games_of(
    seats: Sequence[int],
    scores: Sequence[int],
    ends: Sequence[int],
    *,
    days: Sequence[str] | None = None,
    starts: Sequence[int | None] | None = None,
) -> ShadowGames:
    players = max(seats, default=-1) + 1
    columns = GameColumns(
        np.array(seats, np.int64), np.array(scores, np.int64), np.zeros(len(scores), np.int64),
        np.array(ends, np.int64),
    )  # fmt: skip
    return ShadowGames(
        columns,
        days or ["2026-03-01"] * len(ends),
        starts or [None] * players,
        np.zeros(players, np.int64),
    )


def constant(*expected: float) -> Predict:
    return lambda _: np.array(expected)


def test_the_difference_to_the_reference_and_its_interval() -> None:
    """In the first batch the second system is better by ln 1.5, in the other worse by ln 2."""
    games = games_of([0, 1] * 3, [WIN, WIN, LOSS], [2, 3])
    systems = {"even": constant(0.5, 0.5, 0.5), "bold": constant(0.75, 0.75, 0.75)}
    even, bold = compare(systems, games).systems
    assert (even.name, even.scores.log_loss) == ("even", pytest.approx(math.log(2)))
    assert (even.difference, even.low, even.high) == (0, 0, 0)
    better, worse = -math.log(1.5), math.log(2)
    mean = (2 * better + worse) / 3
    sums = [2 * (better - mean), worse - mean]
    error = math.sqrt(2 * sum(total**2 for total in sums)) / 3
    assert bold.difference == pytest.approx(mean)
    assert (bold.low, bold.high) == pytest.approx(
        (mean - QUANTILE * error, mean + QUANTILE * error)
    )


def test_systems_are_compared_over_the_games_that_each_predicts() -> None:
    games = games_of([0, 1] * 4, [WIN, LOSS, DRAW, WIN], [1, 2, 3, 4])
    systems = {"one": constant(0.5, NONE, 0.5, 0.5), "other": constant(NONE, 0.5, 0.5, 0.6)}
    comparison = compare(systems, games)
    assert (comparison.games, comparison.left_out) == (2, 2)
    assert [system.scores.games for system in comparison.systems] == [2, 2]


@pytest.mark.parametrize("expected", [(NONE, NONE), ()])
def test_without_common_games_there_is_no_comparison(expected: tuple[float, ...]) -> None:
    count = len(expected)
    games = games_of([0, 1] * count, [WIN] * count, range(1, count + 1))
    with pytest.raises(NoCommonGames, match="no game that each of the systems predicts"):
        compare({"none": constant(*expected)}, games)


def test_the_report_as_rows_and_json() -> None:
    """One batch gives no interval; draws alone give no accuracy."""
    comparison = compare({"even": constant(0.5)}, games_of([0, 1], [DRAW], [1]))
    assert list(comparison.rows()) == [
        COMPARISON_COLUMNS,
        ["even", 1, 0.693147, "", 0.0, 0.0, "", ""],
    ]
    report = json.loads(json.dumps(comparison.as_json(), allow_nan=False))
    assert (report["games"], report["left_out"]) == (1, 0)
    (system,) = report["systems"]
    assert (system["accuracy"], system["groups"][0]["games"]) == (None, 1)


def simulated_games(seed: int) -> tuple[ShadowGames, Numbers]:
    """Return games of players of constant strength, and the true expected scores."""
    random = Random(seed)
    strengths = [random.gauss(0, 250) for _ in range(20)]
    seats: list[int] = []
    for _ in range(150):
        seats += random.sample(range(20), 20)
    edges = [strengths[a] - strengths[b] for a, b in zip(seats[::2], seats[1::2], strict=True)]
    chances = [1 / (1 + 10 ** (-edge / 400)) for edge in edges]
    scores = [WIN if random.random() < chance else LOSS for chance in chances]
    return games_of(seats, scores, range(10, 1501, 10)), np.array(chances)


def test_the_true_strengths_predict_best_and_ratings_better_than_nothing() -> None:
    games, chances = simulated_games(1)
    systems: dict[str, Predict] = {
        "decay": SHADOW_SYSTEMS["decay"],
        "truth": lambda _: chances,
        "even": lambda _: np.full(len(chances), 0.5),
    }
    _, truth, even = compare(systems, games).systems
    assert truth.high is not None
    assert truth.high < 0
    assert even.low is not None
    assert even.low > 0
    assert truth.scores.calibration_error < even.scores.calibration_error + 0.05


def test_a_preset_predicts_what_the_engine_expects() -> None:
    games, _ = simulated_games(2)
    start = np.full(20, 1500 * MILLI, np.int64)
    history = rate_history(games.columns, start, games.played, PRESETS["decay"])
    assert SHADOW_SYSTEMS["decay"](games).tolist() == (history.expected[::2] / 1_000_000).tolist()


def test_fide_predicts_the_games_of_rated_players_by_the_ratings_before_the_month() -> None:
    # Two rated players and an unrated one; the second month reads the results of the first.
    games = games_of(
        [0, 1, 0, 1, 0, 2, 0, 1], [WIN, WIN, WIN, WIN], [1, 2, 3, 4],
        days=["2026-03-01", "2026-03-01", "2026-03-31", "2026-04-01"],
        starts=[1500 * MILLI, 1500 * MILLI, None],
    )  # fmt: skip
    # K 40: both change by 40 points, and table 8.1.2 has .61 for a difference of 80.
    assert predict_preset(Fide(), games).tolist() == pytest.approx(
        [0.5, 0.5, NONE, 0.61], nan_ok=True
    )


def test_systems_are_found_by_name() -> None:
    assert list(find_systems(["fixed", "decay"])) == ["fixed", "decay"]
    with pytest.raises(
        UnknownSystem, match="no system 'elo'; valid are: settling, decay, fixed, fide-2024"
    ):
        find_systems(["elo"])


def test_a_system_without_its_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ratings.systems.research.shadow.is_available", lambda: False)
    assert available_systems() == [
        "settling",
        "decay",
        "fixed",
        "fide-2024",
        "glicko-2",
        "whole-history",
    ]
    with pytest.raises(UnknownSystem, match=r"weng-lin needs a library: pip install .\[compare\]"):
        find_systems(["weng-lin"])
