"""A blank record sheet of a game, to print."""

from functools import lru_cache

from django.conf import settings
from django.http import HttpResponse
from django.utils import translation
from django.utils.translation import gettext
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from games.core.errors import unknown_key
from games.core.requests import requested_choice
from games.core.tables.views import PAPER, PDF, file_response
from games.core.views import ApiView
from games.documents.renderers.pdf.frame import PAPER_SIZES, SheetFrame
from games.http.languages import language_of, vary_by_language
from games.play.diagrams import (
    BOARD_MAX_AGE,
    BOARD_PARAMETER,
    OPTIONS_PARAMETER,
    conditions_of_board,
)
from games.play.sheets import RecordSheet, print_record_sheets
from games.rules.conditions import Conditions
from games.rules.registry import find_game

SHEET_PARAMETERS = (BOARD_PARAMETER, OPTIONS_PARAMETER, PAPER)


class RecordSheetFile(ApiView):
    throttle_scope = "pdf"

    @extend_schema(operation_id="record_sheet", parameters=list(SHEET_PARAMETERS), responses=PDF)
    def get(self, request: Request, code: str) -> HttpResponse:
        """Return a blank record sheet of a game.

        It has the board with the names of its cells and lines for the turns, on one page or two.
        """
        valid = [parameter.name for parameter in SHEET_PARAMETERS]
        for name in request.query_params:
            if name not in valid:
                raise unknown_key("parameter", name, valid)
        conditions = conditions_of_board(code, request.query_params)
        paper = requested_choice(request, "paper", PAPER_SIZES)
        language = language_of(request._request)
        content = _print_blank(conditions, paper, language)
        file_name = f"{code}.{conditions.board}.sheet.pdf"
        response = file_response(content, "application/pdf", file_name, disposition="inline")
        response["Cache-Control"] = f"public, max-age={BOARD_MAX_AGE}"
        return vary_by_language(response)


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
