"""Penta-Hex: pentahexes and their shapes, relocations, taken shapes and touching groups."""

from dataclasses import replace

import pytest

from games.rules.boards.chains import cells_of
from games.rules.boards.pentahexes import (
    DIRECTIONS,
    all_shapes,
    canonical_shape,
    pentahexes,
    shape_of,
)
from games.rules.boards.rows import row_board
from games.rules.errors import RecordError
from games.rules.penta_hex import PentaHex
from games.rules.records.tags import read_conditions
from games.rules.registry import find_game
from games.rules.seat import Seat

MESH = row_board()


def mask(names):
    return sum(MESH.bits[name] for name in names.split())


def names_of(cells):
    return {MESH.names[cell] for cell in cells_of(cells)}


def free_polyhexes(size):
    shapes = {canonical_shape([(0, 0)])}
    for _ in range(size - 1):
        shapes = {
            canonical_shape([*shape, (x + dx, y + dy)])
            for shape in shapes
            for x, y in shape
            for dx, dy in DIRECTIONS
            if (x + dx, y + dy) not in shape
        }
    return shapes


def test_there_are_22_pentahexes():
    assert [len(free_polyhexes(size)) for size in range(1, 6)] == [1, 1, 3, 7, 22]
    assert {*all_shapes()} == free_polyhexes(5)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        pytest.param("S61 S62 S63 S64 S65", "A51 A61 A71 A81 A91", True, id="straight ones"),
        pytest.param("S62 S63 S64 S65 T60", "T61 T62 T63 T64 T65", True, id="straight to a ray"),
        pytest.param("S63 S64 S65 T60 T61", "T61 T62 T63 T64 T65", False, id="bent at a ray"),
        pytest.param("S62 S63 S64 S65 S76", "T52 T53 T54 A50 A61", False, id="different ends"),
        pytest.param("S62 S63 S64 S65 S75", "S62 S63 S64 S65 S73", True, id="mirrored"),
        pytest.param("S62 S63 S64 S65 S75", "S62 S63 S64 S65 S74", False, id="another branch"),
    ],
)
def test_shapes_are_equal_up_to_rotation_and_reflection(one, other, same):
    assert (shape_of(mask(one), MESH) == shape_of(mask(other), MESH)) is same


@pytest.mark.parametrize(
    ("stones", "count"),
    [
        pytest.param("S61 S62 S63 S64 S65", 1, id="five"),
        pytest.param("S61 S62 S63 S64 S65 S75", 0, id="a sixth stone undoes it"),
        pytest.param("S61 S62 S63 S64", 0, id="four"),
        pytest.param("C S10 S20 S30 S40", 0, id="with the centre"),
        pytest.param("*10 S10 T10 A10 R10", 0, id="around the centre"),
        pytest.param("S10 T10 A10 R10 R20", 1, id="four around the centre have a shape"),
    ],
)
def test_pentahexes_are_whole_groups_of_five(stones, count):
    assert len(pentahexes(mask(stones), MESH)) == count


def position(first, second, options=""):
    conditions = read_conditions({"Game": "penta-hex", "Board": "10", "Options": options})
    return PentaHex(conditions, MESH, mask(first), mask(second))


def play(first, second, move, options=""):
    """Return the code of an illegal turn, or the stones of both seats after a legal one."""
    try:
        after = position(first, second, options).play(move)
    except RecordError as error:
        return error.code
    return names_of(after.first), names_of(after.second)


@pytest.mark.parametrize(
    ("first", "second", "move", "found"),
    [
        # S62's neighbours, clockwise: S63 S73 S72 S61 S51 S52.
        pytest.param("S63 S72 S50", "S62", "S50-S51", "relocation", id="must be relocated"),
        pytest.param("S63 S72 S50", "S62", "S50-S51(S62>S05)", "S05", id="to the rim"),
        pytest.param("S63 S72 S50", "S62", "S50-S51(S62>S92)", "relocation", id="off the rim"),
        pytest.param("S63 S72 S50", "S62", "S50-S51(S62>XX)", "unknown_cell", id="an unknown cell"),
        pytest.param("S63 S72 S50", "S62", "S50-S51(S62)", "unknown_cell", id="not a relocation"),
        pytest.param("S63 S72 S50", "S62", "S50-S51(S62>S05,S62>S06)", "relocation", id="twice"),
        pytest.param(
            "S63 S72 S50 *54 S30", "S62 S40", "S50-S51(S40>S06,S62>S05)", "S06", id="two stones"
        ),
        pytest.param(
            "S63 S72 S50 *54 S30",
            "S62 S40",
            "S50-S51(S40>S05,S62>S05)",
            "relocation",
            id="two stones to one cell",
        ),
        pytest.param("S63 S73 S50", "S62", "S50-S51", "S62", id="not alternate"),
        pytest.param("S63 S50", "S62", "S50-S51", "S62", id="two do not enclose"),
        pytest.param("S63 S50", "S62", "S50-S51(S62>S05)", "relocation", id="nothing to lift"),
        pytest.param(
            "S63 S72 S50", "S62 S05", "S50-S51(S62>S05)", "relocation", id="a filled rim cell"
        ),
        pytest.param("S01 S03 S50", "S02", "S50-S51", "S02", id="the rim is safe"),
        pytest.param("S10 A10 T40", "C", "T40-T10", "C", id="the centre is safe"),
        pytest.param(
            "S63 S72 S51 A05", "S60", "A05-A04", "S60", id="only the moved stone encloses"
        ),
        # S10's neighbours, clockwise: T10 S21 S20 *21 *10 C.
        pytest.param("S21 *21 A20", "S10", "A20-C", "relocation", id="the centre encloses"),
    ],
)
def test_relocations(first, second, move, found):
    after = play(first, second, move)

    if "_" in found or found == "relocation":
        assert after == found
    else:
        assert found in after[1]


