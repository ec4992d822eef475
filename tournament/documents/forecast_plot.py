"""A forecast as an SVG picture: for each player the chances to win and to be among the first.

Each line has its numbers as a title, and its name and the chances as words.
"""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, Final

from django.utils.translation import gettext

from games.core.tables.table import TableDocument
from games.core.tables.text import printable
from games.core.text import decimal_text
from games.documents.renderers.base import Context, DocumentRenderer
from games.http.content_policy import picture_policy
from games.rules.diagram.svg import element, number, text
from ratings.systems.charts import (
    CHART_STYLE,
    draw_chart,
    draw_line,
    draw_series,
    draw_words,
    paint,
)
from tournament.forecasts.tables import format_percent

MOST_PLOTTED_PLAYERS: Final = 24
"""Players in the picture: the most likely winners. The table has all."""

LONGEST_PLOTTED_NAME: Final = 22
FORECAST_LEFT, FORECAST_TOP, FORECAST_WIDTH, LINE = 165, 66, 260, 24
LEGEND: Final = 44
HEIGHTS: Final = 14, 6
"""The heights of the bars: among the first, and the winner."""

PERCENT_TICKS: Final = (0, 25, 50, 75, 100)


class ForecastPlotRenderer(DocumentRenderer):
    """Render the plot of a forecast."""

    media_type = "image/svg+xml"
    format = "svg"
    disposition = "inline"
    follows_language = True
    security_policy = picture_policy(CHART_STYLE)

    def render(
        self, data: TableDocument, media_type: str | None = None, context: Context = None
    ) -> str:
        """Return the picture."""
        return draw_forecast(data)


def draw_forecast(document: TableDocument) -> str:
    """Return the picture of a forecast with at most MOST_PLOTTED_PLAYERS players."""
    records = list(islice(document.records, MOST_PLOTTED_PLAYERS))
    size = FORECAST_LEFT + FORECAST_WIDTH + 65, FORECAST_TOP + LINE * len(records) + 34
    axes = _axes(FORECAST_TOP + LINE * len(records))
    lines = (part for row, record in enumerate(records) for part in _line(row, record))
    title = printable(document.heading.title)
    return draw_chart(title, size, 12, *_legend(document.body["top"]), *axes, *lines)


def _legend(top: int) -> Iterator[str]:
    among = gettext("among the first %(top)s") % {"top": top}
    for left, words, mark in (
        (12, gettext("wins the event"), _bar(complex(0, 0), 20, HEIGHTS[1], "currentColor")),
        (
            FORECAST_LEFT,
            among,
            element("rect", _box(complex(0, 0), 20, HEIGHTS[0]) | paint("chart-band")),
        ),
    ):
        shift = {"transform": f"translate({left} {LEGEND})"}
        yield element("g", shift | paint("chart-series1"), mark)
        yield draw_words(complex(left + 26, LEGEND + 4), words, anchor="start")


def _axes(bottom: int) -> Iterator[str]:
    for tick in PERCENT_TICKS:
        x = FORECAST_LEFT + FORECAST_WIDTH * tick / 100
        yield draw_line(complex(x, FORECAST_TOP), complex(x, bottom), paint("chart-grid"))
        yield draw_words(complex(x, bottom + 18), f"{tick} %")


def _line(row: int, record: Mapping[str, Any]) -> Iterator[str]:
    middle = FORECAST_TOP + LINE * row + LINE / 2
    name = printable(record["player"]["name"])
    short = name if len(name) <= LONGEST_PLOTTED_NAME else name[: LONGEST_PLOTTED_NAME - 1] + "…"
    yield draw_words(complex(FORECAST_LEFT - 8, middle + 4), short, anchor="end")
    win, top = record["win"], record["top"]
    place = complex(FORECAST_LEFT, middle)
    title = element("title", {}, text(f"{name}: {_percent(win)}; {_percent(top)}"))
    yield element(
        "rect",
        _box(place, FORECAST_WIDTH * float(top["chance"]), HEIGHTS[0]) | paint("chart-band"),
        title,
    )
    width = FORECAST_WIDTH * float(win["chance"])
    yield draw_series(1, _bar(place, width, HEIGHTS[1], "currentColor"))
    end = complex(FORECAST_LEFT + FORECAST_WIDTH + 8, middle + 4)
    yield draw_words(end, _percent(win), anchor="start")


def _percent(chance: Mapping[str, Any]) -> str:
    return decimal_text(format_percent(chance))


def _bar(place: complex, width: float, height: float, fill: str) -> str:
    return element("rect", _box(place, width, height) | {"fill": fill})


def _box(place: complex, width: float, height: float) -> dict[str, str]:
    """Return the attributes of a rectangle whose left side has its middle at a place."""
    return {
        "x": number(place.real),
        "y": number(place.imag - height / 2),
        "width": number(width),
        "height": number(height),
    }
