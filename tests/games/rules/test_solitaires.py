"""How Many Queens and the jumping solitaires: known results, legal turns and endings."""

from dataclasses import replace
from pathlib import Path

import pytest

from games.rules.boards.chains import cells_of
from games.rules.boards.rows import cells_in_a_row, row_board
from games.rules.records.record import Record
from games.rules.records.replay import play_turns
from games.rules.records.streams import judge
from games.rules.records.tags import read_conditions
from games.rules.registry import find_game

MESH = row_board()
DATA = Path(__file__).parent / "data"


def start(game):
    return find_game(game).start(read_conditions({"Game": game, "Board": "10"}))


def test_a_stone_guards_both_forks_beyond_the_centre():
    guarded = cells_in_a_row(MESH, MESH.index["S60"])
    rays = {MESH.names[cell][0] for cell in cells_of(guarded) if MESH.names[cell].endswith("50")}

    assert rays == {"S", "A", "R"}


@pytest.mark.parametrize(
    ("moves", "code", "ply"),
    [
        ("S60 S60", "occupied", 2),
        ("S60 S61", "guarded", 2),
        ("S60 A30", "guarded", 2),
        ("S60 C", "guarded", 2),
        ("S60 T30", None, None),
        ("S60 S60-S61", "unknown_cell", 2),
        ("S60 swap", "swap_not_allowed", 2),
        ("S60 pass", "pass_not_allowed", 2),
        ("S60 agreed 1-0", "claim_contradicts", 2),
        ("S60 resign", "claim_contradicts", 2),
        ("S60 time 0-1", "claim_contradicts", 2),
    ],
)
def test_illegal_queens_are_rejected(moves, code, ply):
    verdict = judge(f'[Game "queens"]\n[Board "10"]\n\n{moves}')

    if code is None:
        assert verdict.outcome.detail == {"stones": 2}
    else:
        assert (verdict.errors[0].code, verdict.errors[0].ply) == (code, ply)


@pytest.mark.parametrize(("record", "stones"), [("323-queens", 9), ("325-queens-after", 17)])
def test_known_solutions_of_queens(record, stones):
    moves = Record.parse((DATA / "records" / f"{record}.rec").read_text()).moves[:stones]
    verdict = judge({"game": "queens", "board": "10", "moves": list(moves)})

    assert (verdict.outcome.termination, verdict.outcome.detail) == ("solved", {"stones": stones})


def test_no_eighteenth_queen_fits():
    moves = Record.parse((DATA / "records" / "325-queens-after.rec").read_text()).moves[:17]
    full = play_turns(start("queens"), moves)

    assert list(full.legal_moves()) == []
    assert full.first | full.guarded == MESH.cells


@pytest.mark.parametrize(
    ("moves", "code"),
    [
        ("S10-A10", "occupied"),
        ("S30-S10", "occupied"),
        ("S30-S50", "no_own_stone"),
        ("S10-S40", "no_such_jump"),
        ("S10-T31", "no_such_jump"),
        ("S10-S30", None),
        ("S10 S30", "unknown_cell"),
        ("swap", "swap_not_allowed"),
        ("pass", "pass_not_allowed"),
    ],
)
def test_illegal_jumps_are_rejected(moves, code):
    verdict = judge(f'[Game "mini"]\n[Board "10"]\n\n{moves}')

    assert [error.code for error in verdict.errors] == ([code] if code else [])


@pytest.mark.parametrize(
    ("game", "cell", "termination"),
    [
        ("supply-line", "S00", "solved"),
        ("supply-line", "S90", "blocked"),
        ("ring", "C", "solved"),
        ("ring", "S10", "blocked"),
        ("mini", "S10", "solved"),
    ],
)
def test_the_last_stone_must_be_on_a_cell_of_the_goal(game, cell, termination):
    end = replace(start(game), first=MESH.bits[cell])

    assert end.outcome().termination == termination
