"""The analysis board: any stones, which the address of the page names, looked at and counted.

A click on a cell leads to the page with one stone more or less, so it works without scripts, and
the address can be shared.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Any, Final

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext
from rest_framework.request import Request

from games.core.errors import Unprocessable
from games.core.pages import PageView
from games.core.requests import is_flag_set
from games.play.boards import analysis_query, answer_about, view_board
from games.play.diagrams import PageDiagram, conditions_of_board, find_rules
from games.rules.analysis import (
    Stones,
    clickable_cells,
    last_of,
    place_stones,
    record_of,
    stones_of,
)
from games.rules.conditions import Conditions
from games.rules.diagram.choices import Choice
from games.rules.diagram.drawing import draw
from games.rules.diagram.scene import Scene, scene_of_position
from games.rules.errors import IllegalMove
from games.rules.families.placement import Placement
from games.rules.position import Position
from games.rules.registry import find_game
from games.rules.seat import Seat

HANDS: Final = {seat.value: seat for seat in Seat}
"""The seats whose stones a click places; without one they take turns."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """What an address names."""

    conditions: Conditions
    stones: Stones
    position: Position
    hand: str

    @property
    def scene(self) -> Scene:
        return scene_of_position(self.conditions, self.position, last_of(self.position))

    def query(self, stones: Stones | None = None, hand: str | None = None) -> str:
        """Return the query of the address with these stones, or with this hand."""
        return analysis_query(
            self.conditions, stones or self.stones, self.hand if hand is None else hand
        )


def requested_analysis(code: str, params: Mapping[str, str], request: Request) -> Analysis:
    """Return what an address names, by default the start of the game.

    Raises NotFound for an unknown game, Unprocessable for a board, a cell or a hand that it lacks.
    """
    rules = find_rules(code)
    board = params.get("board_size") or rules.first_board
    options = params.get("options", "")
    conditions = conditions_of_board(code, {"board_size": board, "options": options})
    if "first" in params or "second" in params:
        first, second = (tuple(_spelled(code, params.get(seat, ""))) for seat in HANDS)
        stones = Stones(first, second, is_flag_set(request, "swapped"))
    else:
        stones = stones_of(find_game(code).start(conditions))
    try:
        position = place_stones(conditions, stones)
    except IllegalMove as error:
        raise Unprocessable(error.code, error.detail) from None
    hand = params.get("hand", "")
    return Analysis(conditions, stones, position, hand if hand in HANDS else "")


def _spelled(code: str, cells: str) -> list[str]:
    canonical = find_game(code).canonical
    return [canonical(cell) for cell in cells.replace(",", " ").split()]


class AnalysisPage(PageView):
    template = "games/study/analysis.html"

    def get(self, request: Request, **address: Any) -> HttpResponseBase:
        """Return the page, with an empty board and the reason if its stones are wrong."""
        code, params, problem = address["code"], request.query_params.dict(), ""
        try:
            found = requested_analysis(code, params, request)
        except Unprocessable as error:
            found = requested_analysis(code, params | dict.fromkeys(HANDS, ""), request)
            problem = error.detail
        typed = found.stones.named | (params if problem else {})
        status = HTTPStatus.UNPROCESSABLE_ENTITY if problem else HTTPStatus.OK
        context = self.board(code, found) | {"problem": problem, "typed": typed}
        return self.page(context, status=status)

    def board(self, code: str, found: Analysis) -> dict[str, Any]:
        """Return the board with the stones, on which each cell leads to one more or less."""
        seat = Seat.FIRST if find_rules(code).players == 1 else HANDS.get(found.hand)
        choices = [
            Choice(
                cell, f"?{found.query(found.stones.with_click(cell, seat))}", "", cell, is_wide=True
            )
            for cell in clickable_cells(found.position, found.stones, seat)
        ]
        title = f"{find_rules(code).name}, {gettext('board')} {found.conditions.board}"
        view = view_board(found.scene, choices=choices, title=title)
        if not isinstance(found.position, Placement):  # the stones do not say who is to move
            view = replace(view, seats=[replace(line, is_to_move=False) for line in view.seats])
            if not all((found.stones.first, found.stones.second)[: find_rules(code).players]):
                view = replace(view, result="")  # nobody is blocked before their first stone
        hands = {"": gettext("in turn"), **{seat.value: gettext(seat.value) for seat in Seat}}
        record = record_of(found.conditions, found.stones)
        return {
            "rules": find_rules(code),
            "found": found,
            "options": " ".join(found.conditions.options),
            "view": replace(view, ply=len(found.stones.in_turn)),
            "hands": [(word, f"?{found.query(hand=hand)}", hand) for hand, word in hands.items()],
            "query": found.query(),
            "empty": f"?{found.query(Stones())}",
            "is_record": record is not None,
        }


class AnalysisAbout(PageView):
    def get(self, request: Request, **address: Any) -> HttpResponseBase:
        """Answer a question about a cell of the stones."""
        found = requested_analysis(address["code"], request.query_params, request)
        return answer_about(request, found.scene)


class AnalysisDiagram(PageDiagram):
    def checks_of_query(self, request: Request) -> list[Any]:
        """Return no checks: the parameters are those of the page."""
        return []

    def get(self, request: Request, code: str) -> HttpResponseBase:
        """Return the picture of the stones, with the names of cells if they are wanted."""
        found = requested_analysis(code, request.query_params, request)
        svg = draw(found.scene, names=is_flag_set(request, "names"), say=self.say)
        return self.svg_response(request, svg, "private, no-cache")


class AnalysisText(PageView):
    def get(self, request: Request, **address: Any) -> HttpResponseBase:
        """Return a record that leads to the stones, or their picture in text if none does."""
        found = requested_analysis(address["code"], request.query_params, request)
        record = record_of(found.conditions, found.stones)
        name = f"{address['code']}.{'rec' if record else 'txt'}"
        return HttpResponse(
            str(record or found.position),
            content_type="text/plain; charset=utf-8",
            headers={"Content-Disposition": f'attachment; filename="{name}"'},
        )
