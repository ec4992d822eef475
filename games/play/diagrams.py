"""Diagrams as SVG: the empty board of a game, and a position of a game's record.

The words are English in the API, and in the language of the reader on pages.
"""

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any

from django.core.cache import caches
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import translation
from django.utils.cache import get_conditional_response
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request

from games.core.authentication import PageAuthentication
from games.core.errors import NotFound, invalid_parameter
from games.core.formats import SvgFile
from games.core.requests import ListedParameter, is_flag_set, whole_number
from games.core.serializers import BOARD_SIZE
from games.core.tables.html import picture_policy
from games.core.tables.typesetting import print_picture
from games.core.text import language_of, vary_by_language
from games.core.views import ApiView
from games.play.boards import parse_ply, say
from games.play.followers import followed_record
from games.play.queries import boards_of, get_visible_game
from games.rules.conditions import Conditions
from games.rules.diagram.drawing import draw
from games.rules.diagram.scene import PlyOutOfRange, scene_of_board, scene_of_record
from games.rules.errors import BadConditions
from games.rules.game import GameRules
from games.rules.messages import Say, say_in_english
from games.rules.records.tags import read_conditions
from games.rules.registry import GAMES
from games.rules.text import Text

DIAGRAM_POLICY = picture_policy()
BOARD_MAX_AGE = 24 * 60 * 60


BOARD_PARAMETER = ListedParameter("board_size", boards_of, required=True, description=BOARD_SIZE)
OPTIONS_PARAMETER = OpenApiParameter(
    "options", description="the game's options, separated by spaces"
)
NAMES_PARAMETER = OpenApiParameter("names", bool, description="show the names of the cells")
NUMBERS_PARAMETER = OpenApiParameter(
    "numbers", bool, description="show the number of its ply on every stone"
)
PLY_PARAMETER = OpenApiParameter("ply", whole_number(0), description="the plies; default: all")


class DiagramView(ApiView):
    """An SVG; `say` writes its words."""

    say: Say = staticmethod(say_in_english)

    def svg_response(self, request: Request, svg: str, cache_control: str) -> HttpResponseBase:
        """Respond with the diagram, or with 304 if the client has it."""
        content = svg.encode()
        tag = f'"{sha256(content).hexdigest()[:32]}"'
        response = HttpResponse(
            content,
            content_type="image/svg+xml; charset=utf-8",
            headers={
                "ETag": tag,
                "Cache-Control": cache_control,
                "Content-Security-Policy": DIAGRAM_POLICY,
            },
        )
        return get_conditional_response(request, etag=tag, response=response) or response


class BoardDiagram(DiagramView):
    parameters = (BOARD_PARAMETER, OPTIONS_PARAMETER, NAMES_PARAMETER)
    renderer_classes = [SvgFile]

    def checks_of_query(self, request: Request) -> list[Callable[[], object]]:
        """Return the checks of the parameters of a game that there is."""
        find_rules(self.kwargs["code"])
        return super().checks_of_query(request)

    @extend_schema(responses=OpenApiTypes.STR)
    def get(self, request: Request, code: str) -> HttpResponseBase:
        """Return the board of a game before the first ply, as SVG.

        `board_size` chooses the board, and `names` shows the coordinates that records use. Caches
        may keep it for a day.
        """
        names = is_flag_set(request, "names")
        conditions = conditions_of_board(code, request.query_params)
        svg = draw(scene_of_board(conditions), names=names, say=self.say)
        return self.svg_response(request, svg, f"public, max-age={BOARD_MAX_AGE}")


def conditions_of_board(code: str, query: Mapping[str, str]) -> Conditions:
    """Return the conditions of a game on the board, with the options, that a query names.

    Raises NotFound for an unknown game, Unprocessable for a board or an option it does not have.
    """
    rules = find_rules(code)
    board = query.get("board_size", "")
    if rules.find_board(board) is None:
        detail = Text(
            "%(board)s is not a board of %(game)s; valid: %(boards)s",
            board=f"{board[:60]!r}",
            game=rules.name,
            boards=Text(rules.board_form),
        )
        raise invalid_parameter("board_size", detail, rules.boards)
    tags = {"Game": code, "Board": board, "Options": query.get("options", "")}
    try:
        return read_conditions(tags)
    except BadConditions as error:
        raise invalid_parameter("options", error.detail, rules.options) from None


def find_rules(code: str) -> GameRules:
    """Return a game; raises NotFound with the codes of all games."""
    if code not in GAMES:
        detail = Text(
            "there is no game %(game)s; valid are: %(names)s",
            game=f"{code[:40]!r}",
            names=", ".join(GAMES),
        )
        raise NotFound("unknown_ruleset", detail, valid=list(GAMES))
    return GAMES[code]


class RecordDiagram(DiagramView):
    """The position after some or all plies of the record of a game."""

    def diagram(self, request: Request, game_id: int, ply: str) -> HttpResponseBase:
        game = get_visible_game(request, game_id)
        names, numbers = is_flag_set(request, "names"), is_flag_set(request, "numbers")
        record = followed_record(request, game)
        players = game.first.name, game.second.name
        try:
            scene = scene_of_record(record, parse_ply(ply), players)
        except PlyOutOfRange as error:
            raise invalid_parameter("ply", error.args[0], min=0, max=error.plies) from None
        svg = draw(scene, names=names, numbers=numbers, say=self.say)
        return self.svg_response(request, svg, "private, no-cache")


class PageDiagram(DiagramView):
    """What the diagrams of pages have in common."""

    schema = None
    authentication_classes = [PageAuthentication]
    say = staticmethod(say)

    def perform_content_negotiation(self, request: Request, force: bool = False) -> Any:
        """Ignore `Accept`, since the address determines the format."""
        return JSONRenderer(), JSONRenderer.media_type

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        with translation.override(language_of(request)):
            return vary_by_language(super().dispatch(request, *args, **kwargs))


class GameDiagram(PageDiagram, RecordDiagram):
    """The diagram of a game after some or all plies."""

    parameters = (NAMES_PARAMETER, NUMBERS_PARAMETER)

    def get(self, request: Request, game_id: int, ply: str = "") -> HttpResponseBase:
        return self.diagram(request, game_id, ply)


class EmptyBoardPicture(PageDiagram):
    """The empty board of a game as PNG, for sites that show a picture beside a link."""

    parameters = (BOARD_PARAMETER, OPTIONS_PARAMETER)

    def get(self, request: Request, code: str) -> HttpResponseBase:
        """Return the picture, which is typeset once; caches may keep it for a day."""
        conditions = conditions_of_board(code, request.query_params)
        svg = draw(scene_of_board(conditions))
        key = f"picture-{sha256(svg.encode()).hexdigest()}"
        content = caches["large_responses"].get_or_set(key, lambda: print_picture(svg))
        headers = {"Cache-Control": f"public, max-age={BOARD_MAX_AGE}"}
        return HttpResponse(content, content_type="image/png", headers=headers)


class EmptyBoardDiagram(PageDiagram, BoardDiagram):
    """The diagram of the empty board of a game."""
