"""The opening explorer, with the results of the turns that followed; the games with a pattern.

A click on a cell of the pattern's board leads to the page of the pattern with another stone there:
one of the first seat, then of the second, then an empty cell, then none. So it works without
scripts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import urlencode

from django.http.response import HttpResponseBase
from django.utils.translation import gettext
from rest_framework.request import Request

from games.core.errors import Unprocessable
from games.core.pages import PageView, redirect
from games.core.requests import is_flag_set
from games.core.text import labelled
from games.play.boards import opening_query, view_board
from games.play.queries import GAME_FIELDS, game_as_json, visible_game_rows, visible_games
from games.rules.conditions import Conditions
from games.rules.diagram.choices import Choice
from games.rules.diagram.scene import scene_of_board, scene_of_record
from games.rules.game import GameRules
from games.rules.patterns import EMPTY_PART, PARTS, example_pattern
from games.rules.records.prefixes import MOST_OPENING_PLIES
from games.rules.records.record import Record
from games.rules.registry import FIRST_GAME, GAMES, find_game
from games.rules.seat import Seat
from games.study.queries import (
    Continuation,
    Found,
    load_continuations,
    search_pattern,
    with_opening,
)
from games.study.views import (
    RequestedOpening,
    RequestedPattern,
    SearchPages,
    requested_opening,
    requested_pattern,
)

MOST_MARKS: Final = 20
"""Turns whose cells show their place in the list; the others have a dot."""

LISTED_TURNS, LISTED_GAMES = 60, 10


@dataclass(frozen=True, slots=True)
class ContinuationLine:
    """A turn that was played: its place in the list, its address, its counts."""

    place: int
    turn: str
    equal: Sequence[str]
    address: str
    counts: Continuation

    @property
    def per_cent(self) -> int:
        """The share of the points of those who played it."""
        points = 2 * self.counts.wins + self.counts.draws
        return round(50 * points / self.counts.games)

    @property
    def rating(self) -> int | None:
        """The mean rating of those who played it."""
        return None if self.counts.rating is None else round(self.counts.rating / 1000)


class ExplorerPage(PageView):
    template = "games/study/explorer.html"

    def get(self, request: Request, **address: Any) -> HttpResponseBase:
        """Return the page, with the reason if the turns in the address cannot be played."""
        params = request.query_params
        rules = GAMES.get(params.get("ruleset", FIRST_GAME))
        if rules is not None and not params.get("board_size"):
            return redirect(f"/explorer?{opening_query(usual_conditions(rules))}")
        try:
            requested, problem = requested_opening(request), ""
        except Unprocessable as error:
            requested = requested_opening(request, with_moves=False)
            problem = error.detail
        context = self.explorer(request, requested) | {
            "problem": problem,
            "typed": params.get("moves", ""),
        }
        status = HTTPStatus.UNPROCESSABLE_ENTITY if problem else HTTPStatus.OK
        return self.page(context, status=status)

    def explorer(self, request: Request, requested: RequestedOpening) -> dict[str, Any]:
        """Return the board, the turns that followed, and the newest games."""
        conditions, turns = requested.conditions, requested.turns
        rows = load_continuations(requested.key, requested.mover)
        played = [row for row in rows if row.move]
        lines = [line_of(requested, place, row) for place, row in enumerate(played, 1)]
        games = visible_game_rows(request)
        newest = with_opening(games, requested.key).order_by("-turn__game_id")[:LISTED_GAMES]
        scene = scene_of_record(Record(conditions=conditions, moves=turns))
        rules = find_game(conditions.game)
        is_deepest = len(turns) == MOST_OPENING_PLIES
        choices = [] if is_deepest else choices_of(lines, scene.board.index)
        return {
            "rules": rules,
            "conditions": conditions,
            "view": view_board(scene, names=True, choices=choices),
            "start": f"/explorer?{opening_query(conditions)}",
            "start_query": opening_query(conditions),
            "path": [
                (turn, f"/explorer?{opening_query(conditions, turns[: ply + 1])}")
                for ply, turn in enumerate(turns)
            ],
            "lines": lines[:LISTED_TURNS],
            "total": sum(row.games for row in rows),
            "ended": sum(row.games for row in rows if not row.move),
            "is_deepest": is_deepest,
            "games": [game_as_json(row) | {"ply": len(turns)} for row in newest],
            "search": f"/api/v1/games/search?{opening_query(conditions, turns)}",
            "all_games": [found for found in GAMES.values() if found.players == 2],
            "boards": [
                (board, f"/explorer?{opening_query(usual_conditions(rules, board))}")
                for board in rules.boards
            ],
        }


def usual_conditions(rules: GameRules, board: str = "") -> Conditions:
    """Return the usual conditions of a game, by default on the board of tournaments."""
    record = {"game": rules.code, "board": board or rules.first_board}
    return Record.from_json(record).conditions


def line_of(requested: RequestedOpening, place: int, row: Continuation) -> ContinuationLine:
    """Return a turn that followed, in the orientation of the page."""
    equal = requested.opening.equal_turns(row.move)
    address = f"/explorer?{opening_query(requested.conditions, (*requested.turns, equal[0]))}"
    return ContinuationLine(place, equal[0], equal, address, row)


def choices_of(lines: Sequence[ContinuationLine], cells: Mapping[str, int]) -> list[Choice]:
    """Return the links of the cells; of several turns with a cell, that of the most frequent."""
    choices: dict[str, Choice] = {}
    for line in lines:
        title = gettext("%(turn)s: %(games)d games, %(share)d %% of the points") % {
            "turn": line.turn,
            "games": line.counts.games,
            "share": line.per_cent,
        }
        mark = str(line.place) if line.place <= MOST_MARKS else ""
        for turn in line.equal:
            if turn in cells:
                choices.setdefault(turn, Choice(turn, line.address, mark, title))
    return list(choices.values())


MARKS: Final = dict(zip((*map(str, PARTS), ""), ("1", "2", "0", ""), strict=True))
"""What is drawn on a cell of the pattern: its seat, or 0 for an empty cell."""


class PatternPage(PageView):
    template = "games/study/pattern.html"

    def get(self, request: Request, **address: Any) -> HttpResponseBase:
        """Return the page, with the reason if the pattern in the address is wrong."""
        params = request.query_params
        rules = GAMES.get(params.get("ruleset", FIRST_GAME))
        if rules is not None and not params.get("board_size"):
            return redirect(f"/explorer/pattern?{opening_query(usual_conditions(rules))}")
        pattern, problem = None, ""
        try:
            pattern = requested_pattern(request, params.get("stones", ""))
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
            for title in [labelled(cell, gettext(part)) if part else cell]
        ]
        pages = SearchPages()
        before = pages.requested_game(request)
        found = _found(request, pattern, before) if pattern else Found([], None)
        return {
            "rules": rules,
            "conditions": requested.conditions,
            "view": view_board(scene, names=not parts, choices=choices),
            "stones": typed,
            "example": example_pattern(scene.board),
            "flags": flags,
            "start": address,
            "is_searched": pattern is not None,
            "games": [game_as_json(row) | {"ply": ply} for row, ply in found.games],
            "older": "" if found.examined_to is None else pages.link([found.examined_to]),
            "openings": f"/explorer?{opening_query(requested.conditions)}",
        }


def _more(query: Mapping[str, str]) -> str:
    return f"&{urlencode(query)}" if query else ""


def _found(request: Request, pattern: RequestedPattern, before: int | None) -> Found:
    games = visible_games(request)
    rows = games.values(*GAME_FIELDS, "record__record")
    return search_pattern(
        rows, pattern.key, pattern.start, pattern.images, before=before, limit=LISTED_GAMES
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
