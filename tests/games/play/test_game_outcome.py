"""The outcome of a game: from a record or a stated result to JSON and to columns."""

from typing import Any

import pytest

from games.models import Game, Report
from games.play.settlement import Settlement
from games.rules.errors import RecordError
from games.rules.game_outcome import GameOutcome, RulingTermination
from games.rules.outcome import Termination
from games.rules.records.record import Record
from games.rules.seat import Seat

PROVEN = Record.parse('[Game "star-star"]\n[Board "4"]\n\nS10 T10 agreed 11-10\n')
CONDITIONS = {"game": "star-star", "board": "4"}
SETTLED = {
    "state": "confirmed", "basis": "proof", "record_id": None, "dispute": "", "adjourned": False
}  # fmt: skip


def columns_of(outcome: GameOutcome) -> dict[str, Any]:
    """Return the columns of a game with this outcome, without those that do not depend on it."""
    report = Report(outcome=outcome.as_json())
    columns = Settlement(Game.State.CONFIRMED, Game.Basis.PROOF, report).as_columns()
    assert columns.items() >= SETTLED.items()
    return {name: value for name, value in columns.items() if name not in SETTLED}


def test_a_verdict_gives_the_outcome_with_its_detail() -> None:
    outcome = GameOutcome.from_verdict(PROVEN.replay())

    assert outcome.as_json() == {
        "winner": "first",
        "draw": False,
        "score": {"first": 11, "second": 10},
        "termination": "agreed",
        "detail": {seat: {"peries": 0, "quarks": 0, "stars": 0} for seat in Seat},
    }
    assert columns_of(outcome) == {
        "winner": "first",
        "draw": False,
        "score_first": 11,
        "score_second": 10,
        "termination": "agreed",
    }


@pytest.mark.parametrize(
    ("result", "winner", "draw", "termination"),
    [
        ("1-0", "first", False, "forfeit"),
        ("0-1", "second", False, "forfeit"),
        ("1/2", "", True, "forfeit"),
        ("0-0", "", False, "double-forfeit"),
    ],
)
def test_a_result_without_a_score(result: str, winner: str, draw: bool, termination: str) -> None:
    outcome = GameOutcome.from_result(result, RulingTermination.FORFEIT)

    assert columns_of(outcome) == {
        "winner": winner,
        "draw": draw,
        "score_first": None,
        "score_second": None,
        "termination": termination,
    }


def test_an_agreed_result_is_checked_by_the_rules() -> None:
    outcome = GameOutcome.from_agreement(CONDITIONS, "10-11")

    assert outcome == GameOutcome(
        winner=Seat.SECOND, score=(10, 11), termination=Termination.AGREED
    )
    with pytest.raises(RecordError):
        GameOutcome.from_agreement(CONDITIONS, "10-12")


@pytest.mark.parametrize(
    "outcome",
    [
        GameOutcome.from_verdict(PROVEN.replay()),
        GameOutcome.from_agreement(CONDITIONS, "10-11"),
        GameOutcome.from_result("1/2", RulingTermination.RULED),
        GameOutcome.from_result("0-0", RulingTermination.FORFEIT),
        GameOutcome.from_result("0-1", Termination.TIME),
    ],
)
def test_json_gives_the_outcome_back(outcome: GameOutcome) -> None:
    assert GameOutcome.from_json(outcome.as_json()) == outcome


@pytest.mark.parametrize(
    "value",
    [
        [],
        "first",
        {"winner": "black"},
        {"termination": "bored"},
        {"score": 11},
        {"score": {"first": 11}},
        {"winner": ["first"]},
    ],
)
def test_other_json_is_rejected(value: Any) -> None:
    with pytest.raises(ValueError):
        GameOutcome.from_json(value)
