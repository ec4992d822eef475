"""Errors of records: text by line and column, turns by ply, JSON by its key."""

from pathlib import Path

import pytest

import games.rules
from games.rules.errors import RecordError
from games.rules.records.notation import LONGEST_RECORD, MOST_WORDS
from games.rules.records.record import Record
from games.rules.records.streams import judge, judge_records
from tests.games.rules.sample_records import FULL, HEAD, text

FOREIGN_SPACE = (
    "\x0b\x0c\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007"
    "\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
"""What Unicode or Python takes for white space and a record does not."""


@pytest.mark.parametrize(
    ("tags", "code", "line"),
    [
        ('[Board "4"]', "unknown_game", 1),
        ('[Event "b"]\n[Game "star-star"]', "unknown_board", 1),
        ('[Game "chess"]\n[Board "8"]', "unknown_game", 1),
        *(
            (f'[Game "star-star"]\n[Board "{board}"]', "unknown_board", 2)
            for board in ("5", "04", "٤", "")
        ),
        ('[Game "star-star"]\n[Options "fewest"]\n[Board "7"]', "bad_tag", 2),
        ('[Game "star-star"]\n[Board "4"]\n[Swap "maybe"]', "bad_tag", 3),
        ('[Game "penta-hex"]\n[Board "10"]\n[Options "\xa0total-separation"]', "bad_tag", 3),
        ('[Game "star-star"]\n[Board "4"]\n[Advice "third"]', "bad_tag", 3),
        ('[Game "star-star"]\n[Board "4"]\n[Setup "first: S10; second: S20"]', "bad_tag", 3),
        ('[Game "star-star"]\n[Board "4"]\n[Event "a"]\n[Event "b"]', "bad_tag", 4),
        *(
            (f'[Game "star-star"]\n[Board "4"]\n[Handicap "{handicap}"]', "handicap_conflict", 3)
            for handicap in (
                "second 0 stones", "second 11 stones", "first 3 stones", "third 3 points",
            )
        ),
        (
            '[Game "star-star"]\n[Board "4"]\n[Swap "yes"]\n[Handicap "second 3 stones"]',
            "handicap_conflict",
            4,
        ),
    ],
)  # fmt: skip
def test_invalid_tags_are_rejected(tags, code, line):
    with pytest.raises(RecordError) as caught:
        Record.parse(tags + "\n\nS10")

    assert (caught.value.code, caught.value.line) == (code, line)


@pytest.mark.parametrize(
    ("moves", "line", "column"),
    [
        ("S10 {never closed", 4, 5),
        ("S10\nT10 S20}", 5, 8),
        ("S10 $20", 4, 5),
        ("S10. T20", 4, 4),
        ('S10\n[Event "x"]', 5, 1),
        ("A" * 201, 4, 1),
    ],
)
def test_unreadable_moves_are_rejected_with_their_place(moves, line, column):
    (error,) = judge(text(moves)).errors

    assert error.as_json() == {
        "code": "unreadable", "line": line, "column": column, "detail": error.detail
    }  # fmt: skip


@pytest.mark.parametrize(
    ("whole", "line", "column"),
    [
        ("", 1, 1),
        ("\ufeffS10", 1, 1),
        (f"\ufeff\ufeff{HEAD}S10", 1, 1),
        ('[Game "star-star"]\n[Board 4]', 2, 1),
        ('[Game "star-star"]\n[Board "4"\n', 2, 1),
        ('[Game "star-star"] [Board "4"]', 1, 20),
        ('[Game "' + "x" * 1001 + '"]', 1, 8),
        (" " * (LONGEST_RECORD + 1), 1, 1),
        # Written with the tag Swap, it would be longer.
        (f"{HEAD}S10 {{{'x' * (LONGEST_RECORD - len(HEAD) - 6)}}}", 3, None),
        ("".join(f'[T{n} "x"]\n' for n in range(201)), 201, 1),
        (f"{HEAD}S10 T10 agreed {'1' * 5000}-10", 3, 16),
    ],
)
def test_unreadable_records_are_rejected_with_their_place(whole, line, column):
    (error,) = judge(whole).errors

    assert (error.code, error.line, error.column) == ("unreadable", line, column)


@pytest.mark.parametrize(
    ("whole", "place"),
    [
        (text("S10@T10"), (4, 4)),
        (text("S10@"), (4, 4)),
        (text("S10 {x} T10@"), (4, 12)),
        (f"{HEAD}@", (3, 1)),
        ('[Game "star-star"]@\n[Board "4"]', (1, 19)),
    ],
)
def test_foreign_white_space_is_rejected_with_its_place(whole, place):
    """It is at the sign `@`."""
    found = {space: judge(whole.replace("@", space)).errors for space in FOREIGN_SPACE}

    assert {
        space: [(error.code, error.line, error.column) for error in errors]
        for space, errors in found.items()
    } == {space: [("unreadable", *place)] for space in FOREIGN_SPACE}


@pytest.mark.parametrize(
    ("moves", "code", "ply", "move"),
    [
        ("S10 s77", "unknown_cell", 2, "S77"),
        ("S10 T10 swap", "swap_not_allowed", 3, "swap"),
        ("S10 swap swap", "swap_not_allowed", 3, "swap"),
        (FULL + " resign", "after_end", 51, "resign"),
        ("S10 resign T10", "after_end", 2, "resign"),
        ("S10 * T10", "after_end", 2, "T10"),
        ("S10 resign 1-0 T10", "after_end", 2, "T10"),
        ("S10 S10 {", "occupied", 2, "S10"),
        ("S10 T99 * S10", "unknown_cell", 2, "T99"),
    ],
)
def test_the_first_illegal_turn_is_reported(moves, code, ply, move):
    (error,) = judge(text(moves)).errors

    assert (error.code, error.ply, error.move) == (code, ply, move)


def test_too_many_words_are_rejected():
    round_trip = "T00-T10 S01-S91 T10-T00 S91-S01 "
    head = '[Game "penta-hex"]\n[Board "10"]\n\n'

    assert len(Record.parse(head + round_trip * (MOST_WORDS // 4)).moves) == MOST_WORDS
    (error,) = judge(head + round_trip * (MOST_WORDS // 4) + "T00-T10").errors
    assert (error.code, error.line) == ("unreadable", 4)


@pytest.mark.parametrize(
    ("changes", "code", "pointer"),
    [
        ({"game": 5}, "unreadable", "/game"),
        ({"board": 4}, "unreadable", "/board"),
        ({"options": "fewest"}, "unreadable", "/options"),
        ({"swap": "yes"}, "bad_tag", "/swap"),
        ({"handicap": "second 3 stones"}, "unreadable", "/handicap"),
        ({"handicap": {"seat": "second", "stones": True}}, "handicap_conflict", "/handicap/stones"),
        ({"handicap": {"seat": "second"}}, "handicap_conflict", "/handicap"),
        (
            {"handicap": {"seat": "second", "stones": 2}, "swap": True},
            "handicap_conflict",
            "/handicap",
        ),
        ({"advice": "third"}, "bad_tag", "/advice"),
        ({"setup": {"first": ["S10"], "second": []}}, "bad_tag", "/setup"),
        ({"moves": "S10"}, "unreadable", "/moves"),
        ({"moves": ["S10", 5]}, "unreadable", "/moves/1"),
        ({"moves": ["S\ud800"]}, "unreadable", "/moves/0"),
        ({"moves": ["S10"] * (MOST_WORDS + 1)}, "unreadable", "/moves"),
        ({"result": "won"}, "unreadable", "/result"),
        ({"tags": {"First": 5}}, "unreadable", "/tags/First"),
        ({"tags": {"First": "a\nb"}}, "unreadable", "/tags/First"),
        ({"tags": {"First": "x" * 1001}}, "unreadable", "/tags/First"),
        ({"tags": {"Board": "6"}}, "bad_tag", "/tags/Board"),
        ({"tags": {f"T{n}": "" for n in range(201)}}, "unreadable", "/tags"),
        ({"comments": [{"after": 9, "text": "late"}]}, "unreadable", "/comments/0/after"),
        ({"comments": [{"after": 0, "text": "a } b"}]}, "unreadable", "/comments/0/text"),
        (
            {"comments": [{"after": 0, "text": "a\nb", "to_line_end": True}]},
            "unreadable",
            "/comments/0/text",
        ),
        ({"comments": [{"after": True, "text": "a"}]}, "unreadable", "/comments/0/after"),
        ({"colour/": "red"}, "unreadable", "/colour~1"),
        ({"moves": [None]}, "unreadable", "/moves/0"),
        ({"handicap": {"seat": None, "points": 1}}, "handicap_conflict", "/handicap/seat"),
        ({"handicap": {"seat": "second", "stones": [5]}}, "unreadable", "/handicap/stones/0"),
    ],
)
def test_invalid_json_is_rejected(changes, code, pointer):
    record = {"game": "star-star", "board": "4", "moves": ["S10"], **changes}

    assert [(error.code, error.pointer) for error in judge(record).errors] == [(code, pointer)]


@pytest.mark.parametrize("value", [None, [], {5: 6}])
def test_json_must_be_an_object(value):
    assert judge(value).errors[0].code == "unreadable"


@pytest.mark.parametrize(
    ("game", "moves", "move", "cell"),
    [
        ("star-star", "A40,", "A40,", "A40"),
        ("star-star", "A49", "A49", "A49"),
        ("double-star-star", "S10 ,a40", ",A40", "A40"),
        ("double-star-star", "S10 A40,XX", "A40,XX", "XX"),
        ("star-star", "S10,ZZ9", "S10,ZZ9", "ZZ9"),
    ],
)
def test_an_unknown_cell_is_named(game, moves, move, cell):
    (error,) = judge(f'[Game "{game}"]\n[Board "4"]\n\n{moves}').errors

    assert (error.code, error.move, error.cell) == ("unknown_cell", move, cell)


@pytest.mark.parametrize("score", ["1234567-1", "-1234567-3", "26-12345678901", "9" * 99 + "-0"])
@pytest.mark.parametrize("words", ["S10 agreed", "S10 {x} AGREED"])
def test_an_agreed_score_of_many_digits_contradicts_the_board(words, score):
    record = {"game": "star-star", "board": "4", "moves": ["S10", "agreed"], "result": score}

    assert judge(text(f"{words} {score}")).errors[0].code == "claim_contradicts"
    assert judge(record).errors[0].code == "claim_contradicts"
    assert judge(text(f"S10 {score}")).errors[0].code == "unknown_cell"
    assert judge({**record, "moves": ["S10"]}).errors[0].code == "unreadable"


@pytest.mark.parametrize(
    ("moves", "code", "ply", "move", "line"),
    [
        ("S10 agreed", "claim_contradicts", 2, "agreed", 4),
        ("S10\nagreed\n25-25 {late}\n", "claim_contradicts", 2, "25-25", 6),
        ("S10 T10\n\nagreed 20-1 ; late", "claim_out_of_bounds", 3, "20-1", 6),
        ("S10\nagreed 20-1\n\n", "claim_out_of_bounds", 2, "20-1", 5),
        ("resign\n1-0", "claim_contradicts", 1, "1-0", 5),
        (f"{FULL}\n{{x}} 0-1 *", "after_end", 51, "*", 5),
        (f"{FULL}\n{{x}} 0-0", "claim_contradicts", 51, "0-0", 5),
    ],
)
def test_claim_errors_have_ply_and_line(moves, code, ply, move, line):
    (error,) = judge(text(moves)).errors
    assert (error.code, error.ply, error.move, error.line) == (code, ply, move, line)

    in_a_file = judge_records(f"{HEAD}*\n\n{text(moves)}")
    (error,) = list(in_a_file)[1].errors
    assert (error.ply, error.line) == (ply, line + 4)


def test_a_result_after_a_solved_game_says_that_it_is_over() -> None:
    (sample,) = Path(games.rules.__file__).parent.glob("samples/queens.rec")

    ((error,),) = [
        verdict.errors for verdict in judge_records(sample.read_text().rstrip() + " *\n")
    ]

    assert error.detail == "the record says *, but its moves end the game; leave the result out"
