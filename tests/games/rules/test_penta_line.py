"""Penta-Line: rows, moves along them, and starting positions."""

import pytest

from games.rules.boards.rows import longest_row, reachable, row_board
from games.rules.records.streams import judge
from games.rules.records.tags import read_conditions

MESH = row_board()
LINE = '[Game "penta-line"]\n[Board "10"]\n'
FIRST = "S91 S92 S94 S95 T91 T92 T94 A91 A94 A72"
SECOND = "R91 R92 R94 R95 *91 *92 *94 *95 A71 A74"


def mask(names):
    return sum(MESH.bits[name] for name in names.split())


@pytest.mark.parametrize(
    ("stones", "through", "length"),
    [
        pytest.param("S90 S91 S92 S93 S94", "S92", 5, id="along a ring"),
        pytest.param("S97 S98 T90 T91 T92", "T90", 3, id="not across a ray"),
        pytest.param("S50 S60 S70 S80 S90 S00", "S50", 6, id="along a ray"),
        pytest.param("S20 S10 C A10 A20", "S20", 5, id="over the centre to one fork"),
        pytest.param("S20 S10 C R10 R20", "C", 5, id="over the centre to the other fork"),
        pytest.param("S20 S10 C T10 T20", "C", 3, id="not to the next ray"),
        pytest.param("S20 S10 A10 A20 A30", "S10", 2, id="not over an empty centre"),
        pytest.param("S30 S20 S10 C A10 R10", "S30", 5, id="the forks do not add up"),
        pytest.param("S31 S42 S53 S64 S75", "S64", 5, id="across the rings"),
    ],
)
def test_rows_of_stones(stones, through, length):
    assert longest_row(MESH, MESH.index[through], mask(stones)) == length


def test_a_stone_moves_until_another_is_in_the_way():
    filled = mask("S00 S60 T02")
    found = {MESH.names[cell] for cell in reachable(MESH, MESH.index["S00"], filled)}

    assert {"S90", "S80", "S70", "S01", "S09"} <= found
    assert not {"S60", "S50", "T02", "C"} & found


@pytest.mark.parametrize(
    ("moves", "code", "ply"),
    [
        ("S91", "unknown_cell", 1),
        ("S01-S99", "unknown_cell", 1),
        ("S01-S02-S03", "unknown_cell", 1),
        ("S01-S91(T60>A05)", "unknown_cell", 1),
        ("S01-S02", "occupied", 1),
        ("S01-S01", "occupied", 1),
        ("S08-S98", "no_own_stone", 1),
        ("S05-S85", "no_own_stone", 1),
        ("S01-T52", "not_in_a_row", 1),
        ("S01-S00 S08-S03", "path_blocked", None),
        ("swap", "swap_not_allowed", 1),
        ("pass", "pass_not_allowed", 1),
    ],
)
def test_illegal_moves_are_rejected(moves, code, ply):
    verdict = judge(f"{LINE}\n{moves}")

    if ply is None:
        assert verdict.is_valid
        return
    assert (verdict.errors[0].code, verdict.errors[0].ply) == (code, ply)


def test_a_stone_in_the_way_is_named():
    (error,) = judge(f"{LINE}\nS01-S07 S08-S06").errors

    assert (error.code, error.ply, error.cell) == ("path_blocked", 1, "S02")


@pytest.mark.parametrize(
    ("first", "second", "detail"),
    [
        (FIRST, SECOND, None),
        (FIRST.lower(), SECOND, None),
        (FIRST + " A75", SECOND, "10 stones, not 11"),
        (FIRST.replace("A72", "R91"), SECOND, "two stones"),
        (FIRST.replace("A72", "S91"), SECOND, "two stones"),
        (FIRST.replace("A72", "S99"), SECOND, "S99 is not a cell"),
        ("S90 S91 S92 S93 S94 T91 T92 T94 A91 A94", SECOND, "five in a row"),
    ],
)
def test_setups(first, second, detail):
    verdict = judge(f'{LINE}[Setup "first: {first}; second: {second}"]\n')

    if detail is None:
        assert verdict.is_valid
    else:
        assert verdict.errors[0].code == "bad_tag"
        assert detail in verdict.errors[0].detail


def test_the_usual_setup_is_the_default():
    start = read_conditions({"Game": "penta-line", "Board": "10"}).as_tags()["Setup"]

    assert judge(LINE).digest == judge(f'{LINE}[Setup "{start}"]').digest
    assert judge(LINE).digest != judge(f'{LINE}[Setup "first: {FIRST}; second: {SECOND}"]').digest
