"""The time of a game and its class."""

import pytest

from games.models.time_controls import (
    MOST_INCREMENT_SECONDS,
    MOST_MAIN_MINUTES,
    SenselessTime,
    TimeControl,
)


@pytest.mark.parametrize(
    ("main", "increment", "expected"),
    [
        (None, 0, None),
        (3, 0, "bullet"),
        (3, 1, "blitz"),
        (10, 0, "blitz"),
        (10, 1, "rapid"),
        (59, 0, "rapid"),
        (60, 0, "standard"),
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
