"""Blank record sheets: the board of a game with the names of its cells, and lines for its turns.

A sheet has one page, or two if the turns that fill the board do not fit below it, so that all
sheets of an event can be printed on both sides. The board shows the stones that are on it before
the first turn. Equal boards are drawn once for all sheets.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext

from games.core.errors import Unprocessable
from games.core.tables.typesetting import CODES_FOLDER, PICTURES_FOLDER, print_sheet
from games.documents.renderers.pdf.frame import SheetFrame
from games.documents.turn_lines import TURN_LINE_HEIGHT, TURN_LINES_WIDTH, draw_lines
from games.rules.conditions import Conditions
from games.rules.diagram.drawing import draw
from games.rules.diagram.drawing import frame as frame_of_scene
from games.rules.diagram.scene import scene_of_board
from games.rules.registry import find_game
from games.rules.text import Text

MOST_SHEETS = 500
PAGE_WIDTH: Final = TURN_LINES_WIDTH / 100
"""Centimetres between the margins of the narrower paper, A4."""
PAGE_HEIGHTS: Final = {"a4": 26.3, "letter": 24.5}
"""Centimetres between the margins of a page."""
HEAD_HEIGHT, SECOND_HEAD_HEIGHT, FOOT_HEIGHT, SHEET_LINE_HEIGHT = (
    4.0,
    1.2,
    1.8,
    TURN_LINE_HEIGHT / 100,
)
"""Centimetres: the heads of both pages, the result with the signatures, a line for a turn."""
UNIT_WIDTH = 0.026
"""Centimetres of a unit of a diagram at most, so that small boards do not have huge cells."""
ROUNDING = 1e-6
LEAST_LINES = 5
"""The lines below the board, whatever its size."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordSheet:
    """What is printed on a sheet: the conditions, and the place and the players if known.

    The texts are clean (`games.core.tables.text`); the code is that of the page of the game.
    """

    conditions: Conditions
    place: str = ""
    first: str = ""
    second: str = ""
    code: dict[str, str] | None = None


def print_record_sheets(
    sheets: Sequence[RecordSheet], sheet_frame: SheetFrame, subtitle: str
) -> bytes:
    """Return the PDF of record sheets; raises Unprocessable for more than can be printed."""
    if len(sheets) > MOST_SHEETS:
        detail = Text(
            "there are %(count)s games; at most %(most)s can be printed",
            count=len(sheets),
            most=MOST_SHEETS,
        )
        raise Unprocessable("too_many_for_paper", detail)
    different = list(dict.fromkeys(sheet.conditions for sheet in sheets))
    layouts = [_lay_out(conditions, sheet_frame.paper) for conditions in different]
    codes = [sheet.code for sheet in sheets if sheet.code]
    blanks = [
        {
            "place": sheet.place,
            "first": sheet.first,
            "second": sheet.second,
            "layout": different.index(sheet.conditions),
            "code": codes.index(sheet.code) if sheet.code else None,
        }
        for sheet in sheets
    ]
    return print_sheet(
        "records",
        sheet_frame.as_json(subtitle)
        | {
            "sheets": blanks,
            "layouts": [layout for layout, _ in layouts],
            PICTURES_FOLDER: [pictures for _, pictures in layouts],
            CODES_FOLDER: codes,
        },
    )


def _lay_out(conditions: Conditions, paper: str) -> tuple[dict[str, Any], list[str]]:
    """Return the texts and the width of the board of all sheets with these conditions.

    Also return their pictures: the board, the lines below it, and those of the second page.
    """
    rules = find_game(conditions.game)
    scene = scene_of_board(conditions)
    _, width, height = frame_of_scene(scene, 0.0)
    page = PAGE_HEIGHTS[paper]
    least = (LEAST_LINES + 1) * SHEET_LINE_HEIGHT
    below_head = page - HEAD_HEIGHT - FOOT_HEIGHT
    unit = min(UNIT_WIDTH, PAGE_WIDTH / width, (below_head - least) / height)
    lines = int((below_head - unit * height) / SHEET_LINE_HEIGHT + ROUNDING) - 1
    columns = 3 if rules.has_long_turns else 4 if rules.players == 2 else 6
    seats = [gettext("first"), gettext("second")] if rules.players == 2 else [gettext("turn")]
    free = len(scene.layout.faces) - sum(len(stones) for stones in scene.stones)
    pictures = [draw(scene, names=True), draw_lines(seats, columns=columns, lines=lines)]
    if columns * lines * rules.players < free:
        start, rest = columns * lines + 1, int((page - SECOND_HEAD_HEIGHT) / SHEET_LINE_HEIGHT) - 1
        pictures.append(draw_lines(seats, columns=columns, lines=rest, start=start))
    return {
        "conditions": describe_conditions(conditions),
        "notation": gettext("A turn: %(notation)s") % {"notation": gettext(rules.notation)},
        "seats": rules.players,
        "width": unit * width,
    }, pictures


def describe_conditions(conditions: Conditions) -> str:
    """Return the conditions in a line: `*Star, board 10, pie rule, second 3 stones`."""
    rules = find_game(conditions.game)
    without = gettext("without pie rule") if rules.swaps else ""
    pie_rule = gettext("pie rule") if conditions.swap else without
    handicap = gettext("handicap") + f": {conditions.handicap}" if conditions.handicap else ""
    board = gettext("board") + f" {conditions.board}"
    parts = (rules.name, board, *conditions.options, pie_rule, handicap)
    return ", ".join(part for part in parts if part)
