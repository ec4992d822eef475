"""Outcomes as values: their fields, also in a copy."""

import copy
import dataclasses
import pickle

import pytest

from games.rules.outcome import Outcome, Termination
from games.rules.records.tags import read_conditions
from games.rules.registry import find_game
from games.rules.seat import Seat


def position_after(game, board, *turns):
    position = find_game(game).start(read_conditions({"Game": game, "Board": board}))
    for turn in turns:
        position = position.play(turn)
    return position


STAR_STAR = position_after("star-star", "10", "S60")
STAR = position_after("star", "5x6", "A1")

OPEN = [
    pytest.param(
        STAR_STAR,
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
        STAR,
        Outcome(
            bounds=((1, 31), (0, 30)),
            detail={"first": {"stars": 1, "touches": 3}, "second": {"stars": 0, "touches": 0}},
        ),
        id="star",
    ),
]


@pytest.mark.parametrize(("position", "expected"), OPEN)
@pytest.mark.parametrize(
    "duplicate",
    [
        pytest.param(lambda outcome: outcome, id="itself"),
        pytest.param(copy.copy, id="copy"),
        pytest.param(copy.deepcopy, id="deepcopy"),
        pytest.param(lambda outcome: pickle.loads(pickle.dumps(outcome)), id="pickle"),
        pytest.param(dataclasses.replace, id="replace"),
        pytest.param(lambda outcome: Outcome(**dataclasses.asdict(outcome)), id="asdict"),
    ],
)
def test_an_outcome_and_its_copies_have_all_fields(position, expected, duplicate):
    assert duplicate(position.outcome()) == expected
    assert expected == duplicate(position.outcome())
    assert hash(duplicate(position.outcome())) == hash(expected)
    assert repr(duplicate(position.outcome())) == repr(expected)
    assert dataclasses.asdict(duplicate(position.outcome())) == dataclasses.asdict(expected)


@pytest.mark.parametrize(
    "change",
    [
        {"termination": Termination.RESIGNED, "winner": Seat.FIRST},
        {"bounds": ((2, 48), (3, 49))},
        {"detail": {}},
        {"winner_decided": Seat.SECOND},
    ],
)
def test_every_field_of_an_outcome_can_be_replaced(change):
    changed = dataclasses.replace(STAR_STAR.outcome(), **change)

    assert changed != STAR_STAR.outcome()
    assert {name: getattr(changed, name) for name in change} == change
    assert dataclasses.asdict(changed) == dataclasses.asdict(STAR_STAR.outcome()) | change


@pytest.mark.parametrize("outcome", [Outcome(), STAR_STAR.outcome()], ids=["plain", "star-star"])
def test_an_outcome_cannot_be_changed_and_has_no_other_fields(outcome):
    with pytest.raises(dataclasses.FrozenInstanceError):
        outcome.bounds = None
    with pytest.raises(AttributeError, match="'Outcome' object has no attribute 'winer'"):
        _ = outcome.winer
