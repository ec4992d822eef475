"""The outcome of a game: what is typed, claimed, ruled or proven, to JSON and to columns."""

from functools import partial
from typing import Any

import pytest

from games.core.errors import Unprocessable
from games.models import Game, Player, Report
from games.play.outcomes import (
    check_conditions,
    claimed_outcome,
    full_result,
    possible_results,
    ruled_outcome,
)
from games.play.settlement import Settlement
from games.rules.game_outcome import GameOutcome, RulingTermination
from games.rules.outcome import Termination
from games.rules.records.record import Record
from games.rules.seat import Seat
from tests.events import TAGS

PROVEN = Record.parse(TAGS + "S10 T10 agreed 11-10\n")
CONDITIONS = {"game": "star-star", "board": "4"}
SETTLED = {
    "state": "confirmed", "basis": "proof", "record_id": None, "dispute": "", "adjourned": False
}  # fmt: skip


def make(ruleset: str = "star-star", board: str = "4", **fields: Any) -> Game:
    """A game of two players, which is not saved."""
    first, second = Player(pk=1, name="Ada"), Player(pk=2, name="Ben")
    values = {"swap": True, "first": first, "second": second} | fields
    return Game(game=ruleset, board=board, **values)


@pytest.mark.parametrize(
    ("typed", "result"),
    [
        (" 1 ", "1-0"), ("0", "0-1"), ("=", "1/2"), ("½", "1/2"), ("+", "1-0f"), ("-", "0-1f"),
        ("+--", "1-0f"), ("--+", "0-1f"), ("--", "0-0f"), ("14:7", "14-7"), ("14 7", "14-7"),
        ("-3–5", "-3-5"), ("9999,1", "9999-1"),
        ("14/7", "14/7"), ("12345-1", "12345-1"), ("resign", "resign"), ("1-0f", "1-0f"),
    ],
)  # fmt: skip
def test_a_result_as_people_type_it(typed: str, result: str) -> None:
    assert full_result(typed) == result


CLAIMS = [
    ("11-10", "agreed", ("first", (11, 10), "agreed")),
    ("10-11", "agreed", ("second", (10, 11), "agreed")),
    ("1-0", "resigned", ("first", None, "resigned")),
    ("0-1", "time", ("second", None, "time")),
    # A score is that of a full board, however the game is said to have ended.
    ("11-10", "resigned", ("first", (11, 10), "agreed")),
]


@pytest.mark.parametrize(("result", "termination", "expected"), CLAIMS)
def test_what_a_claim_states(
    result: str, termination: str, expected: tuple[str, tuple[int, int] | None, str]
) -> None:
    found = claimed_outcome(make(), result, Termination(termination))
    assert (found.winner, found.score, found.termination) == expected


WINS = "1-0 for a win of the first seat, 0-1 of the second"
AS_SLIP = partial(ruled_outcome, termination=Termination.AGREED)
AS_RULING = partial(ruled_outcome, termination=RulingTermination.RULED)
FORFEITED = f"{WINS}; 1-0f, 0-1f, 0-0f for a forfeit"


@pytest.mark.parametrize(
    ("game", "read", "forms"),
    [
        (make(), AS_SLIP, f"a score such as 13-8; {FORFEITED}"),
        (
            make(),
            AS_RULING,
            f"a score such as 13-8; {FORFEITED}; 0-0 for a played game that both lose",
        ),
        (make("hex", "11"), claimed_outcome, WINS),
        (make("twixt", "24"), claimed_outcome, f"{WINS}; 1/2 for a draw"),
    ],
)
def test_what_is_no_result_is_refused_with_the_forms_of_the_game(
    game: Game, read: Any, forms: str
) -> None:
    for text in ("won", "12345-1", "1/2f", "26", "1-0 f"):
        with pytest.raises(Unprocessable) as caught:
            read(game, text)
        assert caught.value.detail == f"a result of this game is {forms}"


