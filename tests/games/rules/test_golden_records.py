"""Records with verdicts of an independent scorer; a new pair of files needs no code."""

import csv
import json
from pathlib import Path

import pytest

from games.rules.records.record import Record
from games.rules.records.streams import judge, judge_records, parse_records
from games.rules.registry import GAMES

DATA = Path(__file__).parent / "data"
SAMPLES = Path(__file__).parents[3] / "deploy" / "samples"

RECORDS = sorted([*DATA.glob("records/*.rec"), *DATA.glob("olympiad-2010/*.rec")])
VALID = [path for path in RECORDS if json.loads(path.with_suffix(".json").read_text())["valid"]]


def test_the_verdict_equals_the_golden_one():
    golden = {path: json.loads(path.with_suffix(".json").read_text()) for path in RECORDS}
    found = {path: verdict_on(path) for path in RECORDS}

    assert {
        path.stem: {key: found[path].get(key) for key in values} for path, values in golden.items()
    } == {path.stem: values for path, values in golden.items()}


def verdict_on(path):
    """Return the verdict on a record in JSON, with what its first error says."""
    verdict = json.loads(json.dumps(judge(path.read_text()).as_json()))
    return verdict if verdict["valid"] else {**verdict, **verdict["errors"][0]}


def test_text_and_json_lose_nothing():
    records = {path.stem: Record.parse(path.read_text()) for path in VALID}

    assert {name: Record.parse(str(record)) for name, record in records.items()} == records
    assert {
        name: Record.from_json(json.loads(json.dumps(record.as_json())))
        for name, record in records.items()
    } == records


def test_every_game_has_golden_records():
    played = {
        record.conditions.game
        for path in RECORDS
        for record in parse_records(path.read_text())
        if isinstance(record, Record)
    }
    assert played == set(GAMES)


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*/round*.rec")))
def test_the_samples_prove_the_results_of_their_tables(path):
    with path.with_suffix(".csv").open(encoding="utf-8") as file:
        played = {
            row["board"]: (row["result"], row["termination"])
            for row in csv.DictReader(file)
            if row["second"] and row["termination"] != "forfeit"
        }
    proved = {}
    for record in parse_records(path.read_text(encoding="utf-8")):
        verdict = record.replay()
        result = (
            "{}-{}".format(*verdict.outcome.score)
            if verdict.outcome.score
            else {"first": "1-0", "second": "0-1"}[verdict.outcome.winner]
        )
        proved[record.tags["Table"]] = result, verdict.outcome.termination

    assert proved == played


def test_casual_games_with_handicaps_are_finished():
    verdicts = list(judge_records((DATA / "casual.rec").read_text(encoding="utf-8")))

    assert [verdict.state for verdict in verdicts] == ["finished"] * 40
