"""A reliability plot as SVG: scores by expected scores, with intervals, beside the diagonal.

Series differ in shape as well as in colour.
"""

from collections.abc import Iterator, Mapping, Sequence

from games.rules.diagram.svg import circle, element, number, points, text
from games.rules.layouts.geometry import Point
from games.rules.messages import gettext_noop
from ratings.systems.charts import (
    ENGLISH,
    ChartLanguage,
    draw_chart,
    draw_line,
    draw_series,
    draw_words,
    paint,
)
from ratings.systems.reliability import Group

SIZE, RELIABILITY_LEFT, RELIABILITY_TOP = 400, 60, 40
RELIABILITY_WIDTH, LEGEND_LINE = SIZE + 90, 20
TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)
EXPECTED = gettext_noop("expected score of the first seat")
SCORE_TEXT = gettext_noop("score")
RELIABILITY_TEXT = gettext_noop(
    "{name}: {games} games, expected {expected}, score {score}, interval {low} to {high}"
)
GROUP_POINT_RADIUS = 4
SHIFT = 3


def draw_reliability(
    title: str, series: Mapping[str, Sequence[Group]], language: ChartLanguage = ENGLISH
) -> str:
    """Return the plot of at most seven series of groups, by their names."""
    size = RELIABILITY_WIDTH, RELIABILITY_TOP + SIZE + 60 + LEGEND_LINE * len(series)
    return draw_chart(
        title, size, RELIABILITY_LEFT, *_axes(language), *_all_series(series, language)
    )


def _axes(language: ChartLanguage) -> Iterator[str]:
    yield element(
        "rect",
        {
            "x": str(RELIABILITY_LEFT),
            "y": str(RELIABILITY_TOP),
            "width": str(SIZE),
            "height": str(SIZE),
            "fill": "none",
        }
        | paint("chart-axis"),
    )
    yield draw_line(_place(0, 0), _place(1, 1), paint("chart-axis"))
    for tick in TICKS:
        words = language.write_decimal(f"{tick:g}")
        yield draw_words(_place(tick, 0) + 18j, words)
        yield draw_words(_place(0, tick) + complex(-8, 4), words, anchor="end")
    yield draw_words(_place(0.5, 0) + 38j, language.say(EXPECTED))
    yield draw_words(_place(0, 1) - 6j, language.say(SCORE_TEXT), anchor="end")


def _all_series(series: Mapping[str, Sequence[Group]], language: ChartLanguage) -> Iterator[str]:
    for index, (name, groups) in enumerate(series.items()):
        shift = SHIFT * (2 * index - len(series) + 1)
        marks = [_group(index, name, group, shift, language) for group in groups]
        line = complex(RELIABILITY_LEFT, RELIABILITY_TOP + SIZE + 60 + LEGEND_LINE * index)
        legend = draw_words(line + 20, name, anchor="start")
        yield draw_series(index + 1, *marks, _mark(index, line + complex(8, -4)), legend)


def _group(index: int, name: str, group: Group, shift: int, language: ChartLanguage) -> str:
    """Return the mark of a group with its interval and its numbers."""
    title = language.say(
        RELIABILITY_TEXT,
        name=name,
        games=group.games,
        expected=language.write_decimal(f"{group.expected:.3f}"),
        score=language.write_decimal(f"{group.score:.3f}"),
        low=language.write_decimal(f"{group.low:.3f}"),
        high=language.write_decimal(f"{group.high:.3f}"),
    )
    low, score, high = (
        _place(group.expected, value) + shift for value in (group.low, group.score, group.high)
    )
    bar = draw_line(low, high, {"stroke": "currentColor"})
    return element("g", {}, element("title", {}, text(title)), bar, _mark(index, score))


def _mark(index: int, place: Point) -> str:
    """Return a mark: filled circle, empty square, filled triangle, empty circle, and so on."""
    fill = {"fill": "currentColor"} if index % 2 == 0 else paint("chart-page")
    paints = fill | {"stroke": "currentColor"}
    if index % 3 == 0:
        return element("circle", circle(place, GROUP_POINT_RADIUS) | paints)
    if index % 3 == 1:
        side = {"width": str(2 * GROUP_POINT_RADIUS), "height": str(2 * GROUP_POINT_RADIUS)}
        x, y = number(place.real - GROUP_POINT_RADIUS), number(place.imag - GROUP_POINT_RADIUS)
        return element("rect", {"x": x, "y": y} | side | paints)
    corners = tuple(
        place + corner * GROUP_POINT_RADIUS for corner in (-1j, complex(-1, 1), complex(1, 1))
    )
    return element("polygon", {"points": points(corners)} | paints)


def _place(expected: float, score: float) -> Point:
    return complex(RELIABILITY_LEFT + SIZE * expected, RELIABILITY_TOP + SIZE * (1 - score))
