"""The board of a page: labelled cells in rows, its size, its colours."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from games.rules.descriptions.cells import describe_cells
from games.rules.diagram.grid import draw_grid
from games.rules.diagram.paints import DIAGRAM_PAINTS
from games.rules.diagram.scene import scene_of_board, scene_of_record
from games.rules.records.record import Record
from games.rules.records.tags import read_conditions
from games.rules.registry import GAMES
from tests.games.rules.random_games import random_game

SVG = "{http://www.w3.org/2000/svg}"
FILES = Path(__file__).parents[3] / "games" / "static" / "games"


def grid(scene, **options):
    return draw_grid(scene, describe_cells(scene.position), title="a board", **options)


def empty_board(code, board):
    return scene_of_board(read_conditions({"Game": code, "Board": board}))


def random_scene(code):
    conditions = read_conditions({"Game": code, "Board": GAMES[code].boards[0]})
    turns, _ = random_game(GAMES[code], conditions, 1, most_plies=30)
    return scene_of_record(Record(conditions=conditions, moves=tuple(turns)))


def elements(svg, **attributes):
    """Return the elements with these values of attributes."""
    tree = ElementTree.fromstring(svg.replace("<svg ", f'<svg xmlns="{SVG[1:-1]}" ', 1))
    return [e for e in tree.iter() if all(e.get(k) == v for k, v in attributes.items())]


@pytest.mark.parametrize("code", GAMES)
def test_every_cell_is_in_a_row_and_one_is_the_tab_stop(code):
    scene = random_scene(code)
    svg = grid(scene, names=True, numbers=True)

    cells = [cell for row in elements(svg, role="row") for cell in row]
    names = [cell.get("aria-label").split(",")[0] for cell in cells]
    assert sorted(names) == sorted(scene.board.names)
    assert len(elements(svg, role="gridcell")) == len(cells)
    assert len(elements(svg, tabindex="0")) == 1
    assert "style" not in svg


def test_the_largest_board_of_star_star_takes_28_kilobytes():
    assert len(grid(empty_board("star-star", "10"))) <= 28 * 1024


def test_the_tab_stop_is_the_last_stone():
    record = '[Game "star-star"]\n[Board "4"]\n\nS40 A40'
    svg = grid(scene_of_record(Record.parse(record)))

    assert [e.get("aria-label") for e in elements(svg, tabindex="0")] == [
        "A40, second, single stone, 1 edge cell, spark"
    ]
    assert [
        e.get("class") for e in elements(svg, role="gridcell") if "," in e.get("aria-label")
    ] == [
        "tint1",
        "tint2",
    ]


def test_the_style_of_pages_has_the_colours_of_diagrams():
    rules = (FILES / "board.css").read_text()

    for use, colours in DIAGRAM_PAINTS.items():
        assert f"svg.board .{use} {{ {colours.attribute}: {colours.light}; }}" in rules
    (dark,) = rules.split("prefers-color-scheme: dark", 1)[1:]
    assert "fill" not in dark.split("\n")[0]
