"""A position as pages show it: its board as a grid, the last turn in words, the seats."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from games.pages.words import say
from games.rules.descriptions.cells import describe_cells
from games.rules.descriptions.turns import describe_result, describe_turn
from games.rules.diagram.caption import describe_handicap, describe_holdings, player_name
from games.rules.diagram.choices import Choice
from games.rules.diagram.grid import draw_grid
from games.rules.diagram.scene import Scene
from games.rules.outcome import Bounds
from games.rules.records.claims import without_ending
from games.rules.records.record import Record


@dataclass(frozen=True, slots=True)
class SeatLine:
    """A seat with its player, their score or its bounds, and what their stones hold."""

    seat: str
    player: str
    score: int | None
    bounds: tuple[int, int] | None
    holdings: str
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
    bar: BoundsBar | None


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


def view_board(
    scene: Scene, *, names: bool = False, numbers: bool = False, choices: Sequence[Choice] = ()
) -> BoardView:
    """Return the position of a scene for a page, with links on some cells."""
    sentence = ""
    if scene.before is not None:
        sentence = describe_turn(scene.before, scene.turns[-1], scene.position, say)
    title = f"{scene.rules.name}, {gettext('board')} {scene.conditions.board}, " + (
        gettext("ply %(ply)d of %(plies)d") % {"ply": len(scene.turns), "plies": scene.plies}
    )
    labels = describe_cells(scene.position, say)
    svg = draw_grid(scene, labels, title=title, names=names, numbers=numbers, choices=choices)
    outcome = scene.outcome
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
                bounds=outcome.bounds[number] if outcome.bounds else None,
                holdings=describe_holdings(scene, seat, say),
                is_to_move=not outcome.termination and scene.position.to_move is seat,
            )
            for number, seat in enumerate(scene.seats)
        ],
        bar=_bar(outcome.bounds) if outcome.bounds else None,
    )


def _bar(bounds: Bounds) -> BoundsBar:
    """Return the bar of the bounds; a score below zero counts as no point."""
    (least, most), (second_least, _) = bounds
    total = max(most + second_least, 1)
    return BoundsBar(min(max(least, 0), total), min(max(second_least, 0), total), total)


def view_replay(
    record: Record,
    scene: Scene,
    address: Callable[[int], str],
    *,
    action: str,
    about: str,
    names: bool = False,
    numbers: bool = False,
) -> Replay:
    """Return a position of a record with the links of its replay."""
    ply, plies = len(scene.turns), scene.plies
    turns = without_ending(record.moves)
    return Replay(
        view=view_board(scene, names=names, numbers=numbers),
        action=action,
        about=about,
        first=address(0) if ply else "",
        previous=address(ply - 1) if ply else "",
        following=address(ply + 1) if ply < plies else "",
        last=address(plies) if ply < plies else "",
        steps=[Step(number, turn, address(number)) for number, turn in enumerate(turns, 1)],
        names=names,
        numbers=numbers,
    )
