"""Star Y and Poly-Y: winning chains; a full board has one winner and one owner per corner."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.boards.chains import chains
from games.rules.boards.mesh import ring_mesh
from games.rules.poly_y import corners_of
from games.rules.records.streams import judge
from games.rules.records.tags import read_conditions
from games.rules.registry import find_game
from games.rules.seat import Seat
from games.rules.star_y import connects_sides


@pytest.mark.parametrize(
    ("cells", "connects"),
    [
        pytest.param("*40 S40 T40", False, id="no chain"),
        pytest.param("*40 *30 *20 *10 C T10 T20 T30 T41 T40", True, id="two corners and a ray"),
        pytest.param("*40 *30 *20 *10 C T10 T20 T30 T40", True, id="corner to corner: four sides"),
        pytest.param("*42 *43 S40 S41 S42", False, id="around one corner"),
        pytest.param("*43 S40 S41 S42 S43 T40 T41", False, id="three consecutive sides"),
        pytest.param("*43 S40 S41 S42 S43 T40 T41 T42 T43 A40", True, id="four consecutive sides"),
    ],
)
def test_star_y_needs_three_sides_not_all_consecutive(cells, connects):
    mesh = ring_mesh(4, playable_centre=True)
    stones = sum(mesh.bits[name] for name in cells.split())

    assert any(connects_sides(chain, mesh) for chain in chains(stones, mesh.neighbours)) is connects


@pytest.mark.parametrize(
    ("cells", "owned"),
    [
        pytest.param("*43 S40 S41", 0, id="two sides"),
        pytest.param("*43 S40 S41 S42 S43 T40", 2, id="three sides"),
        pytest.param("*41 *31 *20 C A10 A20 A30 A41", 0, id="two sides across the centre"),
        pytest.param("*40 *30 *20 *10 C T10 T20 T30 T40", 3, id="ray to ray"),
    ],
)
def test_poly_y_corners_of_a_chain(cells, owned):
    mesh = ring_mesh(4, playable_centre=True)
    stones = sum(mesh.bits[name] for name in cells.split())

    assert sum(corners_of(chain, mesh) for chain in chains(stones, mesh.neighbours)) == owned


@given(st.sampled_from([(4, 5), (6, 5), (4, 9), (6, 9)]), st.randoms(use_true_random=False))
def test_a_full_board_has_one_owner_per_corner_and_one_star_y(size, source):
    mesh = ring_mesh(*size, playable_centre=True)
    black = sum(1 << cell for cell in range(len(mesh.names)) if source.random() < 0.5)
    colours = [list(chains(stones, mesh.neighbours)) for stones in (black, mesh.cells ^ black)]

    owned = [sum(corners_of(chain, mesh) for chain in colour) for colour in colours]
    assert sum(owned) == mesh.sectors
    if mesh.sectors == 5:
        winners = [any(connects_sides(chain, mesh) for chain in colour) for colour in colours]
        assert sum(winners) == 1


def test_chains_with_two_corners_and_with_one_win_together():
    start = find_game("poly-y").start(read_conditions({"Game": "poly-y", "Board": "4"}))
    two = "*31 *32 *40 *41 *43 S40 S41"
    one_without_its_last_stone = "A10 R10 T21 R20 T30 R30 R31 S43 T41 R42"
    names = f"{two} {one_without_its_last_stone}".split()
    position = replace(start, first=sum(start.board.bits[name] for name in names), plies=34)

    assert position.corners(Seat.FIRST) == 2
    assert position.play("T31").winner is Seat.FIRST


def test_nine_sided_boards_have_no_handicap_stones():
    tags = '[Game "poly-y"]\n[Board "{}"]\n[Handicap "second 2 stones"]\n'

    assert judge(tags.format("6")).is_valid
    assert judge(tags.format("6x9")).errors[0].code == "handicap_conflict"


@pytest.mark.parametrize(
    ("board", "canonical"),
    [("6", "6"), ("6x5", "6"), ("10x9", "10x9"), ("6x7", None), ("5", None), ("6X9", None)],
)
def test_poly_y_board_names(board, canonical):
    assert judge(f'[Game "poly-y"]\n[Board "{board}"]\n').as_json().get("board") == canonical
