"""What a record may look like, what it means, and how a bad one is refused."""

import json

import pytest

from games.rules.conditions import Handicap, HandicapKind
from games.rules.errors import RecordError
from games.rules.notation import LONGEST_RECORD, MOST_WORDS, Comment
from games.rules.position import Seat
from games.rules.record import Record, first_difference
from games.rules.streams import judge

HEAD = '[Game "star-star"]\n[Board "4"]\n'
FULL = (
    "S40 S41 S42 S43 T40 T41 T42 T43 A40 A41 A42 A43 R40 R41 R42 R43 *40 *41 *42 *43 "
    "S30 S31 S32 T30 T31 T32 A30 A31 A32 R30 R31 R32 *30 *31 *32 "
    "S20 S21 T20 T21 A20 A21 R20 R21 *20 *21 S10 T10 A10 R10 *10"
)


def text(moves, *tags):
    return HEAD + "".join(f"{tag}\n" for tag in tags) + "\n" + moves


def test_a_record_in_full():
    record = Record.parse(
        '[Round "3"]\n[Board "10"]\n[First "Ada \\"the rim\\" \\\\ L."]\n[Game "star-star"]\n'
        '[Handicap "first 2 points"]\n[Advice "second"]\n\n'
        "{opening} 1. s60 SWAP 2. T07 ; sharp\n *00 Agreed 026-25 {done}\n"
    )

    assert (record.game, record.board, record.options, record.swap) == ("star-star", "10", (), True)
    assert record.handicap == Handicap(Seat.FIRST, HandicapKind.POINTS, 2)
    assert (record.advice, record.setup) == (Seat.SECOND, None)
    assert record.moves == ("S60", "swap", "T07", "*00", "agreed")
    assert record.result == "26-25"
    assert record.tags == {"Round": "3", "First": 'Ada "the rim" \\ L.'}
    assert record.comments == (
        Comment(0, "opening"),
        Comment(3, " sharp", to_line_end=True),
        Comment(6, "done"),
    )
    assert str(record) == (
        '[Game "star-star"]\n[Board "10"]\n[Swap "yes"]\n[Handicap "first 2 points"]\n'
        '[Advice "second"]\n[Round "3"]\n[First "Ada \\"the rim\\" \\\\ L."]\n\n'
        "{opening} 1. S60 swap 2. T07 ; sharp\n*00 agreed 26-25 {done}\n"
    )
    assert Record.parse(str(record)) == record == Record.from_json(record.to_json())


@pytest.mark.parametrize(
    ("tags", "conditions"),
    [
        ([], {"swap": True, "handicap": None, "advice": None, "setup": None}),
        (['[Swap "no"]'], {"swap": False}),
        (['[Handicap "second 2 stones"]'], {"swap": False}),
        (['[Handicap "second 2 points"]'], {"swap": True}),
        (['[Handicap "second 10 stones"]'], {"handicap": {"seat": "second", "stones": 10}}),
        (['[Advice "first"]'], {"advice": "first"}),
        (['[Options ""]'], {"options": []}),
    ],
)
def test_conditions_have_their_defaults_written_out(tags, conditions):
    found = Record.parse(text("", *tags)).conditions()

    assert list(found) == ["game", "board", "options", "swap", "handicap", "advice", "setup"]
    assert found == {**found, **conditions}


@pytest.mark.parametrize(
    ("tags", "code", "line"),
    [
        ('[Board "4"]', "unknown_game", None),
        ('[Game "chess"]\n[Board "8"]', "unknown_game", 1),
        ('[Game "star-star"]', "unknown_board", None),
        *(
            (f'[Game "star-star"]\n[Board "{board}"]', "unknown_board", 2)
            for board in ("5", "-4", "04", " 4", "ten", "1000000", "٤", "", "4x5", "12")
        ),
        ('[Game "star-star"]\n[Options "fewest"]\n[Board "7"]', "bad_tag", 2),
        ('[Game "star-star"]\n[Board "4"]\n[Swap "maybe"]', "bad_tag", 3),
        ('[Game "star-star"]\n[Board "4"]\n[Advice "third"]', "bad_tag", 3),
        ('[Game "star-star"]\n[Board "4"]\n[Setup "first: S10; second: S20"]', "bad_tag", 3),
        ('[Game "star-star"]\n[Board "4"]\n[Event "a"]\n[Event "b"]', "bad_tag", 4),
        *(
            (f'[Game "star-star"]\n[Board "4"]\n[Handicap "{handicap}"]', "handicap_conflict", 3)
            for handicap in (
                "second 0 stones", "second 11 stones", "first 3 stones", "second -2 points",
                "second 3", "third 3 points", "second three stones", "second 99999 points", "",
            )
        ),
        (
            '[Game "star-star"]\n[Board "4"]\n[Swap "yes"]\n[Handicap "second 3 stones"]',
            "handicap_conflict",
            4,
        ),
    ],
)  # fmt: skip
def test_tags_that_make_no_sense(tags, code, line):
    with pytest.raises(RecordError) as caught:
        Record.parse(tags + "\n\nS10")

    assert (caught.value.code, caught.value.line) == (code, line)


