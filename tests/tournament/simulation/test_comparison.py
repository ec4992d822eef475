"""Means with their intervals, the recommendation, its sentences and its chart."""

from dataclasses import astuple
from random import Random
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.elo import MILLION
from tournament.simulation.comparison import (
    ComparedFormat,
    Day,
    Reason,
    compare_formats,
    recommend,
)
from tournament.simulation.figures import Figure, Totals, estimate
from tournament.simulation.measures import MEASURES, Measures
from tournament.simulation.plan_chart import ChartWords, draw_plan
from tournament.simulation.plan_sentences import write_minutes, write_reasons
from tournament.simulation.plans import Format

DAY = Day(60, 15)


def totals_of(winners: int, simulations: int, tau: int = 600_000) -> Totals:
    """Return totals in which the strongest player wins some of the simulations."""
    zeros = dict.fromkeys(MEASURES, 0)
    return Totals.of(
        Measures(**{**zeros, "winner": MILLION if n < winners else 0, "tau": tau})
        for n in range(simulations)
    )


def format_of(system: str, rounds: int) -> Format:
    return Format(system=system, rounds=rounds, tiebreaks=("PTS",), options={})


def compare(*rows: tuple[str, int, int]) -> tuple[ComparedFormat, ...]:
    """Return formats by system, rounds, and wins of the strongest in 400 simulations."""
    formats = [format_of(system, rounds) for system, rounds, _ in rows]
    return compare_formats(formats, [totals_of(wins, 400) for *_, wins in rows], 15, DAY)


def test_the_shortest_of_equally_good_formats_is_recommended() -> None:
    compared = compare(("dutch", 5, 200), ("dutch", 6, 284), ("dutch", 7, 296), ("monrad", 6, 280))
    verdicts = recommend(compared, "winner")
    assert [(found.index, found.reason, found.longer) for found in verdicts] == [
        (1, Reason.RECOMMENDED, 0),
        (2, Reason.EQUAL, 75),
        (3, Reason.EQUAL, 0),
        (0, Reason.WORSE, -75),
    ]
    assert write_reasons(compared, verdicts, "winner") == (
        "FIDE Dutch system, 6 rounds is recommended: the strongest player wins in 71 % ± 4 of the"
        " simulations, and the day takes 7:15. 400 simulations cannot tell it apart with certainty"
        " from 2 other formats: with another seed, one of them may be recommended.",
        "FIDE Dutch system, 7 rounds: the strongest player wins in 74 % ± 4 of the simulations,"
        " cannot be told apart; the day takes 1:15 longer.",
        "Monrad, 6 rounds: the strongest player wins in 70 % ± 4 of the simulations, cannot be told"
        " apart; the day takes as long.",
        "FIDE Dutch system, 5 rounds: the strongest player wins in 50 % ± 5 of the simulations,"
        " clearly less; the day takes 1:15 shorter.",
    )
    assert [row.boards for row in compared] == [7, 7, 7, 7]


def test_one_seed_does_not_contradict_another() -> None:
    """Of 500 simulations each: what one recommends, another rarely calls clearly less."""
    random, contradictions = Random(1), 0
    rows = [("dutch", 4), ("dutch", 5), ("monrad", 5), ("dutch", 6), ("dutch", 7), ("monrad", 7)]
    formats = [format_of(*row) for row in rows]
    for _ in range(150):
        best = random.uniform(0.5, 0.8)
        chances = [best - random.uniform(0, 0.2) for _ in rows]
        found = []
        for _ in range(4):
            wins = [sum(random.random() < chance for _ in range(500)) for chance in chances]
            totals = [totals_of(number, 500) for number in wins]
            found.append(recommend(compare_formats(formats, totals, 15, DAY), "winner"))
        recommended = {verdicts[0].index for verdicts in found}
        worse = {v.index for verdicts in found for v in verdicts if v.reason is Reason.WORSE}
        contradictions += bool(recommended & worse)
    assert contradictions <= 3


@pytest.mark.parametrize("wins", [(240, 250), (250, 240), (245, 245)])
def test_of_equally_long_formats_the_figures_do_not_decide(wins: tuple[int, int]) -> None:
    """They change with the seed; the order in which the formats are named does not."""
    compared = compare(("monrad", 3, wins[0]), ("dutch", 3, wins[1]), ("dutch", 4, 251))
    best, *others = recommend(compared, "winner")
    assert (best.index, {found.reason for found in others}) == (0, {Reason.EQUAL})
    sentence = write_reasons(compared, (best, *others), "winner")[0]
    assert "400 simulations cannot tell it apart with certainty from 2 other formats" in sentence


def test_formats_are_compared_with_the_recommended_one() -> None:
    """The longest is best, but cannot be told apart from the shortest, which is recommended."""
    compared = compare(("dutch", 4, 265), ("dutch", 5, 252), ("dutch", 7, 290), ("dutch", 8, 150))
    found = {row.index: row.reason for row in recommend(compared, "winner")}
    assert found == {
        0: Reason.RECOMMENDED, 1: Reason.EQUAL, 2: Reason.EQUAL, 3: Reason.WORSE
    }  # fmt: skip


def test_the_order_can_be_the_aim() -> None:
    formats = [format_of("dutch", 5), format_of("dutch", 6)]
    totals = [totals_of(9, 10, tau) for tau in (500_000, 700_000)]
    compared = compare_formats(formats, totals, 8, DAY)
    best, other = recommend(compared, "order")
    assert (best.index, best.figure.value, other.reason) == (1, 0.7, Reason.WORSE)
    sentence = write_reasons(compared, (best,), "order")[0]
    assert "agrees with the true one by tau 0.70 ± 0.00, and the day takes 7:15." in sentence


def test_a_schedule_has_no_floats() -> None:
    compared = compare(("round-robin", 7, 3), ("dutch", 5, 3))
    assert [row.figure("downfloats") for row in compared] == [None, Figure(0, 0, 0)]


@given(st.integers(0, 50), st.integers(1, 50))
def test_the_interval_of_a_share_is_within_its_bounds(wins: int, others: int) -> None:
    figure = totals_of(wins, wins + others).figure("winner")
    assert 0 <= figure.low <= figure.value <= figure.high <= 1
    assert figure.low < figure.high


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([2, 4], Figure(3, 3 - 1.959964, 3 + 1.959964)),
        ([5], Figure(5, 5, 5)),
        ([7, 7, 7], Figure(7, 7, 7)),
    ],
)
def test_the_interval_of_a_mean(values: list[int], expected: Figure) -> None:
    total = MILLION * sum(values)
    squares = MILLION**2 * sum(value**2 for value in values)
    found = estimate(len(values), total, squares, is_share=False)
    assert astuple(found) == pytest.approx(astuple(expected))


def test_the_chart_has_a_mark_for_each_figure() -> None:
    compared = compare(("dutch", 5, 0), ("round-robin", 7, 400))
    root = ElementTree.fromstring(draw_plan(compared, ChartWords(names=("<A>", "B"))))
    circles = [node for node in root.iter() if node.tag.endswith("circle")]
    titles = [node.text for node in root.iter() if node.tag.endswith("title")]
    assert len(circles) == 4
    assert "<A>: 0 % ± 0" in titles
    assert "B: 0.60 ± 0.00" in titles


@pytest.mark.parametrize(("minutes", "text"), [(0, "0:00"), (75, "1:15"), (605, "10:05")])
def test_durations(minutes: int, text: str) -> None:
    assert write_minutes(minutes) == text
