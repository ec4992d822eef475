"""The time of a game and its class."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.models.time_controls import (
    MOST_INCREMENT_SECONDS,
    MOST_MAIN_MINUTES,
    SenselessTime,
    TimeClass,
    TimeControl,
)


@pytest.mark.parametrize(
    ("main", "increment", "expected"),
    [
        (None, 0, None),
        (1, 0, "bullet"),
        (2, 1, "bullet"),
        (3, 0, "bullet"),
        (3, 1, "blitz"),
        (3, 2, "blitz"),  # FIDE's usual blitz
        (10, 0, "blitz"),
        (0, 10, "blitz"),
        (10, 1, "rapid"),
        (15, 10, "rapid"),  # FIDE's usual rapid
        (59, 0, "rapid"),
        (30, 30, "standard"),
        (60, 0, "standard"),
        (90, 30, "standard"),
    ],
)
def test_the_class_follows_from_60_moves(
    main: int | None, increment: int, expected: str | None
) -> None:
    assert TimeControl(main, increment).time_class == expected


@pytest.mark.parametrize(
    ("main", "increment", "members"),
    [
        (None, 1, ("increment_seconds", "main_minutes")),
        (0, 0, ("main_minutes", "increment_seconds")),
        (-1, 5, ("main_minutes",)),
        (5, -1, ("increment_seconds",)),
        (MOST_MAIN_MINUTES + 1, 0, ("main_minutes",)),
        (5, MOST_INCREMENT_SECONDS + 1, ("increment_seconds",)),
    ],
)
def test_an_impossible_time_is_refused(
    main: int | None, increment: int, members: tuple[str, ...]
) -> None:
    with pytest.raises(SenselessTime) as refused:
        TimeControl(main, increment)
    assert refused.value.members == members


@given(st.integers(1, MOST_MAIN_MINUTES - 1), st.integers(0, MOST_INCREMENT_SECONDS - 1))
def test_more_time_is_never_a_faster_class(main: int, increment: int) -> None:
    def speed(*times: int) -> int:
        found = TimeControl(*times).time_class
        assert found is not None
        return list(TimeClass).index(found)

    assert speed(main, increment) <= min(speed(main + 1, increment), speed(main, increment + 1))
