"""A position as pages show it: its board as a grid, the last turn in words, the seats.

A record is shown at the ply that a request names, with links to the others and answers about its
cells; all words are in the language of the reader.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from django.db.models import TextChoices
from django.http import JsonResponse
from django.http.response import HttpResponseBase
from django.utils.functional import Promise
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, ngettext
from rest_framework.request import Request

from games.core.errors import NotFound, invalid_parameter, unknown_value
from games.core.requests import is_flag_set
from games.core.text import labelled
from games.rules.analysis import Stones, stones_of
from games.rules.conditions import Conditions, Handicap
from games.rules.descriptions.cells import ABOUT_CELLS, describe_cells
from games.rules.descriptions.scores import describe_alternative, describe_standing
from games.rules.descriptions.turns import describe_result, describe_turn
from games.rules.diagram.caption import describe_handicap, describe_holdings, player_name
from games.rules.diagram.choices import Choice
from games.rules.diagram.grid import draw_grid
from games.rules.diagram.scene import PlyOutOfRange, Scene, scene_of_record
from games.rules.diagram.shapes import draw_shapes
from games.rules.families.placement import handicap_cells
from games.rules.game import GameRules
from games.rules.labels import LabelledEnum
from games.rules.outcome import Bounds
from games.rules.records.claims import without_ending
from games.rules.records.handicaps import FIRST_MOVE, least_to_win, with_points
from games.rules.records.prefixes import start_of
from games.rules.records.record import Record
from games.rules.registry import find_game
from games.rules.text import Text


def say(pattern: str, /, **values: str | int) -> str:
    """Return a translated pattern with its values."""
    return gettext(pattern).format(**values)


def label_of(*choices: type[TextChoices] | type[LabelledEnum]) -> Callable[[str], str]:
    """Return a function that returns the label of a value, or the value if it has none."""
    labels = {member.value: member.label for members in choices for member in members}

    def label(value: str) -> str:
        text = labels.get(value) or value
        return str(text) if isinstance(text, Promise) else gettext(text) if text else text

    return label


def name_board(rules: GameRules, board: str) -> str:
    """Return a board, with what it is called: `6 (junior board)`."""
    name = rules.board_names.get(board)
    return f"{board} ({gettext(name)})" if name else board


@dataclass(frozen=True, slots=True)
class SeatLine:
    """A seat with its player and their score.

    `standing` are the scores that it can reach, or that the score is only agreed; `counts` is the
    sum of the score, or what the stones hold.
    """

    seat: str
    player: str
    score: int | None
    standing: str
    counts: str
    is_to_move: bool


@dataclass(frozen=True, slots=True)
class BoundsBar:
    """The points that are certain for each seat on a full board, and all points."""

    first: int
    second: int
    total: int

    @property
    def second_from(self) -> int:
        """Where the points of the second seat begin."""
        return self.total - self.second

    @property
    def open(self) -> int:
        """The points that either seat can still score."""
        return self.total - self.first - self.second


@dataclass(frozen=True, slots=True)
class BoardView:
    """A position for the template `games/board.html`."""

    svg: SafeString
    ply: int
    plies: int
    sentence: str
    result: str
    handicap: str
    seats: Sequence[SeatLine]
    alternative: str
    bar: BoundsBar | None
    shapes: SafeString


@dataclass(frozen=True, slots=True)
class Step:
    """A link to a position of a record."""

    ply: int
    turn: str
    address: str


@dataclass(frozen=True, slots=True)
class Replay:
    """A record to step through: the position, and links to the others.

    A link that leads nowhere is "". `action` is where the form of the slider leads, `about` answers
    questions about a cell of the position.
    """

    view: BoardView
    action: str
    about: str
    first: str
    previous: str
    following: str
    last: str
    steps: Sequence[Step]
    names: bool
    numbers: bool
    analysis: str


def view_board(
    scene: Scene,
    *,
    names: bool = False,
    numbers: bool = False,
    choices: Sequence[Choice] = (),
    name: str = "",
    title: str = "",
) -> BoardView:
    """Return the position of a scene for a page, with links on some cells."""
    sentence = ""
    if scene.before is not None:
        sentence = describe_turn(scene.before, scene.turns[-1], scene.position, say)
    title = title or f"{scene.rules.name}, {gettext('board')} {scene.conditions.board}, " + (
        gettext("turn %(ply)d of %(plies)d") % {"ply": len(scene.turns), "plies": scene.plies}
    )
    labels = describe_cells(scene.position, say)
    svg = draw_grid(
        scene, labels, title=title, names=names, numbers=numbers, choices=choices, name=name
    )
    outcome, points = scene.outcome, scene.conditions.points_for_first
    return BoardView(
        svg=mark_safe(svg),
        ply=len(scene.turns),
        plies=scene.plies,
        sentence=sentence,
        result=describe_result(outcome, say) if len(scene.turns) == scene.plies else "",
        handicap=describe_handicap(scene, say),
        seats=[
            SeatLine(
                seat=seat.value,
                player=player_name(scene, seat, say=say),
                score=outcome.score[number] if outcome.score else None,
                standing=describe_standing(outcome, seat, say),
                counts=describe_holdings(scene, seat, say),
                is_to_move=not outcome.termination
                and len(scene.seats) > 1
                and scene.position.to_move is seat,
            )
            for number, seat in enumerate(scene.seats)
        ],
        alternative=describe_alternative(outcome, points, say),
        bar=bar_of(outcome.bounds) if outcome.bounds else None,
        shapes=mark_safe(draw_shapes(scene.position, say)),
    )


def bar_of(bounds: Bounds) -> BoundsBar:
    """Return the bar of the bounds; a score below zero counts as no point."""
    (least, most), (second_least, _) = bounds
    total = max(most + second_least, 1)
    return BoundsBar(min(max(least, 0), total), min(max(second_least, 0), total), total)


DIAGRAM_FLAGS = ("names", "numbers")


def parse_ply(text: str) -> int | None:
    """Return the ply, None for the last; text that is not a number is out of range."""
    if not text:
        return None
    return int(text) if re.fullmatch("[0-9]{1,6}", text, re.ASCII) else -1


def requested_scene(
    request: Request,
    record: Record,
    address: dict[str, Any],
    players: tuple[str, str] | None = None,
) -> Scene:
    """Return the position at the ply in the address or the query, by default the last.

    Raises NotFound for a ply that the record does not have.
    """
    ply = parse_ply(address.get("ply") or request.query_params.get("ply") or "")
    try:
        return scene_of_record(record, ply, players)
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
    ply, plies = len(scene.turns), scene.plies

    def address(number: int) -> str:
        return f"{base}/{number}{query}"

    has_names, has_numbers = "names" in flags, "numbers" in flags
    return Replay(
        view=view_board(scene, names=has_names, numbers=has_numbers),
        action=base,
        about=f"{base}/{ply}/about?",
        first=address(0) if ply else "",
        previous=address(ply - 1) if ply else "",
        following=address(ply + 1) if ply < plies else "",
        last=address(plies) if ply < plies else "",
        steps=[
            Step(number, turn, address(number))
            for number, turn in enumerate(without_ending(record.moves), 1)
        ],
        names=has_names,
        numbers=has_numbers,
        analysis=f"/analysis/{scene.rules.code}?"
        + analysis_query(scene.conditions, stones_in_order(scene)),
    )


def answer_about(request: Request, scene: Scene) -> HttpResponseBase:
    """Respond with the answer to the question in the query, for the script of the board."""
    params = request.query_params
    message = answer(scene, params.get("about", ""), params.get("cell", ""))
    return JsonResponse({"message": message})


def answer(scene: Scene, question: str, cell: str) -> str:
    """Return the answer to a question about a cell; raises Unprocessable for unknown ones."""
    if question not in ABOUT_CELLS:
        raise unknown_value("about", question, list(ABOUT_CELLS))
    number = scene.board.index.get(cell)
    if number is None:
        detail = Text("%(cell)s is not a cell of this board", cell=f"{cell[:20]!r}")
        raise invalid_parameter("cell", detail)
    return ABOUT_CELLS[question](scene.position, number, say)


def analysis_query(conditions: Conditions, stones: Stones, hand: str = "") -> str:
    """Return the query of the analysis board with these stones; a click places those of `hand`."""
    query = {
        "board_size": conditions.board,
        "options": " ".join(conditions.options),
        "swapped": "1" if stones.swapped else "",
        "hand": hand,
    }
    return urlencode({name: value for name, value in query.items() if value} | stones.named)


def stones_in_order(scene: Scene) -> Stones:
    """Return the stones of a scene, those of each seat in the order of their turns."""
    found = stones_of(scene.position)
    first, second = (
        tuple(sorted(cells, key=lambda cell: scene.placed_at.get(cell, 0)))
        for cells in (found.first, found.second)
    )
    return Stones(first, second, found.swapped)


def describe_amounts(handicap: Handicap) -> str:
    """Return the stones of a handicap, with named cells, and its points in words."""
    parts = []
    if handicap.stones:
        count = handicap.stone_count
        stones = ngettext("%(count)d stone", "%(count)d stones", count) % {"count": count}
        cells = f" ({stones_query(handicap)})" if isinstance(handicap.stones, tuple) else ""
        parts.append(f"{stones}{cells}")
    if count := handicap.points:
        parts.append(ngettext("%(count)d point", "%(count)d points", count) % {"count": count})
    return ", ".join(parts)


def name_stones(text: str | None, event: Any, most: int = 10) -> str:
    """Return a handicap of an event's game in which the usual cells of its stones are named.

    Those of more than `most` stones are not.
    """
    found = Handicap.parse(text or "")
    if found is None or not isinstance(found.stones, int) or found.stones > most:
        return text or ""
    if not found.stones or not find_game(event.game).has_handicap_cells(event.board):
        return text or ""
    return str(replace(found, stones=handicap_cells(int(event.board), found.stones)))


def handicap_in_words(text: str | None) -> str:
    """Return a handicap in words, as `second: 3 stones, 2 points`; "" for none."""
    found = Handicap.parse(text or "")
    if found is None:
        return gettext("first move") if text == FIRST_MOVE else text or ""
    return labelled(gettext(found.seat.label), describe_amounts(found))


def handicap_of_reader(text: str | None, seat: str) -> str:
    """Return a handicap in words for the player of a seat, as `your opponent has 5 stones`."""
    found = Handicap.parse(text or "")
    if found is None:
        return handicap_in_words(text)
    pattern = (
        gettext("you have %(amounts)s")
        if found.seat == seat
        else gettext("your opponent has %(amounts)s")
    )
    return pattern % {"amounts": describe_amounts(found)}


def score_in_words(result: str, points: int) -> str:
    """Return a score; with handicap points for the first seat, the count of the board too."""
    final = result.replace("-", "–")
    if not points:
        return final
    counted = with_points(result, -points).replace("-", "–")
    return gettext("%(counted)s on the board, %(result)s with the handicap") % {
        "counted": counted,
        "result": final,
    }


def describe_least(conditions: Conditions) -> str:
    """Return in words which counts of the board win a game with handicap points; "" in others."""
    least = least_to_win(conditions) if conditions.points_for_first else None
    if least is None:
        return ""
    text = gettext("%(first)s points on the board win for the first, %(second)s for the second")
    return text % {"first": least[0], "second": least[1]}


def stones_query(handicap: Handicap | None) -> str:
    """Return the value of `handicap_stones` in an address; "" without stones."""
    if handicap is None or not handicap.stones:
        return ""
    return " ".join(handicap.stones) if isinstance(handicap.stones, tuple) else f"{handicap.stones}"


def opening_query(conditions: Conditions, turns: Sequence[str] = ()) -> str:
    """Return the query of an address that names these first turns."""
    start = start_of(conditions)
    stones = stones_query(start.handicap)
    query = {"ruleset": start.game, "board_size": start.board}
    if start.options:
        query["options"] = " ".join(start.options)
    if start.swap != (find_game(start.game).swaps and not stones):
        query["swap"] = "yes" if start.swap else "no"
    if stones:
        query["handicap_stones" if stones.isdigit() else "handicap_cells"] = stones
    if turns:
        query["moves"] = " ".join(turns)
    return urlencode(query)
