"""The chart of a player's rating."""

from datetime import date
from xml.etree import ElementTree

from ratings.systems.intervals import Interval
from ratings.systems.rating_chart import RatingPoint, draw_ratings

SVG = "{http://www.w3.org/2000/svg}"
FIRST = RatingPoint(date(2026, 3, 1), 1500_000, Interval(1400, 1600))
SECOND = RatingPoint(date(2026, 3, 11), 1550_500, Interval(1460, 1641))
THIRD = RatingPoint(date(2026, 3, 21), 1450_000, Interval(1380, 1520))


def test_each_point_is_at_its_day_and_rating_with_its_numbers() -> None:
    root = ElementTree.fromstring(draw_ratings("Ann <1>", [FIRST, SECOND, THIRD]))
    titles = [title.text for title in root.iter(f"{SVG}title")]
    assert titles == [
        "Ann <1>",
        "2026-03-01: 1500.000, 1400 to 1600",
        "2026-03-11: 1550.500, 1460 to 1641",
        "2026-03-21: 1450.000, 1380 to 1520",
    ]
    circles = [(circle.get("cx"), circle.get("cy")) for circle in root.iter(f"{SVG}circle")]
    # The ratings are from 1350 to 1650 in 260 pixels.
    assert circles == [("60", "170"), ("340", "126.2"), ("620", "213.3")]
    labels = [label.text for label in root.iter(f"{SVG}text")]
    assert labels[1:] == [*map(str, range(1350, 1651, 50)), "2026-03-01", "2026-03-21"]


def test_points_of_a_single_day_show_the_last_interval() -> None:
    later = RatingPoint(FIRST.on, 1500_000, Interval(1450, 1550))
    for ratings, corners in (
        ([FIRST], "328,40 352,40 352,300 328,300"),
        ([FIRST, later], "328,105 352,105 352,235 328,235"),
    ):
        root = ElementTree.fromstring(draw_ratings("Ann", ratings))
        (band,) = root.iter(f"{SVG}polygon")
        assert band.get("points") == corners
        assert [circle.get("cx") for circle in root.iter(f"{SVG}circle")] == ["340"] * len(ratings)


def test_a_rating_outside_of_its_interval_is_inside_of_the_chart() -> None:
    """After few games the strength can lie beyond the rating."""
    far = RatingPoint(FIRST.on, 1300_500, Interval(1400, 1600))
    root = ElementTree.fromstring(draw_ratings("Ann", [far, THIRD]))
    places = [float(circle.get("cy", "")) for circle in root.iter(f"{SVG}circle")]
    assert all(40 <= place <= 300 for place in places)
