"""The examples of turns, results and patterns are legal in their game, on every board."""

import pytest

from games.rules.examples import example_result, example_turns
from games.rules.patterns import example_pattern, parse_pattern
from games.rules.records.record import Record
from games.rules.records.tags import read_conditions
from games.rules.registry import GAMES

BOARDS = [(code, board) for code, rules in GAMES.items() for board in rules.boards]


@pytest.mark.parametrize(("code", "board"), BOARDS)
def test_they_can_be_typed(code: str, board: str) -> None:
    conditions = read_conditions({"Game": code, "Board": board})
    result = example_result(conditions)
    ending = f" agreed {result}" if result else ""
    Record.parse(f"{Record(conditions=conditions)}{example_turns(conditions)}{ending}").replay()
    start = GAMES[code].start(conditions)
    assert parse_pattern(example_pattern(start.board), start.board, GAMES[code].canonical)


def test_a_game_without_scores_has_a_win() -> None:
    results = {
        code: example_result(read_conditions({"Game": code, "Board": rules.first_board}))
        for code, rules in GAMES.items()
    }
    assert results["star-star"] == "26-25"
    assert results["hex"] == "1-0"
    assert results["queens"] == ""
