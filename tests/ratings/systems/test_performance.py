"""The rating performance."""

import pytest

from ratings.systems.performance import perfect_rating


@pytest.mark.parametrize(
    ("opponents", "half_points", "rating"),
    [
        ([1500], 1, 1497),  # from -3 on, the table gives one half
        ([1500, 1700], 4, 2436),
        ([1500, 1700], 0, 700),
        ([1500, 1500, 1500, 1500], 6, 1689),  # three of four: .75 begins at 189
    ],
)
def test_the_rating_performance(opponents: list[int], half_points: int, rating: int) -> None:
    assert perfect_rating(opponents, half_points) == rating