def test_an_unknown_game_and_board_list_those_there_are():
    assert "star-star" in judge('[Game "go"]\n[Board "19"]\n').errors[0].detail
    assert "4, 6, 8 or 10" in judge('[Game "star-star"]\n[Board "19"]\n').errors[0].detail


@pytest.mark.parametrize(
    ("moves", "line", "column"),
    [
        ("S10 {never closed", 4, 5),
        ("S10\nT10 S20}", 5, 8),
        ("S10 $20", 4, 5),
        ("S10. T20", 4, 4),
        ("1. S10 ... T10", 4, 8),
        ("S10 1/2-1/2", 4, 5),
        ("S10 Ω", 4, 5),
        ("S10\0", 4, 4),
        ("S10 {a\0b}", 4, 7),
        ('S10 [Event "x"]', 4, 5),
        ('S10\n[Event "x"]', 5, 1),
        ("A" * 201, 4, 1),
    ],
)
def test_text_that_cannot_be_read_is_placed(moves, line, column):
    (error,) = judge(text(moves)).errors

    assert error.as_dict() == {
        "code": "unreadable", "line": line, "column": column, "detail": error.detail
    }  # fmt: skip


@pytest.mark.parametrize(
    ("whole", "line", "column"),
    [
        ("", 1, 1),
        (" \n\t", 2, 2),
        ("S10 T10", 1, 1),
        ("\n {only a comment}\n", 3, 1),
        ('[Game "star-star"]\n[Board 4]', 2, 1),
        ('[Game "star-star"]\n[Board "4"\n', 2, 1),
        ('[Game "star-star"\n', 1, 1),
        ('[Game "star-star"] [Board "4"]', 1, 20),
        ("{x} " + HEAD, 1, 5),
        ('[Game "star\0"]', 1, 12),
        ('[Game "' + "x" * 1001 + '"]', 1, 8),
        ("{" * 5000, 1, 1),
        ("[" * 5000, 1, 1),
        (" " * (LONGEST_RECORD + 1), 1, 1),
        ("".join(f'[T{n} "x"]\n' for n in range(201)), 201, 1),
        ("\x00\x01\x02", 1, 1),
    ],
)
def test_what_is_no_record_is_placed(whole, line, column):
    (error,) = judge(whole).errors

    assert (error.code, error.line, error.column) == ("unreadable", line, column)


@pytest.mark.parametrize(
    ("moves", "code", "ply", "move"),
    [
        ("S10 T10 S10", "occupied", 3, "S10"),
        ("S10 s77", "unknown_cell", 2, "S77"),
        ("S10 12", "unknown_cell", 2, "12"),
        ("S10 S91-S93", "unknown_cell", 2, "S91-S93"),
        ("S10 S91>(", "unknown_cell", 2, "S91>("),
        ("S10 C", "bridge", 2, "C"),
        ("swap", "swap_not_allowed", 1, "swap"),
        ("S10 T10 swap", "swap_not_allowed", 3, "swap"),
        ("S10 swap swap", "swap_not_allowed", 3, "swap"),
        ("S10 pass", "pass_not_allowed", 2, "pass"),
        (FULL + " S10", "after_end", 51, "S10"),
        (FULL + " XX", "after_end", 51, "XX"),
        (FULL + " pass", "after_end", 51, "pass"),
        (FULL + " resign", "after_end", 51, "resign"),
        (FULL + " agreed 10-11", "after_end", 51, "agreed"),
        ("S10 resign T10", "after_end", 2, "resign"),
        ("S10 agreed T10", "after_end", 2, "agreed"),
        ("S10 * T10", "after_end", 2, "T10"),
        ("S10 resign 1-0 T10", "after_end", 2, "T10"),
        ("S10 S10 $", "occupied", 2, "S10"),
        ("S10 S10 {", "occupied", 2, "S10"),
        ("S10 T99 * S10", "unknown_cell", 2, "T99"),
    ],
)
def test_the_first_wrong_turn_is_named(moves, code, ply, move):
    (error,) = judge(text(moves)).errors

    assert (error.code, error.ply, error.move) == (code, ply, move)


