"""A chart of a player's rating over time as SVG: a point after each batch, with its interval.

It contains no script, style or link. Each point has its numbers as a title.
"""

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Final, NamedTuple

from games.rules.diagram.svg import element, number, text
from ratings.systems.elo import MILLI
from ratings.systems.intervals import Interval
from ratings.systems.lists import format_decimal

LEFT, TOP, WIDTH, HEIGHT = 60, 40, 560, 260
GREY, LIGHT, BLUE = "#888888", "#dddddd", "#0b5394"
BAND = "#cfe2f3"
STEPS: Final = (10, 20, 50, 100, 200, 500, 1000, 2000)
MOST_LINES: Final = 8
RADIUS: Final = 3


class RatingPoint(NamedTuple):
    """A rating in milli after a batch, with its interval in points."""

    on: date
    rating: int
    interval: Interval


def draw_ratings(title: str, points: Sequence[RatingPoint]) -> str:
    """Return the chart of one or more points, oldest first."""
    width, height = LEFT + WIDTH + 45, TOP + HEIGHT + 40
    scale = _Scale.of(points)
    return element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {width} {height}",
            "width": str(width),
            "height": str(height),
            "role": "img",
            "font-family": "sans-serif",
            "font-size": "12",
        },
        element("title", {}, text(title)),
        element("rect", {"width": str(width), "height": str(height), "fill": "#ffffff"}),
        _words(LEFT, 20, title, anchor="start"),
        *_band(scale, points),
        *_axes(scale),
        *_line(scale, points),
    )


class _Scale(NamedTuple):
    """The days and the ratings (in points) at the edges, and the ratings between two lines."""

    first_day: int
    last_day: int
    lowest: int
    highest: int
    step: int

    @classmethod
    def of(cls, points: Sequence[RatingPoint]) -> "_Scale":
        low = min(point.interval.low for point in points)
        high = max(point.interval.high for point in points)
        step = next((step for step in STEPS if high - low <= step * (MOST_LINES - 2)), STEPS[-1])
        first_day, last_day = points[0].on.toordinal(), points[-1].on.toordinal()
        return cls(first_day, last_day, low // step * step, -(-high // step) * step, step)

    def across(self, day: int) -> float:
        days = self.last_day - self.first_day
        return LEFT + (WIDTH * (day - self.first_day) / days if days else WIDTH / 2)

    def down(self, rating: float) -> float:
        return TOP + HEIGHT * (self.highest - rating) / (self.highest - self.lowest)


def _axes(scale: _Scale) -> Iterator[str]:
    for rating in range(scale.lowest, scale.highest + 1, scale.step):
        y = number(scale.down(rating))
        ends = {"x1": str(LEFT), "y1": y, "x2": str(LEFT + WIDTH), "y2": y}
        yield element("line", ends | {"stroke": LIGHT})
        yield _words(LEFT - 8, scale.down(rating) + 4, str(rating), anchor="end")
    for day in sorted({scale.first_day, scale.last_day}):
        yield _words(
            scale.across(day), TOP + HEIGHT + 20, date.fromordinal(day).isoformat(), colour=GREY
        )


def _band(scale: _Scale, points: Sequence[RatingPoint]) -> Iterator[str]:
    """Yield the area between the ends of the intervals."""
    upper = [(point.on, point.interval.high) for point in points]
    lower = [(point.on, point.interval.low) for point in reversed(points)]
    corners = _corners(scale, [*upper, *lower])
    yield element("polygon", {"points": corners, "fill": BAND, "stroke": BAND})


def _line(scale: _Scale, points: Sequence[RatingPoint]) -> Iterator[str]:
    corners = _corners(scale, [(point.on, point.rating / MILLI) for point in points])
    yield element("polyline", {"points": corners, "fill": "none", "stroke": BLUE})
    for on, rating, interval in points:
        center = {
            "cx": number(scale.across(on.toordinal())),
            "cy": number(scale.down(rating / MILLI)),
        }
        words = f"{on}: {format_decimal(rating, 3)}, {interval.low} to {interval.high}"
        title = element("title", {}, text(words))
        yield element("circle", center | {"r": str(RADIUS), "fill": BLUE}, title)


def _corners(scale: _Scale, places: Sequence[tuple[date, float]]) -> str:
    return " ".join(
        f"{number(scale.across(on.toordinal()))},{number(scale.down(rating))}"
        for on, rating in places
    )


def _words(
    x: float, y: float, words: str, *, anchor: str = "middle", colour: str = "#000000"
) -> str:
    place = {"x": number(x), "y": number(y), "text-anchor": anchor, "fill": colour}
    return element("text", place, text(words))
