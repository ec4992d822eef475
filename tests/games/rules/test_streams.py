"""Many records in one text: where each starts, and the effect of an unreadable one."""

import random
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.records.notation import LONGEST_RECORD
from games.rules.records.record import Record
from games.rules.records.streams import judge, judge_records, parse_records
from tests.games.rules.sample_records import HEAD


def codes(text):
    return [verdict.errors[0].code if verdict.errors else None for verdict in judge_records(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param(f"{HEAD}S10\n{HEAD}S20", [None, None], id="a tag after moves"),
        pytest.param(f"{HEAD}*\n{HEAD}", [None, None], id="a tag after a result"),
        pytest.param(f"{HEAD}S10 {{\n{HEAD}}} S20", [None], id="a tag in a comment does not count"),
        pytest.param(f"{HEAD}S10 ; {{\n{HEAD}S10", [None, None], id="a brace in a line comment"),
        pytest.param(f"{HEAD}{{a}} {{b\n}}\n{HEAD}S10", ["bad_tag"], id="comments are not moves"),
        pytest.param(f"{HEAD}S10 }}\n{HEAD}S10", ["unreadable", None], id="after a broken record"),
        pytest.param(f"{HEAD}S10\n[Game\n{HEAD}S10", [None, "unreadable"], id="a broken tag"),
        pytest.param(f"{HEAD}\xa0\n{HEAD}S10", ["unreadable", None], id="foreign white space"),
        pytest.param(f"S10\n{HEAD}S10", ["unreadable", None], id="moves without tags"),
        pytest.param(f"{HEAD}S10 {{\n{HEAD}S20", ["unreadable"], id="a comment that is not closed"),
        pytest.param(
            f'[Game "go"]\n[Board "9"]\nx\n{HEAD}', ["unknown_game", None], id="an unknown game"
        ),
        pytest.param("", ["unreadable"], id="nothing"),
        pytest.param(" \n\n", ["unreadable"], id="white space"),
        pytest.param("\0\0\0", ["unreadable"], id="zero bytes"),
        pytest.param("x" * (2 * LONGEST_RECORD), ["unreadable"], id="a line that is too long"),
        pytest.param(
            HEAD + "S10\n" * LONGEST_RECORD, ["unreadable"], id="a record that is too long"
        ),
    ],
)
def test_where_records_start(text, found):
    assert codes(text) == found
    assert codes(StringIO(text)) == found


def test_errors_have_their_place_in_the_file():
    (_, error) = parse_records(f"{HEAD}S10\n\n\n{HEAD}S10 $")

    assert (error.line, error.column) == (8, 5)


def test_a_second_record_is_rejected_if_one_is_expected():
    (error,) = judge(f"{HEAD}S10\n{HEAD}S10").errors

    assert (error.code, error.line) == ("unreadable", 4)


RECORD_TEXT = st.sampled_from(
    ["S10", "s20", "swap", "resign", "agreed", "26-25", "*", "{", "}", ";", "\n", '[Game "hex"]\n',
     HEAD, "12.", "/", "\0", " ", '"', "[", "A40", "1-0", "C", "x", "S10,A20", "(>)"]
)  # fmt: skip


@given(st.lists(RECORD_TEXT, max_size=40).map("".join) | st.text(max_size=200))
def test_any_text_gives_verdicts(text):
    verdicts = list(judge_records(HEAD + text))

    assert verdicts
    for verdict in verdicts:
        assert verdict.is_valid is not bool(verdict.errors)


@given(st.lists(RECORD_TEXT, max_size=40).map("".join))
def test_every_readable_record_can_be_written(text):
    for record in parse_records(HEAD + text):
        if isinstance(record, Record):
            assert Record.parse(str(record)) == record
            assert Record.from_json(record.as_json()) == record


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(random.Random(1).randbytes(1_000_000).decode("latin-1"), id="noise"),
        pytest.param(HEAD + "{} " * 333_000 + "\n[Board", id="comments and a broken tag"),
        pytest.param(HEAD + '[A "' + "\\" * 990_000, id="backslashes"),
        pytest.param(HEAD + "1." * 499_000, id="move numbers"),
        pytest.param(HEAD + "S10 {x} " * 124_000, id="comments between"),
        pytest.param("[" + '[A "x"]\n' * 120_000, id="tags"),
    ],
)
def test_a_million_characters_are_rejected_in_linear_time(text):
    # Not timed: an algorithm with quadratic cost would take hours.
    verdict = judge(text)

    assert not verdict.is_valid or verdict.plies == 0
    assert len(str(verdict.errors)) < 2_000


def test_a_byte_order_mark_may_start_a_file_once():
    (valid,) = judge_records(f"\ufeff{HEAD}S10")
    (doubled,) = judge_records(f"\ufeff\ufeff{HEAD}S10")
    (error,) = doubled.errors

    assert valid.is_valid
    assert (error.code, error.line) == ("unreadable", 1)
    assert error.detail == "a second byte order mark; a file starts with at most one"


def test_a_missing_tag_has_the_line_of_its_record():
    (_, game, board) = judge_records(f'{HEAD}S10\n[Board "4"]\n\nS10\n\n[Game "hex"]\n\na1')

    assert [(e.code, e.line) for v in (game, board) for e in v.errors] == [
        ("unknown_game", 4),
        ("unknown_board", 8),
    ]
