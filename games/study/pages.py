"""The games in which a pattern of stones occurs: a board to set the pattern, a field to type it.

A click on a cell of the board leads to the page of the pattern with another stone there: one of the
first seat, then of the second, then an empty cell, then none. So it works without scripts.
"""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import urlencode

from django.http.response import HttpResponseBase
from django.utils.translation import gettext, gettext_noop
from rest_framework.request import Request

from games import queries
from games.core.errors import Unprocessable
from games.core.pages import PageView, redirect
from games.core.pagination import requested_after
from games.core.requests import is_flag_set, viewer
from games.pages.explorer import LISTED_GAMES, usual_conditions
from games.pages.replays import opening_query
from games.play.boards import view_board
from games.rules.diagram.choices import Choice
from games.rules.diagram.scene import scene_of_board
from games.rules.game import GameRules
from games.rules.patterns import EMPTY_PART, PARTS
from games.rules.registry import FIRST_GAME, GAMES, find_game
from games.rules.seat import Seat
from games.study.queries import Found, search_pattern
from games.views.openings import RequestedPattern, requested_opening, requested_pattern

EMPTY_CELL = gettext_noop("empty")
MARKS: Final = dict(zip((*map(str, PARTS), ""), ("1", "2", "0", ""), strict=True))
"""What is drawn on a cell of the pattern: its seat, or 0 for an empty cell."""


class PatternPage(PageView):
    template = "games/pattern.html"

    def get(self, request: Request, **address: Any) -> HttpResponseBase:
        """Return the page, with the reason if the pattern in the address is wrong."""
        params = request.query_params
        rules = GAMES.get(params.get("game", FIRST_GAME))
        if rules is not None and not params.get("board"):
            return redirect(f"/explorer/pattern?{opening_query(usual_conditions(rules))}")
        pattern, problem = None, ""
        try:
            pattern = requested_pattern(request)
        except Unprocessable as error:
            problem = error.detail
        context = self.pattern(request, pattern) | {"problem": problem}
        status = HTTPStatus.UNPROCESSABLE_ENTITY if problem else HTTPStatus.OK
        return self.page(context, status=status)

    def pattern(self, request: Request, pattern: RequestedPattern | None) -> dict[str, Any]:
        """Return the board with the pattern, and the newest games that contain it."""
        requested = requested_opening(request, with_moves=False)
        typed = request.query_params.get("stones", "")
        flags = {
            name: value
            for name, value in (
                ("exact", request.query_params.get("exact", "")),
                ("exchange", "1" if is_flag_set(request, "exchange") else ""),
            )
            if value
        }
        address = f"/explorer/pattern?{opening_query(requested.conditions)}"
        scene = scene_of_board(requested.conditions)
        rules = find_game(requested.conditions.game)
        parts = parts_of(typed, rules, scene.board.index)
        choices = [
            Choice(cell, f"{address}{_more(_next(parts, cell) | flags)}", MARKS[part], title)
            for cell in scene.board.names
            for part in [parts.get(cell, "")]
            for title in [f"{cell}: {gettext(part)}" if part else cell]
        ]
        found = _found(request, pattern) if pattern else Found([], None)
        older = {"stones": typed, "cursor": f"after_{found.examined_to}"} | flags
        return {
            "rules": rules,
            "conditions": requested.conditions,
            "view": view_board(scene, names=not parts, choices=choices),
            "stones": typed,
            "flags": flags,
            "start": address,
            "is_searched": pattern is not None,
            "games": [queries.game_as_json(row) | {"ply": ply} for row, ply in found.games],
            "older": "" if found.examined_to is None else f"{address}{_more(older)}",
            "openings": f"/explorer?{opening_query(requested.conditions)}",
        }


def _more(query: Mapping[str, str]) -> str:
    return f"&{urlencode(query)}" if query else ""


def _found(request: Request, pattern: RequestedPattern) -> Found:
    games = queries.visible_games(*viewer(request, "game.see"))
    rows = games.values(*queries.GAME_FIELDS, "record__record")
    return search_pattern(
        rows,
        pattern.key,
        pattern.start,
        pattern.images,
        before=requested_after(request),
        limit=LISTED_GAMES,
    )


def parts_of(text: str, rules: GameRules, cells: Mapping[str, int]) -> dict[str, str]:
    """Return the part of each cell of a typed pattern; what cannot be read is left out."""
    parts: dict[str, str] = {}
    for words in text.split(";"):
        part, _, names = words.partition(":")
        for name in names.split(","):
            cell = rules.canonical(name.strip())
            if part.strip() in PARTS and cell in cells:
                parts[cell] = part.strip()
    return parts


def _next(parts: Mapping[str, str], cell: str) -> dict[str, str]:
    """Return the query of the pattern with the next part on a cell; it names at least a stone."""
    others = {name: part for name, part in parts.items() if name != cell}
    has_stones = any(part != EMPTY_PART for part in others.values())
    order = ["", *map(str, PARTS if has_stones else Seat)]
    place = order.index(parts[cell]) if parts.get(cell) in order else -1
    changed = {**others, cell: order[(place + 1) % len(order)]} if cell in parts else {}
    changed = changed or {**others, cell: order[1]}
    if set(changed.values()) <= {"", EMPTY_PART}:
        return {}
    words = [
        f"{part}:{','.join(name for name, found in changed.items() if found == part)}"
        for part in map(str, PARTS)
        if part in changed.values()
    ]
    return {"stones": ";".join(words)} if words else {}
