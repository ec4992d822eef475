"""A chart of a player's rating over time as SVG: a point after each batch, with its interval.

Each point has its numbers as a title.
"""

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Final, NamedTuple

from games.rules.diagram.svg import circle, element, points, text
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
from ratings.systems.elo import MILLI
from ratings.systems.intervals import Interval
from ratings.systems.lists import format_decimal

CHART_LEFT, CHART_TOP, CHART_WIDTH, HEIGHT = 60, 40, 560, 260
GRID_STEPS: Final = (10, 20, 50, 100, 200, 500, 1000, 2000)
MOST_GRID_LINES: Final = 8
RATING_POINT_RADIUS: Final = 3
RATING_TEXT: Final = gettext_noop("{day}: {rating}, {low} to {high}")
RATING_ALONE: Final = gettext_noop("{day}: {rating}")
ERROR_BAR: Final = 12
"""Half the width of the interval if all points are on one day."""


class RatingPoint(NamedTuple):
    """A rating in milli after a batch, with its interval in points, if it has one."""

    on: date
    rating: int
    interval: Interval | None

    @property
    def ends(self) -> Interval:
        """Return the interval, or else the rating itself, in points."""
        return self.interval or Interval(self.rating // MILLI, -(-self.rating // MILLI))


def draw_ratings(
    title: str, ratings: Sequence[RatingPoint], language: ChartLanguage = ENGLISH
) -> str:
    """Return the chart of one or more points, oldest first."""
    scale = _Scale.of(ratings)
    size = CHART_LEFT + CHART_WIDTH + 45, CHART_TOP + HEIGHT + 40
    axes, line = _axes(scale, language), _line(scale, ratings, language)
    band = _band(scale, ratings)
    return draw_chart(title, size, CHART_LEFT, band, *axes, draw_series(*line))


class _Scale(NamedTuple):
    """The days and the ratings (in points) at the edges, and the ratings between two lines."""

    first_day: int
    last_day: int
    lowest: int
    highest: int
    step: int

    @classmethod
    def of(cls, ratings: Sequence[RatingPoint]) -> "_Scale":
        low = min(min(point.ends.low, point.rating // MILLI) for point in ratings)
        high = max(max(point.ends.high, -(-point.rating // MILLI)) for point in ratings)
        step = next(
            (step for step in GRID_STEPS if high - low <= step * (MOST_GRID_LINES - 2)),
            GRID_STEPS[-1],
        )
        first_day, last_day = ratings[0].on.toordinal(), ratings[-1].on.toordinal()
        lowest = low // step * step
        return cls(first_day, last_day, lowest, max(-(-high // step) * step, lowest + step), step)

    def place(self, day: int, rating: float) -> Point:
        days = self.last_day - self.first_day
        across = (day - self.first_day) / days if days else 1 / 2
        down = (self.highest - rating) / (self.highest - self.lowest)
        return complex(CHART_LEFT + CHART_WIDTH * across, CHART_TOP + HEIGHT * down)


def _axes(scale: _Scale, language: ChartLanguage) -> Iterator[str]:
    """Yield the lines with their ratings, and the first and the last day at the edges."""
    for rating in range(scale.lowest, scale.highest + 1, scale.step):
        start = complex(CHART_LEFT, scale.place(scale.first_day, rating).imag)
        yield draw_line(start, start + CHART_WIDTH, paint("chart-grid"))
        yield draw_words(start + complex(-8, 4), str(rating), anchor="end")
    days = sorted({scale.first_day, scale.last_day})
    anchors = ("start", "end") if len(days) == 2 else ("middle",)
    for day, anchor in zip(days, anchors, strict=True):
        place = scale.place(day, scale.lowest) + 20j
        yield draw_words(place, language.write_day(date.fromordinal(day)), anchor=anchor)


def _band(scale: _Scale, ratings: Sequence[RatingPoint]) -> str:
    """Return the area between the ends of the intervals; on a single day, that of the last one.

    Ratings without an interval are left out.
    """
    ratings = [point for point in ratings if point.interval]
    if not ratings:
        return ""
    if scale.first_day == scale.last_day:
        last = ratings[-1].ends
        top, bottom = (scale.place(scale.first_day, end) for end in (last.high, last.low))
        corners = points((top - ERROR_BAR, top + ERROR_BAR, bottom + ERROR_BAR, bottom - ERROR_BAR))
        return element("polygon", {"points": corners} | paint("chart-band"))
    upper = [scale.place(point.on.toordinal(), point.ends.high) for point in ratings]
    lower = [scale.place(point.on.toordinal(), point.ends.low) for point in ratings]
    corners = points((*upper, *reversed(lower)))
    return element("polygon", {"points": corners} | paint("chart-band"))


def _line(scale: _Scale, ratings: Sequence[RatingPoint], language: ChartLanguage) -> Iterator[str]:
    places = [scale.place(point.on.toordinal(), point.rating / MILLI) for point in ratings]
    corners = points(tuple(places))
    yield element("polyline", {"points": corners, "fill": "none", "stroke": "currentColor"})
    for place, (on, rating, interval) in zip(places, ratings, strict=True):
        words = language.say(
            RATING_TEXT if interval else RATING_ALONE,
            day=language.write_day(on),
            rating=language.write_decimal(format_decimal(rating, 3)),
            **(interval._asdict() if interval else {}),
        )
        title = element("title", {}, text(words))
        yield element(
            "circle", circle(place, RATING_POINT_RADIUS) | {"fill": "currentColor"}, title
        )
