"""Records, the picture of their last position, and the verdict: one file per case."""

import json
from pathlib import Path

import pytest

from games.rules.records.record import Record
from games.rules.records.replay import play_turns
from games.rules.records.streams import judge
from games.rules.registry import find_game
from games.rules.text_picture import parse_position

CASES = sorted((Path(__file__).parent / "data" / "pictures").glob("*.txt"))


@pytest.mark.parametrize("path", CASES)
def test_picture_and_verdict_of_a_record(path):
    text, picture, expected = path.read_text().split("\n----\n")
    record = Record.parse(text)
    position = play_turns(find_game(record.conditions.game).start(record.conditions), record.moves)
    verdict = json.loads(json.dumps(judge(record).as_json()))

    assert str(position).rstrip() == picture
    assert parse_position(picture) == position
    assert parse_position(picture).outcome() == position.outcome()
    assert {key: verdict.get(key) for key in json.loads(expected)} == json.loads(expected)
