"""Patterns of stones: the fast search finds what a search of every position finds."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.boards.chains import cells_of
from games.rules.errors import RecordError
from games.rules.patterns import (
    Pattern,
    find_pattern,
    held_cells,
    images_of,
    parse_pattern,
    with_empty_neighbours,
)
from games.rules.registry import find_game
from games.rules.symmetries import find_symmetries
from tests.games.rules.random_games import random_game
from tests.games.rules.test_symmetries import conditions_of, every_start


def board_of(start: str):
    conditions = conditions_of(start)
    return find_game(conditions.game).start(conditions).board


@every_start
@given(seed=st.integers(0, 2**32))
def test_a_pattern_occurs_where_a_search_of_every_position_finds_it(start, seed):
    source = random.Random(seed)
    conditions = conditions_of(start)
    turns, positions = random_game(find_game(conditions.game), conditions, seed, most_plies=40)
    model = source.choice(positions)
    pattern = Pattern(
        *(
            sum(1 << cell for cell in source.sample(cells, min(len(cells), source.randrange(3))))
            for cells in (
                list(cells_of(stones)) for stones in (model.first, model.second, model.empty)
            )
        )
    )
    if source.random() < 0.3:
        pattern = with_empty_neighbours(pattern, model.board)
    images = images_of(pattern, find_symmetries(conditions), exchange=source.random() < 0.5)

    expected = next(
        (
            ply
            for ply, position in enumerate(positions)
            if any(image.is_in(position.first, position.second) for image in images)
        ),
        None,
    )

    found = find_pattern(positions[0], turns, images)
    assert found == expected
    first, second = held_cells(positions[0], turns)
    if found is not None:
        assert any(not (i.first & ~first or i.second & ~second) for i in images)


def test_a_pattern_has_an_image_for_each_symmetry_and_each_colour():
    conditions = conditions_of("star-star 10")
    symmetries = find_symmetries(conditions)
    board = board_of("star-star 10")

    counts = [
        len(images_of(parse_pattern(text, board, str.upper), symmetries, exchange=exchange))
        for text in ("first:S20", "first:s21", "first:S21;second:S20", "first:S20;second:A20")
        for exchange in (False, True)
    ]

    assert counts == [5, 10, 5, 10, 10, 20, 10, 10]


def test_a_region_is_the_cells_next_to_the_stones():
    board = board_of("star-star 4")
    pattern = with_empty_neighbours(parse_pattern("first:S40", board, str.upper), board)

    assert {board.names[cell] for cell in cells_of(pattern.empty)} == {"S41", "S30", "*43"}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "unreadable"),
        ("S20", "unreadable"),
        ("third:S20", "unreadable"),
        ("first:", "unreadable"),
        ("empty:S20", "unreadable"),
        ("first:S20;", "unreadable"),
        ("first:S20;second:A10,S20", "occupied"),
        ("first:S20,S20", "occupied"),
        ("first:Z20", "unknown_cell"),
        ("first:S20,", "unknown_cell"),
        ("first:" + "S10," * 200, "occupied"),
        ("first:" + "9" * 10_000, "unknown_cell"),
    ],
)
def test_a_text_that_is_no_pattern_is_rejected(text, code):
    with pytest.raises(RecordError) as caught:
        parse_pattern(text, board_of("star-star 4"), str.upper)

    assert caught.value.code == code
    assert len(caught.value.detail) < 200
