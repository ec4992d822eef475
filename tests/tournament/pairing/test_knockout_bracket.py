"""The bracket of a knockout as it is drawn: who meets whom, who advances, what is still open."""

from typing import Any

import pytest

from tests.tournament.pairing.events import event
from tests.tournament.pairing.test_knockout_progress import EIGHT, WITH_THIRD_PLACE
from tournament.pairing.systems.knockout import draw_bracket
from tournament.pairing.systems.ties import NOTHING_RUNNING, DrawnTie, Running
from tournament.standings.crosstable import Crosstable


def side(tie: DrawnTie, index: int) -> str:
    """Return a side: its number, `?` if it is open, `-` for a bye; the winner has a star."""
    number = tie.sides[index]
    name = str(number) if number else "?" if tie.is_open[index] else "-"
    return f"{name}*" if number and tie.winner == number else name


def picture(
    table: Crosstable, options: dict[str, Any] | None = None, running: Running = NOTHING_RUNNING
) -> list[str]:
    """Return a line for each stage; an equals sign is before the game for third place."""
    stages = draw_bracket(table, options or {}, (), {}, running)
    return [
        " ".join(f"{'=' if tie.is_for_third else ''}{side(tie, 0)}-{side(tie, 1)}" for tie in stage)
        for stage in stages
    ]


THIRD = {"third_place": True}
FIRST_STAGE = "1*-8 4*-5 2*-7 3*-6"
BRACKETS = {
    "nothing is played": (EIGHT, 0, {}, ["1-8 4-5 2-7 3-6", "?-? ?-?", "?-?"]),
    "one stage": (EIGHT, 1, {}, [FIRST_STAGE, "1-4 2-3", "?-?"]),
    "third place is open": (EIGHT, 1, THIRD, [FIRST_STAGE, "1-4 2-3", "?-? =?-?"]),
    "third place is due": (EIGHT, 2, THIRD, [FIRST_STAGE, "1*-4 2*-3", "1-2 =4-3"]),
    "all is played": (EIGHT, 3, {}, [FIRST_STAGE, "1*-4 2*-3", "1*-2"]),
    "with third place": (WITH_THIRD_PLACE, 3, THIRD, [FIRST_STAGE, "1*-4 2*-3", "1*-2 =4-3*"]),
    "a bye": ("F 2f1\n3f1 1s0\n2s0 .", 2, THIRD, ["1*-- 2*-3", "1*-2"]),
    "both were absent": ("4f- .\n3s1 F\n2f0 .\n1s- .", 2, {}, ["1-4 2*-3", "--2*"]),
    "against the seeds": ("3f1 2f1\n4f1 1s0\n1s0 .\n2s0 .", 2, {}, ["1*-3 2*-4", "1*-2"]),
}  # fmt: skip


@pytest.mark.parametrize(
    ("table", "through", "options", "expected"), BRACKETS.values(), ids=list(BRACKETS)
)
def test_a_bracket(table: str, through: int, options: dict[str, Any], expected: list[str]) -> None:
    rounds = len(expected)
    assert picture(event(table, rounds=rounds).after(through), options) == expected


def test_a_tie_of_several_games_is_over_when_nobody_can_catch_up() -> None:
    options = {"best_of": 3}
    table = event("2f1 2s1 .\n1s0 1f0 .", rounds=3)
    (tie,) = draw_bracket(table.after(1), options, (), {}, NOTHING_RUNNING)[0]
    assert (tie.winner, tie.points) == (None, (2, 0))
    (tie,) = draw_bracket(table.after(2), options, (), {}, NOTHING_RUNNING)[0]
    assert (tie.winner, tie.points) == (1, (4, 0))


def test_a_round_that_is_played_shows_its_pairs_and_results() -> None:
    """The pairs were set by hand; one game has a result."""
    table = event(". .\n. .\n4f1 .\n3s0 .", rounds=2)
    pairs = {1: {frozenset({1, 2}), frozenset({3, 4})}}
    running = Running(pairs, unsettled=frozenset({1, 2}))
    assert picture(table, {}, running) == ["1-2 3*-4", "?-3"]
