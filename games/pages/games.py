"""The page of a game: its result, its replay, its reports; the same in a frame of another site."""

from dataclasses import replace
from typing import Any, Final

from django.http import HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.utils.decorators import method_decorator
from django.views.decorators.clickjacking import xframe_options_exempt
from rest_framework.request import Request

from games import queries
from games.core.errors import NotFound
from games.core.pages import PageView
from games.core.permissions import may
from games.core.requests import current_account
from games.models import Game
from games.pages.replays import answer_about, opening_query, requested_replay, requested_scene
from games.play.boards import view_board
from games.play.lookup import game_not_found, get_visible_game
from games.play.outcomes import conditions_of
from games.rules.diagram.scene import scene_of_board
from games.rules.records.record import Record
from games.rules.registry import find_game
from games.rules.text import Text
from games.views.games import load_game

EVENT_STREAM: Final = "tournament/"
"""What the stream of an event begins with; its slug follows."""

LINKED_TURNS: Final = 4
"""The turns of a game of which its page shows the other games: few games share more."""

EMBED_POLICY: Final = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors *"
)
"""The Content-Security-Policy of a page that other sites may show in a frame."""


class GamePage(PageView):
    template = "games/game.html"

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the game with its replay, or with its empty board if it has no record."""
        game = get_visible_game(request, address["game_id"])
        body = load_game(request, game.pk)
        context = game_context(request, game, body, address, base=f"/games/{game.pk}")
        embed = request.build_absolute_uri(f"/games/{game.pk}/embed") if game.public else ""
        return context | reports_of(request, game) | {"embed": embed}


@method_decorator(xframe_options_exempt, name="dispatch")
class GameEmbed(PageView):
    """A public game; the reader's session is not used, so the page shows nothing else."""

    authentication_classes = []
    template = "games/embed.html"

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the game with its replay."""
        game_id = address["game_id"]
        row = queries.public_game_rows().filter(pk=game_id).first()
        if row is None:
            raise game_not_found(game_id)
        game = get_visible_game(request, game_id)
        body = queries.game_as_json(row)
        return game_context(request, game, body, address, base=f"/games/{game_id}/embed")

    def get(self, request: Request, **address: Any) -> HttpResponseBase:
        """Return the page, which other sites may show."""
        response = super().get(request, **address)
        response.headers["Content-Security-Policy"] = EMBED_POLICY
        return response


class GameAbout(PageView):
    def get(self, request: Request, **address: Any) -> HttpResponseBase:
        """Answer a question about a cell of a position."""
        _, record = load_record(request, address["game_id"])
        return answer_about(request, requested_scene(request, record, address))


class GameTextPage(PageView):
    def get(self, request: Request, **address: Any) -> HttpResponseBase:
        """Return the record, or its first turns, as text or JSON."""
        _, record = load_record(request, address["game_id"])
        if address.get("ply"):
            scene = requested_scene(request, record, address)
            if len(scene.turns) < scene.plies:
                record = replace(record, moves=scene.turns, result=None)
        if address["form"] == "json":
            return JsonResponse(record.as_json())
        return HttpResponse(str(record), content_type="text/plain; charset=utf-8")


def load_record(request: Request, game_id: int) -> tuple[Game, Record]:
    """Return a game and the record that proves its result; raises NotFound."""
    game = get_visible_game(request, game_id)
    if game.record is None:
        raise NotFound(
            "no_record", Text("no record proves the result of game %(number)s", number=game_id)
        )
    return game, Record.parse(game.record.record)


def game_context(
    request: Request, game: Game, body: dict[str, Any], address: dict[str, Any], *, base: str
) -> dict[str, Any]:
    """Return what the pages of a game show to everybody who sees it."""
    players = body["first"]["name"], body["second"]["name"]
    context: dict[str, Any] = {
        "game": body,
        "rules": find_game(game.game),
    }
    if game.stream.startswith(EVENT_STREAM):
        context["event"] = f"/e/{game.stream.removeprefix(EVENT_STREAM)}"
    if game.record is None:
        scene = scene_of_board(conditions_of(game))
        return context | {"empty": view_board(replace(scene, players=players))}
    record = Record.parse(game.record.record)
    scene = requested_scene(request, record, address, players)
    openings = opening_query(record.conditions, scene.turns[:LINKED_TURNS])
    return context | {
        "replay": requested_replay(request, record, scene, base),
        "openings": openings,
    }


def reports_of(request: Request, game: Game) -> dict[str, Any]:
    """Return the reports of a game for the template, if the reader may see them."""
    user, token = current_account(request)
    seats = game.seats_of(user) if user.pk else []
    if not may(user, token, "game.reports", stream=game.role_stream, seats=seats):
        return {}
    rows = game.reports.order_by("version").select_related("confirms")
    return {"may_report": bool(seats), "sees_reports": True, "reports": list(rows)}
