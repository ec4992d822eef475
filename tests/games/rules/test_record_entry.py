"""Records that are entered cell by cell and word by word."""

from dataclasses import replace

import pytest

from games.rules.boards.rows import row_board
from games.rules.record_entry import enter_cell, enter_words, extend_turn, read_entry, remove_last


def start(game, board, turns=""):
    return read_entry(f'[Game "{game}"]\n[Board "{board}"]\n\n{turns}')


def moves(entry):
    """Return the moves of an entry as its text has them, without tags and numbers."""
    words = entry.text.rpartition("]\n")[2].split()
    return " ".join(word for word in words if not word.endswith("."))


def enter(game, board, cells, turns=""):
    entry = start(game, board, turns)
    for cell in cells.split():
        entry = enter_cell(entry, cell)
    return entry


@pytest.mark.parametrize(
    ("game", "board", "cells", "begun", "entered"),
    [
        ("star-star", "4", "S40 A40", "", "S40 A40"),
        ("double-star-star", "4", "S40 T40", "T40,", "S40"),
        ("double-star-star", "4", "S40 T40 A40", "", "S40 A40,T40"),
        ("double-star-star", "4", "S40 T40 T40", "", "S40"),
        ("penta-line", "10", "S01", "S01-", ""),
        ("penta-line", "10", "S01 S71", "", "S01-S71"),
        ("penta-line", "10", "S01 S01", "", ""),
        ("mini", "10", "T21 S32", "", "T21-S32"),
        ("queens", "10", "A74", "", "A74"),
    ],
)
def test_cells_complete_turns(game, board, cells, begun, entered):
    entry = enter(game, board, cells)

    assert entry.error is None
    assert (entry.begun, moves(entry)) == (begun, entered)


def test_each_stone_that_a_move_encloses_needs_a_rim_cell():
    bits = row_board().bits
    first, second = bits["S63"] | bits["S72"] | bits["S50"], bits["S62"]
    position = replace(start("penta-hex", "10").scene.position, first=first, second=second)

    turn = extend_turn(position, "S50-", "S51")
    assert turn == "S50-S51(S62>"
    turn = extend_turn(position, turn, "S05")
    assert turn == "S50-S51(S62>S05)"
    assert position.is_legal(turn)


@pytest.mark.parametrize(
    ("game", "board", "cells", "code", "entered"),
    [
        ("star-star", "4", "S40 S40", "occupied", "S40"),
        ("star-star", "4", "S40 S99", "unknown_cell", "S40"),
        ("penta-line", "10", "A54", "no_own_stone", ""),
        ("penta-line", "10", "S01 S06", "path_blocked", ""),
        ("mini", "10", "C S10", "occupied", ""),
    ],
)
def test_an_illegal_cell_changes_nothing(game, board, cells, code, entered):
    entry = enter(game, board, cells)

    assert entry.error.code == code
    assert (entry.begun, moves(entry)) == ("", entered)


@pytest.mark.parametrize(
    ("words", "entered", "code", "can_follow"),
    [
        ("s40 SWAP a40", "S40 swap A40", None, ["resign"]),
        ("S40", "S40", None, ["swap", "resign"]),
        ("S40 resign", "S40 resign", None, []),
        ("S40 S40", "", "occupied", ["resign"]),
        ("{", "", "unreadable", ["resign"]),
        ("agreed 99-0", "", "claim_contradicts", ["resign"]),
    ],
)
def test_words_are_entered_together(words, entered, code, can_follow):
    entry = enter_words(start("star-star", "4"), words)

    assert (moves(entry), entry.error and entry.error.code) == (entered, code)
    assert list(entry.words) == can_follow


@pytest.mark.parametrize(
    ("words", "entered", "code"),
    [
        ("s40 T40 a40", "S40 A40,T40", None),
        ("S40 A40,T40 S41 S42 swap", "", "swap_not_allowed"),
        ("S40 swap S41 S42 A40,T40", "S40 swap S41,S42 A40,T40", None),
        ("S40 T40 S40", "", "occupied"),
        ("S40 T40 resign", "", "stone_count"),
    ],
)
def test_the_comma_of_a_turn_may_be_left_out(words, entered, code):
    entry = enter_words(start("double-star-star", "4"), words)

    assert (moves(entry), entry.error and entry.error.code) == (entered, code)


@pytest.mark.parametrize(
    ("game", "board", "words"),
    [("star", "3x4", ["pass", "resign"]), ("penta-line", "10", ["resign"]), ("queens", "10", [])],
)
def test_the_words_that_can_begin_a_game(game, board, words):
    assert list(start(game, board).words) == words


def test_the_last_cell_or_move_is_taken_back():
    entry = enter("penta-line", "10", "S01 S71 *08")

    entry = remove_last(entry)
    assert (entry.begun, moves(entry)) == ("", "S01-S71")
    assert moves(remove_last(entry)) == ""
    assert moves(remove_last(remove_last(entry))) == ""


def test_a_typed_record_shows_the_position_before_its_error():
    entry = start("star-star", "4", "S40 A40 S40 T40")

    assert (entry.error.code, entry.error.ply) == ("occupied", 3)
    assert [len(stones) for stones in entry.scene.stones] == [1, 1]
