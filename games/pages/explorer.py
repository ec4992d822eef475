"""The opening explorer: the turns that followed some first turns, with their results."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

from django.http.response import HttpResponseBase
from django.utils.translation import gettext
from rest_framework.request import Request

from games import queries
from games.core.errors import Unprocessable
from games.core.pages import PageView, redirect
from games.core.requests import viewer
from games.pages.replays import opening_query
from games.play.boards import view_board
from games.queries.openings import Continuation, load_continuations, with_opening
from games.rules.conditions import Conditions
from games.rules.diagram.choices import Choice
from games.rules.diagram.scene import scene_of_record
from games.rules.game import GameRules
from games.rules.records.prefixes import MOST_OPENING_PLIES
from games.rules.records.record import Record
from games.rules.registry import FIRST_GAME, GAMES, find_game
from games.rules.samples import find_sample
from games.views.openings import RequestedOpening, requested_opening

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
    template = "games/explorer.html"

    def get(self, request: Request, **address: Any) -> HttpResponseBase:
        """Return the page, with the reason if the turns in the address cannot be played."""
        params = request.query_params
        rules = GAMES.get(params.get("game", FIRST_GAME))
        if rules is not None and not params.get("board"):
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
        games = queries.visible_game_rows(*viewer(request, "game.see"))
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
            "games": [queries.game_as_json(row) | {"ply": len(turns)} for row in newest],
            "search": f"/api/v1/games/search?{opening_query(conditions, turns)}",
            "all_games": [found for found in GAMES.values() if found.players == 2],
            "boards": [
                (board, f"/explorer?{opening_query(usual_conditions(rules, board))}")
                for board in rules.boards
            ],
        }


def usual_conditions(rules: GameRules, board: str = "") -> Conditions:
    """Return the usual conditions of a game, on the board of its sample game by default."""
    sample = find_sample(rules.code).conditions
    record = {"game": rules.code, "board": board or sample.board}
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
