"""Pictures: an empty board of a game, and a game's record after so many plies."""

import re
from base64 import b64encode
from functools import lru_cache
from hashlib import sha256
from typing import Any

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.views import APIView

from games.http.errors import NotFound, Unprocessable, unknown_key
from games.http.request import get_visible_game
from games.rules import GAMES
from games.rules.conditions import Conditions
from games.rules.diagram.drawing import STYLE, draw
from games.rules.diagram.scene import PlyOutOfRange, scene_of_board, scene_of_record
from games.rules.errors import BadConditions
from games.rules.records.record import Record
from games.rules.records.tags import read_conditions

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; "
    f"style-src 'sha256-{b64encode(sha256(STYLE.encode()).digest()).decode()}'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox"
)
"""Nothing but the picture's own style, named by its digest."""

BOARD_AGE = 24 * 60 * 60
FLAGS = {"0": False, "1": True}

ANSWERS = {
    (200, "image/svg+xml"): OpenApiTypes.STR,
    304: OpenApiResponse(description="The picture is the one that the asker has."),
}


def _flag(name: str, meaning: str) -> OpenApiParameter:
    return OpenApiParameter(name, enum=list(FLAGS), default="0", description=meaning)


NAMES = _flag("names", "1 writes the names of the cells")
NUMBERS = _flag("numbers", "1 writes the number of its turn on every stone")


class Picture(APIView):
    """An SVG; `parameters` are those that its address may carry."""

    parameters: tuple[str, ...] = ()

    def perform_content_negotiation(self, request: Request, force: bool = False) -> Any:
        """Send the picture whatever is accepted: the address says what comes."""
        return JSONRenderer(), JSONRenderer.media_type

    def asked(self, request: Request) -> dict[str, str]:
        """The parameters that were sent; raises Unprocessable for one that means nothing here."""
        asked = {name: str(value) for name, value in request.query_params.items()}
        for name in asked:
            if name not in self.parameters:
                raise unknown_key("parameter", name, self.parameters)
        return asked

    def answer(self, request: Request, svg: str, caching: str) -> HttpResponseBase:
        """The picture, or 304 when the asker has it already."""
        content = svg.encode()
        tag = f'"{sha256(content).hexdigest()[:32]}"'
        whole = HttpResponse(
            content,
            content_type="image/svg+xml",
            headers={
                "ETag": tag,
                "Cache-Control": caching,
                "Content-Security-Policy": CONTENT_SECURITY_POLICY,
            },
        )
        return get_conditional_response(request, etag=tag, response=whole) or whole


def is_on(name: str, asked: dict[str, str]) -> bool:
    """Whether a flag is set; raises Unprocessable for anything but 0 and 1."""
    value = asked.get(name, "0")
    if value not in FLAGS:
        raise unknown_key(name, value, list(FLAGS))
    return FLAGS[value]


class BoardPicture(Picture):
    parameters = ("board", "options", "names")

    @extend_schema(
        operation_id="board_picture",
        parameters=[
            OpenApiParameter("board", required=True, description="as a record names it"),
            OpenApiParameter("options", description="the game's options, with spaces between"),
            NAMES,
        ],
        responses=ANSWERS,
    )
    def get(self, request: Request, code: str) -> HttpResponseBase:
        """The board of a game before the first turn, as SVG."""
        rules = GAMES.get(code)
        if rules is None:
            codes = list(GAMES)
            raise NotFound(
                "unknown_game",
                f"no game is called {code[:40]!r}; there are: {', '.join(codes)}",
                valid=codes,
            )
        asked = self.asked(request)
        names = is_on("names", asked)
        if rules.find_board(asked.get("board", "")) is None:
            detail = f"board is {asked.get('board', '')[:60]!r}; there are: {rules.board_form}"
            raise Unprocessable("unknown_board", detail, at="/board", valid=list(rules.boards))
        tags = {"Game": code, "Board": asked["board"], "Options": asked.get("options", "")}
        try:
            conditions = read_conditions(tags)
        except BadConditions as error:
            told = {"pointer": "/options", **error.as_json()}
            valid = list(rules.options)
            raise Unprocessable(error.code, error.detail, [told], valid=valid) from None
        return self.answer(request, _board(conditions, names), f"public, max-age={BOARD_AGE}")


@lru_cache(maxsize=32)
def _board(conditions: Conditions, names: bool) -> str:
    return draw(scene_of_board(conditions), names=names)


class RecordPicture(Picture):
    parameters = ("ply", "names", "numbers")

    @extend_schema(
        operation_id="record_picture",
        parameters=[
            OpenApiParameter("ply", int, description="after so many turns; all by default"),
            NAMES,
            NUMBERS,
        ],
        responses=ANSWERS,
    )
    def get(self, request: Request, game_id: int) -> HttpResponseBase:
        """The position of the record in force, after all its turns or the first few, as SVG."""
        game = get_visible_game(request, game_id)
        asked = self.asked(request)
        names, numbers = is_on("names", asked), is_on("numbers", asked)
        if game.record is None:
            raise NotFound("no_record", f"game {game_id} has no record in force")
        record = Record.parse(game.record.record)
        players = game.first.name, game.second.name
        try:
            scene = scene_of_record(record, _ply(asked), players)
        except PlyOutOfRange as error:
            raise unknown_key("ply", asked["ply"], [f"0 to {error.plies}"]) from None
        return self.answer(request, draw(scene, names=names, numbers=numbers), "private, no-cache")


def _ply(asked: dict[str, str]) -> int | None:
    """The ply that was asked for, None for the last; a word that is none is out of range."""
    if "ply" not in asked:
        return None
    return int(asked["ply"]) if re.fullmatch("[0-9]{1,6}", asked["ply"], re.ASCII) else -1
