"""The symmetries of the games: groups of maps under which games stay legal and end alike."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.boards.chains import cells_of
from games.rules.boards.symmetries import identity, inverse, map_cells
from games.rules.records.prefixes import canonical_opening, opening_keys
from games.rules.records.replay import play_turns
from games.rules.records.tags import read_conditions
from games.rules.registry import GAMES, find_game
from games.rules.symmetries import find_symmetries, map_turn
from tests.games.rules.random_games import random_game

NUMBERS = {
    "star-star 4": 10,
    "star-star 10": 10,
    "nobridge-star-star 6": 10,
    "double-star-star 4": 10,
    "star 5x6": 6,
    "star 4x4": 12,
    "star-y 4": 10,
    "poly-y 4": 10,
    "poly-y 4x9": 18,
    "y 5": 6,
    "y 93": 6,
    "hex 11": 2,
    "hex 5x9": 2,
    "havannah 4": 12,
    "twixt 6": 4,
    "penta-line 10": 5,
    "penta-hex 10": 10,
    "queens 10": 10,
    "supply-line 10": 10,
    "ring 10": 10,
    "mini 10": 10,
}
"""How many symmetries each start has."""

every_start = pytest.mark.parametrize("start", NUMBERS)
SEEDS = st.integers(0, 2**32)


def conditions_of(start: str, **tags: str):
    """Return the conditions of a start, as `hex 11`."""
    game, board = start.split()
    return read_conditions({"Game": game, "Board": board, **tags})


def test_every_game_has_a_start_in_the_table():
    assert {start.split()[0] for start in NUMBERS} == set(GAMES)


@every_start
def test_the_symmetries_are_a_group_that_keeps_neighbours_and_the_start(start):
    conditions = conditions_of(start)
    symmetries = find_symmetries(conditions)
    position = find_game(conditions.game).start(conditions)

    assert len(symmetries) == len(set(symmetries)) == NUMBERS[start]
    assert symmetries[0] == identity(len(position.board.names))
    assert {inverse(symmetry) for symmetry in symmetries} == set(symmetries)
    for one in symmetries:
        composed = {tuple(one[cell] for cell in other) for other in symmetries}
        assert composed == set(symmetries)
        assert map_cells(position.first, one) == position.first
        assert map_cells(position.second, one) == position.second
    neighbours = getattr(position.board, "beside", getattr(position.board, "neighbours", None))
    if neighbours is not None:
        for symmetry in symmetries:
            images = {
                symmetry[cell]: map_cells(near, symmetry) for cell, near in enumerate(neighbours)
            }
            assert images == dict(enumerate(neighbours))


@every_start
def test_a_mapped_game_is_legal_and_ends_alike(start):
    conditions = conditions_of(start)
    rules = find_game(conditions.game)
    turns, positions = random_game(rules, conditions, seed=7, most_plies=300)
    for symmetry in find_symmetries(conditions):
        mapped = [map_turn(turn, rules, positions[0], symmetry) for turn in turns]
        end = play_turns(positions[0], mapped)

        assert end.first == map_cells(positions[-1].first, symmetry)
        assert end.second == map_cells(positions[-1].second, symmetry)
        assert end.outcome() == positions[-1].outcome()
        assert (
            canonical_opening(conditions, mapped).turns
            == canonical_opening(conditions, turns).turns
        )


@every_start
@given(seed=SEEDS)
def test_keys_are_equal_exactly_for_symmetric_openings(start, seed):
    source = random.Random(seed)
    conditions = conditions_of(start)
    rules = find_game(conditions.game)
    symmetries = find_symmetries(conditions)
    turns, positions = random_game(rules, conditions, seed, most_plies=source.randrange(5))
    mapped = [map_turn(turn, rules, positions[0], source.choice(symmetries)) for turn in turns]
    images = [
        [map_turn(turn, rules, positions[0], symmetry) for turn in turns] for symmetry in symmetries
    ]

    keys = [canonical_opening(conditions, sequence).keys for sequence in (turns, mapped)]
    common = next((n for n in range(len(turns) + 1) if keys[0][n] != keys[1][n]), len(turns) + 1)
    alike = max(
        next((n for n, turn in enumerate(mapped) if turn != image[n]), len(turns))
        for image in images
    )
    assert common == alike + 1
    assert canonical_opening(conditions, turns).turns == tuple(min(images, default=()))


@every_start
@given(seed=SEEDS)
def test_a_canonical_turn_is_written_as_any_turn_that_makes_the_same_opening(start, seed):
    conditions = conditions_of(start)
    rules = find_game(conditions.game)
    turns, positions = random_game(rules, conditions, seed, most_plies=3)
    *earlier, last = turns
    opening = canonical_opening(conditions, earlier)
    whole = opening.extend(last)

    written = opening.equal_turns(whole.turns[-1])

    assert last in written
    assert {opening.extend(turn).turns for turn in written} == {whole.turns}
    assert all(positions[-2].is_legal(turn) for turn in written)


@pytest.mark.parametrize(
    ("stones", "number"), [(0, 10), (1, 2), (2, 2), (3, 2), (4, 2), (5, 10), (6, 2), (10, 10)]
)
def test_handicap_stones_leave_the_symmetries_that_keep_them(stones, number):
    tags = {"Handicap": f"second {stones} stones"} if stones else {}

    assert len(find_symmetries(conditions_of("star-star 10", **tags))) == number


def test_openings_with_and_without_swap_or_stones_have_different_keys():
    tags = [{}, {"Swap": "no"}, {"Handicap": "second 3 stones"}, {"Handicap": "first 2 points"}]

    keys = [opening_keys(conditions_of("star-star 10", **tag), ["S60"]) for tag in tags]

    assert len({tuple(key) for key in keys}) == 3
    assert keys[0] == keys[3]
    assert len({key for pair in keys for key in pair}) == 6


def test_the_first_turns_of_the_star_are_its_cells_up_to_rotation_and_reflection():
    conditions = conditions_of("star-star 10")
    start = find_game("star-star").start(conditions)
    names = [start.board.names[cell] for cell in cells_of(start.empty)]

    orbits = {canonical_opening(conditions, [name]).turns for name in names}

    # Each ring of 5r cells has r // 2 + 1 classes: cells at the same distance from their ray.
    assert len(orbits) == sum(ring // 2 + 1 for ring in range(1, 11))
