"""Groups of similar expected scores, and their plot."""

from xml.etree import ElementTree

import pytest

from ratings.systems.reliability import Group, group_by_expected
from ratings.systems.research.reliability_plot import draw_reliability


def test_games_are_grouped_by_tenths_of_the_expected_score() -> None:
    games = [(0.0, 0.0), (0.05, 1.0), (0.5, 0.5), (0.5625, 1.0), (1.0, 1.0)]
    groups = group_by_expected(games)
    assert [(group.games, group.expected, group.score) for group in groups] == [
        (2, 0.025, 0.5),
        (2, 0.53125, 0.75),
        (1, 1.0, 1.0),
    ]
    assert group_by_expected([]) == ()


@pytest.mark.parametrize(
    ("wins", "losses", "low", "high"),
    [
        # Newcombe, Statistics in Medicine 17 (1998), table I, method 3
        (81, 182, 0.2553, 0.3662),
        (15, 133, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 28, 0.0061, 0.1718),
    ],
)
def test_the_interval_of_a_score(wins: int, losses: int, low: float, high: float) -> None:
    (group,) = group_by_expected([(0.3, 1.0)] * wins + [(0.3, 0.0)] * losses)
    assert (round(group.low, 4), round(group.high, 4)) == (low, high)


def test_the_plot_has_a_mark_with_its_numbers_for_each_group() -> None:
    group = Group(games=40, expected=0.25, score=0.5, low=0.4, high=0.6)
    plot = draw_reliability("Pool <1>", {"table v1": [group], "estimates": [group, group]})
    root = ElementTree.fromstring(plot)
    titles = [title.text for title in root.iter("{http://www.w3.org/2000/svg}title")]
    words = "40 games, expected 0.250, score 0.500, interval 0.400 to 0.600"
    assert titles == ["Pool <1>", f"table v1: {words}", *[f"estimates: {words}"] * 2]
    # One mark beside x = 0.25 and one in the legend for the first series, in other colours and
    # shapes than those of the second.
    circles = list(root.iter("{http://www.w3.org/2000/svg}circle"))
    assert [(circle.get("cx"), circle.get("cy")) for circle in circles] == [
        ("157", "240"),
        ("68", "496"),
    ]


def test_seven_series_differ_in_mark_or_colour() -> None:
    group = Group(games=40, expected=0.25, score=0.5, low=0.4, high=0.6)
    root = ElementTree.fromstring(draw_reliability("Pool", {name: [group] for name in "abcdefg"}))
    series = [child for child in root if child.get("class", "").startswith("chart-series")]
    marks = [(each[0][-1].tag.rpartition("}")[2], each[0][-1].get("fill")) for each in series]
    assert marks == [
        ("circle", "currentColor"), ("rect", "#ffffff"), ("polygon", "currentColor"),
        ("circle", "#ffffff"), ("rect", "currentColor"), ("polygon", "#ffffff"),
        ("circle", "currentColor"),
    ]  # fmt: skip
    assert len({each.get("color") for each in series}) == 7
