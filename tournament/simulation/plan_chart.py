"""A chart of the formats of a plan as SVG: two columns of points with their intervals.

The left column is the share of simulations in which the strongest player wins, the right one
Kendall's tau. Each point has its numbers as a title.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from games.rules.diagram.svg import circle, element, text
from ratings.systems.charts import draw_chart, draw_line, draw_series, draw_words, paint
from tournament.simulation.comparison import ComparedFormat
from tournament.simulation.figures import Figure
from tournament.simulation.plan_sentences import write_format, write_number, write_share

PLAN_LEFT, PLAN_TOP, ROW = 15, 70, 44
PANEL, PLAN_GAP = 250, 40
PLAN_POINT_RADIUS: Final = 4
TICKS: Final = (0.0, 0.25, 0.5, 0.75, 1.0)

Series = Sequence[tuple[Figure, str]]
"""A figure of each format, and its numbers in words."""


@dataclass(frozen=True, slots=True)
class ChartWords:
    """The words of the chart, in the language of its reader; `names` are those of the formats.

    `write_decimal` writes numbers with the decimal sign of the language.
    """

    title: str = "Formats compared"
    winner: str = "the strongest player wins"
    tau: str = "agreement of the order (tau)"
    names: tuple[str, ...] = ()
    write_decimal: Callable[[str], str] = str


def draw_plan(compared: Sequence[ComparedFormat], words: ChartWords) -> str:
    """Return the chart of one or more formats, in their order."""
    names = words.names or tuple(map(write_format, compared))
    winners = [(figure, write_share(figure)) for figure in _figures(compared, "winner")]
    taus = [
        (figure, words.write_decimal(write_number(figure))) for figure in _figures(compared, "tau")
    ]
    bottom = PLAN_TOP + ROW * len(compared)
    labels = [
        draw_words(complex(PLAN_LEFT, PLAN_TOP + ROW * index + 14), name, anchor="start")
        for index, name in enumerate(names)
    ]
    return draw_chart(
        words.title,
        (PLAN_LEFT + 2 * PANEL + PLAN_GAP + PLAN_LEFT, bottom + 30),
        PLAN_LEFT,
        *_panel(1, bottom, words, winners, names),
        *_panel(2, bottom, words, taus, names),
        *labels,
    )


def _figures(compared: Sequence[ComparedFormat], measure: str) -> list[Figure]:
    return [row.totals.figure(measure) for row in compared]


def _panel(
    number: int, bottom: int, words: ChartWords, series: Series, names: Sequence[str]
) -> Iterator[str]:
    """Yield the first or the second column: its heading, the grid with its numbers, the points."""
    left = PLAN_LEFT + (number - 1) * (PANEL + PLAN_GAP)
    heading = words.winner if number == 1 else words.tau
    yield draw_words(complex(left, PLAN_TOP - 16), heading, anchor="start")
    for tick in TICKS:
        x = left + PANEL * tick
        yield draw_line(complex(x, PLAN_TOP - 8), complex(x, bottom), paint("chart-grid"))
        label = f"{100 * tick:.0f} %" if number == 1 else words.write_decimal(f"{tick:g}")
        anchor = {0.0: "start", 1.0: "end"}.get(tick, "middle")
        yield draw_words(complex(x, bottom + 18), label, anchor=anchor)
    marks = (
        _mark(left, index, figure, f"{name}: {written}")
        for index, ((figure, written), name) in enumerate(zip(series, names, strict=True))
    )
    yield draw_series(number, *marks)


def _mark(left: int, index: int, figure: Figure, words: str) -> str:
    """Return the point of a format with its interval; what is below zero is drawn at zero."""
    y = PLAN_TOP + ROW * index + 28
    low, value, high = (
        complex(left + PANEL * min(max(place, 0.0), 1.0), y)
        for place in (figure.low, figure.value, figure.high)
    )
    bar = draw_line(low, high, {"stroke": "currentColor", "stroke-width": "2"})
    point = element("circle", circle(value, PLAN_POINT_RADIUS) | {"fill": "currentColor"})
    return element("g", {}, element("title", {}, text(words)), bar, point)
