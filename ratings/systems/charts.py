"""What all charts share: the frame, words, lines, and the colours on light and dark screens.

The light colours are in attributes, also for print; the dark ones in the one style element, which a
content policy may allow by its digest. A page that shows charts may have the same rules instead.
"""

from collections.abc import Callable
from datetime import date
from typing import Final, NamedTuple

from games.rules.diagram.paints import Paint
from games.rules.diagram.svg import at, element, number, text
from games.rules.layouts.geometry import Point
from games.rules.messages import Say, say_in_english

CHART_PAINTS: Final = {
    "chart-page": Paint("fill", "#ffffff", "#11161d"),
    "chart-words": Paint("fill", "#000000", "#e6ebf1"),
    "chart-axis": Paint("stroke", "#888888", "#8d99a8"),
    "chart-grid": Paint("stroke", "#dddddd", "#2a323d"),
    "chart-band": Paint("fill", "#cfe2f3", "#1c3a57"),
    "chart-series": Paint("color", "#0b5394", "#6fa8dc"),
}
"""An element of the series is painted with `currentColor`."""

DARK_RULES: Final = "".join(
    f".{use}{{{colours.attribute}:{colours.dark}}}" for use, colours in CHART_PAINTS.items()
)
CHART_STYLE: Final = f"@media screen and (prefers-color-scheme:dark){{{DARK_RULES}}}"
TITLE_LINE: Final = 20


class ChartLanguage(NamedTuple):
    """How a chart writes patterns, days and decimals; the usual is English with ISO days."""

    say: Say = say_in_english
    write_day: Callable[[date], str] = date.isoformat
    write_decimal: Callable[[str], str] = str


ENGLISH: Final = ChartLanguage()


def draw_chart(title: str, size: tuple[int, int], left: int, *children: str) -> str:
    """Return a chart of this width and height; its title begins at `left`."""
    width, height = map(str, size)
    return element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {width} {height}",
            "width": width,
            "height": height,
            "role": "img",
            "font-family": "sans-serif",
            "font-size": "12",
        },
        element("title", {}, text(title)),
        element("style", {}, CHART_STYLE),
        element("rect", {"width": width, "height": height} | paint("chart-page")),
        draw_words(complex(left, TITLE_LINE), title, anchor="start"),
        *children,
    )


def draw_words(place: Point, words: str, *, anchor: str = "middle") -> str:
    """Return words at a place, which is their middle, start or end."""
    return element("text", at(place) | {"text-anchor": anchor} | paint("chart-words"), text(words))


def draw_line(start: Point, end: Point, paint: dict[str, str]) -> str:
    """Return a straight line."""
    ends = {"x1": start.real, "y1": start.imag, "x2": end.real, "y2": end.imag}
    return element("line", {key: number(length) for key, length in ends.items()} | paint)


def draw_series(*children: str) -> str:
    """Return a group of elements in the colour of the series."""
    return element("g", paint("chart-series"), *children)


def paint(use: str) -> dict[str, str]:
    """Return the attributes of an element of a chart."""
    return CHART_PAINTS[use].attributes(use)