@pytest.mark.parametrize("result", ["11-11", "1-0", "1/2"])
def test_an_impossible_claim_names_the_result(result: str) -> None:
    with pytest.raises(Unprocessable) as caught:
        claimed_outcome(make(), result)
    (error,) = caught.value.errors
    assert (caught.value.code, error["pointer"]) == ("impossible_result", "/claim/result")
    assert error.keys() == {"pointer", "code", "detail"}  # a claim has no ply
    assert ("termination" in error["detail"]) == (result == "1-0")


def test_a_game_without_scores_can_be_claimed_as_played_to_the_end() -> None:
    found = claimed_outcome(make("hex", "11"), "1-0")
    assert (found.winner, found.score, found.termination) == (Seat.FIRST, None, "agreed")
    assert possible_results(make("hex", "11")) == ["1-0", "0-1"]
    assert "11-10" in possible_results(make())


@pytest.mark.parametrize(
    ("result", "termination", "game", "expected"),
    [
        ("11-10", RulingTermination.RULED, make(), ("first", False, 11, 10, "ruled")),
        ("10-11", Termination.TIME, make(), ("second", False, 10, 11, "time")),
        ("0-1", RulingTermination.FORFEIT, make(), ("second", False, None, None, "forfeit")),
        ("0-0", RulingTermination.FORFEIT, make(), ("", False, None, None, "double_forfeit")),
        ("0-0", RulingTermination.RULED, make(), ("", False, None, None, "ruled")),
        ("1/2", RulingTermination.RULED, make("twixt", "24"), ("", True, None, None, "ruled")),
    ],
)
def test_what_a_ruling_states(
    result: str, termination: Any, game: Game, expected: tuple[Any, ...]
) -> None:
    columns = columns_of(ruled_outcome(game, result, termination))
    assert tuple(columns.values()) == expected
    assert list(columns) == ["winner", "draw", "score_first", "score_second", "termination"]


@pytest.mark.parametrize(
    ("result", "termination"),
    [
        ("1/2", RulingTermination.RULED),
        ("11-10", RulingTermination.FORFEIT),
        ("1/2", RulingTermination.FORFEIT),
    ],
)
def test_an_impossible_ruling_names_the_result(result: str, termination: Any) -> None:
    with pytest.raises(Unprocessable) as caught:
        ruled_outcome(
            make("twixt" if termination == "forfeit" else "star-star"), result, termination
        )
    (error,) = caught.value.errors
    assert (caught.value.code, error["pointer"]) == ("impossible_result", "/result")


@pytest.mark.parametrize(
    ("tags", "fields", "pointers"),
    [
        ("", {}, []),
        ('[Swap "no"]', {}, ["swap"]),
        ("", {"swap": False}, ["swap"]),
        ('[Handicap "second 2 stones"]', {}, ["swap", "handicap"]),
        ("", {"board": "6"}, ["board"]),
        ('[First "Ada"]\n[Second "Ben"]', {}, []),
        ('[First "Ben"]\n[Second "Ada"]', {}, ["tags/First"]),
        ('[First "Ben"]\n[Second "Cleo"]', {}, []),  # as their names are spelled elsewhere
        (
            '[First "Ada"]\n[Second "Ada"]',
            {"second": Player(pk=2, name="Ada")},
            [],
        ),
    ],
)
def test_a_record_has_the_conditions_of_its_game(
    tags: str, fields: dict[str, Any], pointers: list[str]
) -> None:
    head = TAGS.strip() + "\n" + (f"{tags}\n" if tags else "") + "\n"
    record = Record.parse(head + "S10 T10 resign\n" if "Handicap" not in tags else head + "resign")
    found = []
    try:
        check_conditions(make(**fields), record)
    except Unprocessable as error:
        found = [each["pointer"].removeprefix("/record/") for each in error.errors]
    assert found == pointers


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
    assert GameOutcome.from_json(outcome.as_json()) == outcome


@pytest.mark.parametrize(
    "value",
    [
        [],
        {"winner": "black"},
        {"termination": "bored"},
        {"score": {"first": 11}},
        {"winner": ["first"]},
    ],
)
def test_other_json_is_rejected(value: Any) -> None:
    with pytest.raises(ValueError):
        GameOutcome.from_json(value)
