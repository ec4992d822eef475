"""The diagrams of the API with words in the language of the reader, for the session of a page."""

from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import translation
from rest_framework.request import Request

from games.http.languages import language_of, vary_by_language
from games.pages.session import PageAuthentication
from games.pages.words import say
from games.play.diagrams import BoardDiagram, DiagramView, RecordDiagram
from games.rules.conditions import Conditions
from games.rules.diagram.drawing import draw
from games.rules.diagram.scene import scene_of_board


class PageDiagram(DiagramView):
    """What the diagrams of pages have in common."""

    schema = None
    authentication_classes = [PageAuthentication]
    say = staticmethod(say)

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Respond in the language of the reader."""
        with translation.override(language_of(request)):
            return vary_by_language(super().dispatch(request, *args, **kwargs))


class GameDiagram(PageDiagram, RecordDiagram):
    """The diagram of a game after some or all plies."""

    parameters = ("names", "numbers")

    def get(self, request: Request, game_id: int, ply: str = "") -> HttpResponseBase:
        """Return the position after the plies in the address, by default all."""
        query = self.query(request) | ({"ply": ply} if ply else {})
        return self.diagram(request, game_id, query)


class EmptyBoardDiagram(PageDiagram, BoardDiagram):
    """The diagram of the empty board of a game."""

    def board(self, conditions: Conditions, *, names: bool) -> str:
        """Return the picture, which differs between languages and is not kept."""
        return draw(scene_of_board(conditions), names=names, say=say)