def test_an_occupied_cell_tells_when_it_was_filled():
    assert judge(text("S10 T10 S20 T10")).errors[0].detail == "T10 was filled at ply 2"


@pytest.mark.parametrize(
    ("moves", "state", "termination", "winner", "claim"),
    [
        ("", "unfinished", None, None, None),
        ("*", "unfinished", None, None, None),
        ("S10", "unfinished", None, None, None),
        ("S10 1-0", "unfinished", None, None, "1-0"),
        ("S10 1/2", "unfinished", None, None, "1/2"),
        ("S10 011-10", "unfinished", None, None, "11-10"),
        ("resign", "finished", "resigned", "second", None),
        ("S10 resign", "finished", "resigned", "first", None),
        ("S10 resign 1-0", "finished", "resigned", "first", None),
        ("S10 swap time", "finished", "time", "second", None),
        ("S10 swap T10 TIME 1-0", "finished", "time", "first", None),
        ("S10 agreed 11-10", "finished", "agreed", "first", None),
        ("S10 agreed 2-19", "finished", "agreed", "second", None),
        (FULL, "finished", "full", "second", None),
        (FULL + " 0-1", "finished", "full", "second", None),
    ],
)
def test_how_a_record_stands(moves, state, termination, winner, claim):
    verdict = judge(text(moves))

    assert verdict.errors == ()
    found = verdict.state, verdict.termination, verdict.winner, verdict.claim
    assert found == (state, termination, winner, claim)
    assert (verdict.to_move is None) == (state == "finished")


@pytest.mark.parametrize(
    ("moves", "code"),
    [
        ("S10 resign 0-1", "claim_contradicts"),
        ("S10 resign *", "claim_contradicts"),
        ("S10 resign 11-10", "claim_contradicts"),
        ("S10 time 1/2", "claim_contradicts"),
        ("S10 agreed", "claim_contradicts"),
        ("S10 agreed *", "claim_contradicts"),
        ("S10 agreed 1-0", "claim_contradicts"),
        ("S10 agreed 1/2", "claim_contradicts"),
        ("S10 agreed 10-10", "claim_contradicts"),
        ("S10 agreed 121-100", "claim_contradicts"),
        ("S10 agreed 60--39", "claim_out_of_bounds"),
        (FULL + " 1-0", "claim_contradicts"),
        (FULL + " *", "claim_contradicts"),
        (FULL + " 1/2", "claim_contradicts"),
        (FULL + " 11-10", "claim_contradicts"),
    ],
)
def test_false_claims(moves, code):
    assert [error.code for error in judge(text(moves)).errors] == [code]


def test_a_score_out_of_bounds_names_the_bounds():
    moves, handicap = FULL.rsplit(" ", 1)[0], '[Handicap "first 3 points"]'
    (error,) = judge(text(moves + " agreed 60--39", handicap)).errors
    (least, most), (second_least, second_most) = judge(text(moves, handicap)).bounds

    assert f"from {least + 3} to {most + 3} of 21" in error.detail
    assert f"from {second_least - 3} to {second_most - 3};" in error.detail


@pytest.mark.parametrize(
    ("handicap", "moved"),
    [("first 3 points", 3), ("second 30 points", -30), ("first 40 points", 40)],
)
def test_handicap_points_go_from_one_to_the_other(handicap, moved):
    plain = judge(text(FULL))
    with_points = judge(text(FULL, f'[Handicap "{handicap}"]'))
    score = plain.score[0] + moved, plain.score[1] - moved

    assert with_points.score == score
    assert with_points.bounds == plain.bounds
    assert with_points.winner == ("first" if score[0] > score[1] else "second")
    assert judge(text(f"{FULL} {score[0]}-{score[1]}", f'[Handicap "{handicap}"]')).valid


def test_a_winner_who_is_certain_is_named_while_the_score_is_open():
    verdict = judge(text("S10", '[Handicap "second 60 points"]'))

    assert (verdict.state, verdict.winner, verdict.winner_decided) == ("unfinished", None, "second")


