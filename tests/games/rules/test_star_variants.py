"""Nobridge *Star and Double *Star: the differences from *Star."""

import pytest

from games.rules.conditions import Conditions
from games.rules.errors import RecordError
from games.rules.records.replay import play_turns
from games.rules.records.streams import judge
from games.rules.registry import find_game

NOBRIDGE = '[Game "nobridge-star-star"]\n[Board "4"]\n\n'
DOUBLE = '[Game "double-star-star"]\n[Board "4"]\n\n'


def double(turns):
    rules = find_game("double-star-star")
    return play_turns(rules.start(Conditions(game=rules.code, board="4")), turns.split())


def test_the_centre_of_nobridge_star_is_a_cell_without_a_peri():
    verdict = judge(NOBRIDGE + "C swap S10 resign")
    assert verdict.is_valid

    empty = judge(NOBRIDGE)
    assert sum(sum(seat) for seat in empty.outcome.bounds) == 2 * 21


@pytest.mark.parametrize(
    ("turns", "code", "ply"),
    [
        ("S10,S20", "stone_count", 1),
        ("S10 S20", "stone_count", 2),
        ("S10 S20,S21,T20", "stone_count", 2),
        ("S10 S20,", "unknown_cell", 2),
        ("S10 S20,S20", "occupied", 2),
        ("S10 S10,XX", "unknown_cell", 2),
        ("S10 S10", "occupied", 2),
        ("S10 S10,S20,T20", "occupied", 2),
        ("S10 C", "bridge", 2),
        ("S10 swap S20", "stone_count", 3),
        ("S10 S20,S21 swap", "swap_not_allowed", 3),
        ("S10 pass", "pass_not_allowed", 2),
    ],
)
def test_illegal_double_turns_are_rejected(turns, code, ply):
    with pytest.raises(RecordError) as caught:
        double(turns)

    assert (caught.value.code, caught.value.ply) == (code, ply)


def test_the_order_within_a_turn_does_not_matter():
    one, other = judge(DOUBLE + "S10 t20,S20"), judge(DOUBLE + "S10 S20,T20")

    assert one.digest == other.digest
    assert one.plies == 2


def test_the_last_turn_has_one_stone_if_one_cell_is_left():
    position = double("S10 swap")
    while not position.is_over:
        turn = next(position.legal_moves())
        if position.empty.bit_count() == 1:
            assert "," not in turn
        position = position.play(turn)

    # 50 cells: one stone, the swap, 24 turns of two and one of one.
    assert position.plies == 1 + 1 + 24 + 1
