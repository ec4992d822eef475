"""Every error code is raised by a record; of two errors the first is reported."""

import random
from pathlib import Path

import pytest

from games.rules.errors import Code
from games.rules.records.streams import judge
from games.rules.records.tags import read_conditions
from games.rules.registry import GAMES


def text(game, board, moves, *tags):
    head = [f'[Game "{game}"]', f'[Board "{board}"]', *tags]
    return "\n".join([*head, "", moves])


RECORDS = {
    Code.UNREADABLE: text("hex", "5", "a1 $"),
    Code.UNKNOWN_GAME: text("chess", "8", ""),
    Code.UNKNOWN_BOARD: text("y", "4", ""),
    Code.BAD_TAG: text("queens", "10", "", '[Options "most"]'),
    Code.HANDICAP_CONFLICT: text("hex", "11", "", '[Handicap "second 1 stones"]'),
    Code.UNKNOWN_CELL: text("havannah", "4", "a5"),
    Code.OCCUPIED: text("twixt", "12", "d4 d4"),
    Code.BRIDGE: text("double-star-star", "4", "S10 C,S20"),
    Code.BORDER: text("twixt", "12", "a5"),
    Code.STONE_COUNT: text("double-star-star", "4", "S10,S20"),
    Code.SWAP_NOT_ALLOWED: text("ring", "10", "swap"),
    Code.PASS_NOT_ALLOWED: text("poly-y", "4x9", "pass"),
    Code.AFTER_END: text("star", "2x3", "pass pass A1"),
    Code.NO_OWN_STONE: text("penta-hex", "10", "S01-S91"),
    Code.NOT_IN_A_ROW: text("penta-line", "10", "S01-T52"),
    Code.PATH_BLOCKED: text("penta-line", "10", "S01-S07"),
    Code.NO_SUCH_JUMP: text("mini", "10", "S10-S40"),
    Code.GUARDED: text("queens", "10", "C S50"),
    Code.CLAIM_OUT_OF_BOUNDS: text("star", "2x3", "agreed 20--7"),
    Code.CLAIM_CONTRADICTS: text("havannah", "4", "resign 1-0"),
}
IN_GOLDEN_RECORDS = {Code.RELOCATION, Code.SHAPE_TAKEN, Code.GROUPS_TOUCH}
"""The codes that need long games of Penta-Hex, which the golden records contain."""


@pytest.mark.parametrize(("code", "record"), RECORDS.items(), ids=RECORDS)
def test_each_record_raises_its_code(code, record):
    assert [error.code for error in judge(record).errors] == [code]


def test_every_code_has_a_record():
    assert {*RECORDS, *IN_GOLDEN_RECORDS} == set(Code)


@pytest.mark.parametrize("code", sorted(IN_GOLDEN_RECORDS))
def test_golden_records_raise_the_other_codes(code):
    golden = Path(__file__).parent / "data" / "records"
    paths = [path for path in golden.glob("*.json") if f'"{code}"' in path.read_text()]

    assert paths
    for path in paths:
        assert judge(path.with_suffix(".rec").read_text()).errors[0].code == code


@pytest.mark.parametrize(
    ("record", "code"),
    [
        (text("hex", "2", "b1 a2 b2 zz"), "after_end"),
        (text("hex", "2", "b1 a2 b2 b2"), "after_end"),
        (text("twixt", "12", "d4 a5 a5 zz"), "occupied"),
        (text("twixt", "12", "d4 e5 swap"), "swap_not_allowed"),
        (text("double-star-star", "4", "S10 S10,XX,T10"), "unknown_cell"),
        (text("double-star-star", "4", "S10 S10,S20,T10"), "occupied"),
        (text("penta-line", "10", "S05-S02"), "occupied"),
        (text("penta-line", "10", "S05-XX"), "unknown_cell"),
        (text("penta-line", "10", "S05-T52"), "no_own_stone"),
        (text("penta-hex", "10", "S00-T00(XX>S05)"), "unknown_cell"),
        (text("penta-hex", "10", "S00-S50(T60>S05)"), "relocation"),
        (text("penta-hex", "10", "S00-T52(T60>S05)"), "not_in_a_row"),
        (text("mini", "10", "S50-S10"), "occupied"),
        (text("mini", "10", "S50-S60"), "no_own_stone"),
        (text("queens", "10", "S50 S50"), "occupied"),
        (text("chess", "10", "{never closed"), "unknown_game"),
        (text("hex", "5", "a1 a1 {never closed"), "occupied"),
        (text("hex", "5", "a1 zz", '[Options "x"]'), "bad_tag"),
        (text("hex", "5", "a1 a1 1-0 a2"), "occupied"),
        (text("hex", "5", "a1 1-0 a2"), "after_end"),
        (text("hex", "2", "a1 b1 a2 resign é"), "after_end"),
        (text("hex", "2", "a1 b1 a2 time {never closed"), "after_end"),
        (text("hex", "2", "a1 b1 a2 agreed 1-0 é"), "after_end"),
        (text("hex", "2", "a1 b1 a2 é"), "unreadable"),
        (text("hex", "2", "a1 b1 resign é"), "unreadable"),
        (text("queens", "10", "C resign é"), "claim_contradicts"),
        (text("queens", "10", "C agreed é"), "claim_contradicts"),
        (text("queens", "10", "C 1-0"), "claim_contradicts"),
    ],
)
def test_the_first_error_in_reading_order_is_reported(record, code):
    assert judge(record).errors[0].code == code


@pytest.mark.parametrize("rules", GAMES.values(), ids=GAMES)
def test_random_words_give_a_verdict(rules):
    source = random.Random(rules.code)
    board = rules.boards[0]
    start = rules.start(read_conditions({"Game": rules.code, "Board": board}))
    cells = sorted(start.board.names)
    for _ in range(150):
        words = []
        for _ in range(source.randrange(1, 12)):
            one, other, third = (source.choice(cells) for _ in range(3))
            words.append(
                source.choice(
                    [one, one, one.swapcase(), f"{one},{other}", f"{one}-{other}", "pass", "swap",
                     f"{one}-{other}({third}>{one})", f"{one}-{other}({third}>{one},)", "()", ">",
                     f"{one}-{other}-{third}", "(", "-", ",", "--", "*", "resign", "agreed", "1-0",
                     f"{one}({other}>{third})", "C-C", "c", "0", "1/2", "9--9", "time"]
                )
            )  # fmt: skip
        verdict = judge(text(rules.code, board, " ".join(words)))
        assert verdict.is_valid is not bool(verdict.errors)
