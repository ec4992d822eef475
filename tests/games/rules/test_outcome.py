"""Outcomes of open scoring games."""

import pytest

from games.rules.outcome import Outcome
from games.rules.records.tags import read_conditions
from games.rules.registry import find_game


def position_after(game, board, *turns):
    position = find_game(game).start(read_conditions({"Game": game, "Board": board}))
    for turn in turns:
        position = position.play(turn)
    return position


@pytest.mark.parametrize(
    ("position", "expected"),
    [
        pytest.param(
            position_after("star-star", "10", "S60"),
            Outcome(
                bounds=((2, 49), (2, 49)),
                detail={
                    "first": {"peries": 0, "quarks": 0, "stars": 0},
                    "second": {"peries": 0, "quarks": 0, "stars": 0},
                },
            ),
            id="star-star",
        ),
        pytest.param(
            position_after("star", "5x6", "A1"),
            Outcome(
                bounds=((1, 31), (0, 30)),
                detail={"first": {"stars": 1, "touches": 3}, "second": {"stars": 0, "touches": 0}},
            ),
            id="star",
        ),
    ],
)
def test_an_open_outcome_has_bounds_and_counts(position, expected):
    assert position.outcome() == expected