def test_entering_a_surrounded_cell_is_safe():
    entered = position("S63 S72 S51 A05", "S60").play("A05-A04").play("S60-S62")

    assert names_of(entered.second) == {"S62"}
    assert names_of(entered.play("A04-A05").second) == {"S62"}


def test_a_stone_may_be_relocated_to_the_vacated_cell():
    # S01 moves along its row to S51.
    _, second = play("S63 S72 S01", "S62", "S01-S51(S62>S01)")
    assert second == {"S01"}


def test_relocations_are_sorted_in_the_canonical_spelling():
    canonical_spelling = find_game("penta-hex").canonical

    assert canonical_spelling("s91-s93(t62>a07,t60>a05)") == "S91-S93(T60>A05,T62>A07)"


STRAIGHT = "S61 S62 S63 S64 S65"


@pytest.mark.parametrize(
    ("first", "second", "move", "options", "found"),
    [
        pytest.param(
            f"{STRAIGHT} A51 A61 A71 A81 A01", "T05", "A01-A91", "", "shape_taken", id="own twice"
        ),
        pytest.param(
            "A51 A61 A71 A81 A01", f"{STRAIGHT}", "A01-A91", "", "shape_taken", id="as the enemy"
        ),
        pytest.param(
            "S61 S62 S63 S64 S05", "T05", "S05-S65", "", None, id="completed"
        ),
        pytest.param("S61 S62 S63 S64 S74", "T05", "S74-S72", "", None, id="the same rearranged"),
        pytest.param(
            f"{STRAIGHT} S83 S84 S94 S95 S70", "T05", "S70-S73", "", "groups_touch", id="own touch"
        ),
        pytest.param(
            f"{STRAIGHT} S03 S82 S83 S84 S93", "T05", "S82-S72", "", "groups_touch",
            id="rearranged so that they touch",
        ),
        pytest.param(f"{STRAIGHT} S83 S84 S70", "T05", "S70-S73", "", None, id="three may touch"),
        pytest.param(
            "S83 S84 S94 S95 S70", STRAIGHT, "S70-S73", "", None, id="enemy groups may touch"
        ),
        pytest.param(
            "S83 S84 S94 S95 S70", STRAIGHT, "S70-S73", "total-separation", "groups_touch",
            id="not with total separation",
        ),
    ],
)  # fmt: skip
def test_taken_shapes_and_touching_groups(first, second, move, options, found):
    after = play(first, second, move, options)

    assert (after == found) if found else isinstance(after, tuple)


def test_five_different_shapes_win():
    groups = [
        "S61 S62 S63 S64 S65",
        "T61 T62 T63 T64 T74",
        "A61 A62 A63 A72 A73",
        "R61 R62 R63 R52 R73",
        "*61 *62 *63 *64 *42",
    ]
    won = position(" ".join(groups), "S05").play("*42-*52")

    assert won.winner is Seat.FIRST
    assert (won.is_over, list(won.legal_moves())) == (True, [])
    assert won.outcome().detail == {"first": {"pentahexes": 5}, "second": {"pentahexes": 0}}


def straight_groups(ring, rays):
    return " ".join(f"{ray}{ring}{place}" for ray in rays for place in range(1, 6))


@pytest.mark.parametrize(
    ("second_rays", "plies", "winner"),
    [
        ("STAR*", 7, Seat.FIRST),
        ("STAR*", 8, Seat.SECOND),
        ("STAR", 8, Seat.FIRST),
    ],
)
def test_the_mover_wins_first(second_rays, plies, winner):
    """A relocated stone can complete the opponent's fifth pentahex in the same turn."""
    after = position(straight_groups(6, "STAR*"), straight_groups(8, second_rays))
    assert replace(after, plies=plies).find_winner() is winner
