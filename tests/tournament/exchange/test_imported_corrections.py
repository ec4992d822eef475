"""Corrections in a bundle are checked: what showing and undoing them reads is complete."""

from copy import deepcopy
from typing import Any

import pytest

from tournament.exchange.bundle_verification import check_correction, check_counted
from tournament.models import Correction

RESULT = {
    "state": "confirmed", "basis": "ruling", "winner": "first", "draw": False,
    "termination": "ruled", "score": [11, 10], "record": "", "detail": None,
}  # fmt: skip
GAME = {
    "game": 5, "round": 1, "board": 1, "first": 1, "second": 2, "report": 2, "before": RESULT,
    "after": RESULT, "counted": [None, {"pairings": {"5": RESULT}}],
}  # fmt: skip
BYE = {"entry": 1, "round": 1, "bye": [None, "half_bye"]}
ENTRY = {"entry": 2, "before": {"category": ""}, "after": {"category": "u18"}}
BOARD = {"code": "opponents", "board": 1, "entries": [1, 2], "engine": [[1, None]]}
EFFECT = {
    "standings": [{"entry": 1, "rank": [1, 2], "values": {}}],
    "rounds": [{"round": 2, "state": "complete", "boards": [BOARD]}],
    "prizes": [],
    "ratings": [
        {"pool": "star", "tournaments": [], "players": [{"player": 3, "rating": [None, "1"]}]}
    ],
    "advances": None,
}


def check(changes: Any, effect: Any) -> None:
    correction = Correction(changes=changes, effect=effect)
    check_correction(correction, entries={1, 2}, reports={(5, 1), (5, 2)})


def test_a_complete_correction_is_valid() -> None:
    check([GAME, BYE, ENTRY], EFFECT)


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ((0, "report"), 3),
        ((0, "first"), 3),
        ((0, "before"), {}),
        ((0, "after", "score"), ["11", "10"]),
        ((0, "after", "winner"), "third"),
        ((0, "after", "state"), "won"),
        ((0, "counted"), None),
        ((1, "entry"), 9),
        ((1, "bye"), [None, "game"]),
        ((2, "after"), {"player_id": 7}),
        ((1,), "a bye"),
    ],
)
def test_changes_that_cannot_be_undone(place: tuple[Any, ...], value: object) -> None:
    changes: Any = deepcopy([GAME, BYE, ENTRY])
    *path, name = place
    found = changes
    for step in path:
        found = found[step]
    found[name] = value

    with pytest.raises(ValueError, match=r"\w"):
        check(changes, EFFECT)


@pytest.mark.parametrize("name", EFFECT)
def test_effects_that_cannot_be_shown(name: str) -> None:
    with pytest.raises(ValueError, match="cannot be read"):
        check([], {**EFFECT, name: [1]})


@pytest.mark.parametrize("counted", ["all", {"prizes": {}}, {"pairings": {"5": {}}}])
def test_results_that_count_are_complete(counted: object) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        check_counted(counted)
