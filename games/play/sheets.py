"""Blank record sheets: the board of a game with the names of its cells, and lines for its turns.

A sheet has one page, or two if the turns that fill the board do not fit below it, so that all
sheets of an event can be printed on both sides. The board shows the stones that are on it before
the first turn. Equal boards are drawn once for all sheets.

The lines for the turns are a picture too, which is typeset once and repeated: as a table they would
take 4 MB and 90 ms for each game.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from django.conf import settings
from django.http import HttpResponse
from django.utils import translation
from django.utils.translation import gettext
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from games.core.errors import Unprocessable
from games.core.formats import PdfFile
from games.core.requests import requested_choice
from games.core.tables.pdf import PAPER_SIZES, SheetFrame
from games.core.tables.typesetting import CODES_FOLDER, PICTURES_FOLDER, print_sheet
from games.core.tables.views import PAPER, pdf_response
from games.core.text import language_of
from games.core.views import ApiView
from games.play.boards import describe_least, handicap_in_words, name_stones
from games.play.diagrams import (
    BOARD_MAX_AGE,
    BOARD_PARAMETER,
    OPTIONS_PARAMETER,
    conditions_of_board,
)
from games.rules.conditions import Conditions
from games.rules.diagram.drawing import draw
from games.rules.diagram.drawing import frame as frame_of_scene
from games.rules.diagram.scene import scene_of_board
from games.rules.diagram.svg import element, number, text
from games.rules.registry import find_game
from games.rules.text import Text

TURN_LINES_WIDTH = 1820.0
"""Units across, of a tenth of a millimetre, as all lengths here."""
TURN_LINE_HEIGHT = 60.0
TURN_COLUMN_GAP, NUMBERS, INDENT, BASELINE, LETTER = 30.0, 75.0, 8.0, 40.0, 25.0
"""Between the columns, for the numbers, before a text, below the top of a line, of the letters."""


def draw_lines(words: Sequence[str], *, columns: int, lines: int, start: int = 1) -> str:
    """Return columns of lines as SVG, numbered from `start`, with a place for each of the words."""
    width = (TURN_LINES_WIDTH - TURN_COLUMN_GAP * (columns - 1)) / columns
    height = TURN_LINE_HEIGHT * (lines + 1)
    rules, texts = [], []
    for column in range(columns):
        left = column * (width + TURN_COLUMN_GAP)
        for line in range(1, lines + 2):
            rules.append(f"M{number(left)},{number(TURN_LINE_HEIGHT * line - 1)}h{number(width)}")
        for place, word in enumerate(words):
            x = left + NUMBERS + place * (width - NUMBERS) / len(words)
            rules.append(f"M{number(x)},0v{number(height)}")
            texts.append((x, 0, word))
        texts.append((left, 0, gettext("No")))
        for line in range(lines):
            texts.append((left, line + 1, str(start + column * lines + line)))
    return element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "width": number(TURN_LINES_WIDTH),
            "height": number(height),
            "viewBox": f"0 0 {number(TURN_LINES_WIDTH)} {number(height)}",
            "font-family": "serif",
            "font-size": number(LETTER),
            "fill": "#555",
        },
        element("path", {"d": "".join(rules), "stroke": "#888", "stroke-width": "1.5"}),
        *_draw_texts(texts),
    )


def _draw_texts(texts: Sequence[tuple[float, int, str]]) -> Iterator[str]:
    for left, line, words in texts:
        place = {"x": number(left + INDENT), "y": number(line * TURN_LINE_HEIGHT + BASELINE)}
        yield element("text", place, text(words))


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
    """Return the conditions in a line: `*Star, board 10, pie rule, handicap: second: 3 stones`."""
    rules = find_game(conditions.game)
    without = gettext("without pie rule") if rules.swaps else ""
    pie_rule = gettext("pie rule") if conditions.swap else without
    handicap = handicap_in_words(name_stones(str(conditions.handicap or ""), conditions))
    handicap = handicap and gettext("handicap") + f": {handicap}"
    if least := describe_least(conditions):
        count = gettext("write the count of the board, without these points")
        handicap += f" ({count}; {least})"
    board = gettext("board") + f" {conditions.board}"
    parts = (rules.name, board, *conditions.options, pie_rule, handicap)
    return ", ".join(part for part in parts if part)


class RecordSheetFile(ApiView):
    renderer_classes = [PdfFile]
    parameters = (BOARD_PARAMETER, OPTIONS_PARAMETER, PAPER)

    @extend_schema(operation_id="download_sheet", responses=OpenApiTypes.BINARY)
    def get(self, request: Request, code: str) -> HttpResponse:
        """Return a blank record sheet of a game.

        It has the board with the names of its cells and lines for the turns, on one page or two.
        """
        conditions = conditions_of_board(code, request.query_params)
        paper = requested_choice(request, "paper", PAPER_SIZES)
        language = language_of(request)
        content = _print_blank(conditions, paper, language)
        response = pdf_response(content, f"{code}.{conditions.board}.sheet")
        response["Cache-Control"] = f"public, max-age={BOARD_MAX_AGE}"
        return response


@lru_cache(maxsize=32)
def _print_blank(conditions: Conditions, paper: str, language: str) -> bytes:
    """Return the sheet, which names no player and has no date, so that it never changes."""
    sheets = [RecordSheet(conditions=conditions)]
    with translation.override(language):
        frame = SheetFrame(
            title=find_game(conditions.game).name,
            place="",
            source=f"{settings.PUBLIC_URL}/rules/{conditions.game}",
            printed=gettext("record sheet"),
            paper=paper,
        )
        return print_record_sheets(sheets, frame, gettext("Record sheet"))