def test_too_many_words_are_refused():
    (error,) = judge(text("S10 " * (MOST_WORDS + 1))).errors
    assert (error.code, error.ply) == ("occupied", 2)

    tags = HEAD.replace("star-star", "chess")
    assert judge(tags + "S10 " * (MOST_WORDS + 1)).errors[0].code == "unknown_game"


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"game": None}, "unknown_game"),
        ({"game": "chess"}, "unknown_game"),
        ({"game": 5}, "unreadable"),
        ({"board": 4}, "unreadable"),
        ({"board": "5"}, "unknown_board"),
        ({"options": "fewest"}, "unreadable"),
        ({"options": ["a b"]}, "bad_tag"),
        ({"options": ["fewest"]}, "bad_tag"),
        ({"swap": "yes"}, "bad_tag"),
        ({"handicap": "second 3 stones"}, "unreadable"),
        ({"handicap": {"seat": "second", "stones": True}}, "handicap_conflict"),
        ({"handicap": {"seat": "second", "stones": 10**30}}, "handicap_conflict"),
        ({"handicap": {"seat": "second"}}, "handicap_conflict"),
        ({"handicap": {"seat": "second", "stones": 2}, "swap": True}, "handicap_conflict"),
        ({"advice": "third"}, "bad_tag"),
        ({"setup": {"first": ["S10"], "second": []}}, "bad_tag"),
        ({"setup": {"first": ["S10"]}}, "bad_tag"),
        ({"moves": "S10"}, "unreadable"),
        ({"moves": ["S10", 5]}, "unreadable"),
        ({"moves": ["S10 T10"]}, "unreadable"),
        ({"moves": ["S\ud800"]}, "unreadable"),
        ({"moves": ["S10"] * (MOST_WORDS + 1)}, "unreadable"),
        ({"moves": ["S10", "s10"]}, "occupied"),
        ({"result": "won"}, "unreadable"),
        ({"result": 5}, "unreadable"),
        ({"tags": ["First"]}, "unreadable"),
        ({"tags": {"First": 5}}, "unreadable"),
        ({"tags": {"First": "a\nb"}}, "unreadable"),
        ({"tags": {"First": "\ud800"}}, "unreadable"),
        ({"tags": {"First": "x" * 1001}}, "unreadable"),
        ({"tags": {"Two words": "x"}}, "bad_tag"),
        ({"tags": {"Board": "6"}}, "bad_tag"),
        ({"tags": {f"T{n}": "" for n in range(201)}}, "unreadable"),
        ({"comments": [{"after": 9, "text": "late"}]}, "unreadable"),
        ({"comments": [{"after": 0, "text": "a } b"}]}, "unreadable"),
        ({"comments": [{"after": 0, "text": "a\nb", "to_line_end": True}]}, "unreadable"),
        ({"comments": ["bold"]}, "unreadable"),
        ({"colour": "red"}, "unreadable"),
    ],
)
def test_json_that_is_refused(changes, code):
    record = {"game": "star-star", "board": "4", "moves": ["S10"], **changes}

    assert [error.code for error in judge(record).errors] == [code]


@pytest.mark.parametrize("value", [None, [], 5, "star-star", {5: 6}, True])
def test_json_that_is_no_object(value):
    assert judge(value).errors[0].code == "unreadable"


def test_the_verdict_in_json():
    assert json.loads(json.dumps(judge(text("S10 swap T10")).as_dict())) == {
        "valid": True,
        "game": "star-star",
        "board": "4",
        "plies": 3,
        "to_move": "second",
        "state": "unfinished",
        "termination": None,
        "winner": None,
        "score": None,
        "bounds": {"first": [2, 19], "second": [2, 19]},
        "detail": {
            "first": {"peries": 0, "quarks": 0, "stars": 0},
            "second": {"peries": 0, "quarks": 0, "stars": 0},
        },
        "digest": judge(text("s10 swap t10 *")).digest,
    }


@pytest.mark.parametrize(
    ("one", "other", "ply"),
    [
        ("S10 T10", "S10 T10", None),
        ("S10 T10", "1. s10 {x} t10 *", None),
        ("S10 T10", "S10 T20", 2),
        ("S10 T10", "S10", 2),
        ("S10 T10 resign", "S10 T10", 3),
        ("S10 T10 resign", "S10 T10 resign 0-1", None),
        ("S10 T10 resign", "S10 T10 time", 3),
        ("S10 agreed 11-10", "S10 agreed 10-11", 2),
        ("S10 1-0", "S10 0-1", 2),
    ],
)
def test_the_first_difference_of_two_records(one, other, ply):
    assert first_difference(Record.parse(text(one)), Record.parse(text(other))) == ply
