"""Any stones on a board: those of a game prove what the game proves."""

import pytest

from games.rules.analysis import Stones, last_of, place_stones, record_of, stones_of
from games.rules.boards.chains import cells_of
from games.rules.diagram.scene import scene_of_record
from games.rules.errors import IllegalMove
from games.rules.families.placement import Placement
from games.rules.registry import GAMES
from games.rules.samples import find_sample
from games.rules.seat import Seat
from tests.games.rules.random_games import conditions_of


@pytest.mark.parametrize("code", GAMES)
@pytest.mark.parametrize("share", [0.1, 0.5, 1])
def test_the_stones_of_a_game_prove_the_same(code, share):
    sample = find_sample(code)
    plies = max(2, int(share * len(sample.moves)))
    scene = scene_of_record(sample, min(plies, len(sample.moves)))
    found = stones_of(scene.position)
    first, second = (
        tuple(sorted(cells, key=lambda cell: scene.placed_at.get(cell, 0)))
        for cells in (found.first, found.second)
    )
    stones = Stones(first, second, found.swapped)

    position = place_stones(sample.conditions, stones)
    assert stones_of(position) == found
    assert position.outcome() == scene.position.outcome()
    assert position.highlights(last_of(position)) == scene.highlights
    if isinstance(position, Placement) and code != "double-star-star":
        assert position.to_move is scene.position.to_move
        record = record_of(sample.conditions, stones)
        assert stones_of(scene_of_record(record).position) == found


@pytest.mark.parametrize(
    ("stones", "cell", "seat", "after"),
    [
        pytest.param(Stones(), "S30", None, Stones(("S30",)), id="the first stone"),
        pytest.param(Stones(("S30",)), "S31", None, Stones(("S30",), ("S31",)), id="in turn"),
        pytest.param(Stones(("S30",)), "S31", Seat.FIRST, Stones(("S30", "S31")), id="of one seat"),
        pytest.param(Stones(("S30",), ("S31",)), "S31", Seat.FIRST, Stones(("S30",)), id="off"),
    ],
)
def test_a_click_places_a_stone_or_takes_it_off(stones, cell, seat, after):
    assert stones.with_click(cell, seat) == after


def test_a_chain_wins_though_no_game_leads_to_it():
    position = place_stones(
        conditions_of(GAMES["hex"], "5"), Stones(("c1", "c2", "c3", "c4", "c5"))
    )

    assert position.outcome().winner is Seat.FIRST
    (chain,) = position.highlights(last_of(position)).winning
    assert len([*cells_of(chain)]) == 5


@pytest.mark.parametrize(
    ("code", "stones", "moves"),
    [
        ("star-star", Stones(("S30", "S31"), ("A10",)), ("S30", "A10", "S31")),
        ("star-star", Stones((), ("A10",)), None),
        ("star-star", Stones(("S30",), (), swapped=True), None),
        ("star-star", Stones((), ("S30",), swapped=True), ("S30", "swap")),
        ("hex", Stones(("a1", "a2"), ("b1", "b2")), ("a1", "b1", "a2", "b2")),
        ("double-star-star", Stones(("S30",)), ("S30",)),
        ("double-star-star", Stones(("S30",), ("A10",)), None),
        ("mini", Stones(("S10",)), None),
    ],
)
def test_a_record_leads_to_stones_that_turns_can_place(code, stones, moves):
    board = "4" if code.endswith("star-star") else GAMES[code].boards[0]
    record = record_of(conditions_of(GAMES[code], board), stones)

    assert (record and record.moves) == moves


@pytest.mark.parametrize(
    "stones", [Stones(("S30", "S30")), Stones(("S30",), ("S30",)), Stones(("C",))]
)
def test_a_cell_holds_one_stone_and_exists(stones):
    with pytest.raises(IllegalMove):
        place_stones(conditions_of(GAMES["star-star"], "4"), stones)
