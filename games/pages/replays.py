"""The replay of a record at the ply that a request names, and questions about its cells."""

import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from django.http import JsonResponse
from django.http.response import HttpResponseBase
from rest_framework.request import Request

from games.core.errors import NotFound, Unprocessable, unknown_key
from games.core.requests import is_flag_set
from games.pages.words import say
from games.play.boards import Replay, view_replay
from games.rules.conditions import Conditions
from games.rules.descriptions.cells import ABOUT_CELLS
from games.rules.diagram.scene import PlyOutOfRange, Scene, scene_of_record
from games.rules.records.prefixes import start_of
from games.rules.records.record import Record
from games.rules.registry import find_game
from games.rules.text import Text

DIAGRAM_FLAGS = ("names", "numbers")


def requested_scene(
    request: Request,
    record: Record,
    address: dict[str, Any],
    players: tuple[str, str] | None = None,
) -> Scene:
    """Return the position at the ply in the address or the query, by default the last.

    Raises NotFound for a ply that the record does not have.
    """
    text = address.get("ply") or request.query_params.get("ply") or ""
    ply = int(text) if re.fullmatch("[0-9]{1,6}", text, re.ASCII) else -1
    try:
        return scene_of_record(record, ply if text else None, players)
    except PlyOutOfRange as error:
        raise NotFound(
            "unknown_ply", Text("this record has the plies 0 to %(last)s", last=error.plies)
        ) from None


def requested_replay(
    request: Request, record: Record, scene: Scene, base: str, *, names: bool = False
) -> Replay:
    """Return the replay of a record, whose positions have the addresses `base/17`.

    With `names` the names of the cells are drawn, whatever the request says.
    """
    flags = {name: "1" for name in DIAGRAM_FLAGS if is_flag_set(request, name)}
    flags |= {"names": "1"} if names else {}
    query = f"?{urlencode(flags)}" if flags else ""
    return view_replay(
        record,
        scene,
        lambda ply: f"{base}/{ply}{query}",
        action=base,
        about=f"{base}/{len(scene.turns)}/about?",
        names="names" in flags,
        numbers="numbers" in flags,
    )


def answer_about(request: Request, scene: Scene) -> HttpResponseBase:
    """Respond with the answer to the question in the query, for the script of the board."""
    params = request.query_params
    message = answer(scene, params.get("about", ""), params.get("cell", ""))
    return JsonResponse({"message": message})


def answer(scene: Scene, question: str, cell: str) -> str:
    """Return the answer to a question about a cell; raises Unprocessable for unknown ones."""
    if question not in ABOUT_CELLS:
        raise unknown_key("about", question, list(ABOUT_CELLS))
    number = scene.board.index.get(cell)
    if number is None:
        raise Unprocessable(
            "unknown_cell",
            Text("%(cell)s is not a cell of this board", cell=f"{cell[:20]!r}"),
            at="/cell",
        )
    return ABOUT_CELLS[question](scene.position, number, say)


def opening_query(conditions: Conditions, turns: Sequence[str] = ()) -> str:
    """Return the query of an address that names these first turns."""
    start, stones = start_of(conditions), conditions.handicap_stones
    query = {"game": start.game, "board": start.board}
    if start.options:
        query["options"] = " ".join(start.options)
    if start.swap != (find_game(start.game).swaps and not stones):
        query["swap"] = "yes" if start.swap else "no"
    if stones:
        query["handicap_stones"] = str(stones)
    if turns:
        query["moves"] = " ".join(turns)
    return urlencode(query)
