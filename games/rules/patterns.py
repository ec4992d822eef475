"""Patterns of stones: cells that a seat's stones hold, or that are empty, at some point of a game.

Written `first:S20,T10;second:A10;empty:A20`. A pattern occurs after a ply if each of its cells is
so then; it is the same pattern if it is mapped by a symmetry of the game or, where the colours may
be exchanged, with `first` and `second` exchanged. Seats are those of the position: a swap gives the
first stone to the second seat.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from games.rules.boards.board import Board
from games.rules.boards.chains import cells_of
from games.rules.boards.hexagons import HexBoard
from games.rules.boards.mesh import Mesh
from games.rules.boards.pegs import PegBoard
from games.rules.boards.symmetries import Symmetry, map_cells
from games.rules.errors import Code, IllegalMove, UnreadableRecord
from games.rules.families.placement import Placement
from games.rules.messages import gettext_noop
from games.rules.position import PASS, SWAP, Position
from games.rules.scoring.score_board import ScoreBoard
from games.rules.seat import Seat
from games.rules.text import Text

MOST_PATTERN_CELLS = 60
"""Cells that a pattern names."""

LONGEST_PATTERN = 400
EMPTY_PART = gettext_noop("empty")
PARTS = (*Seat, EMPTY_PART)


@dataclass(frozen=True, slots=True)
class Pattern:
    """Sets of cells: the stones of each seat, and cells that are empty."""

    first: int = 0
    second: int = 0
    empty: int = 0

    @property
    def stones(self) -> int:
        """The cells with a stone."""
        return self.first | self.second

    def is_in(self, first: int, second: int) -> bool:
        """Return True if a position with these stones contains the pattern."""
        return not (self.first & ~first or self.second & ~second or self.empty & (first | second))

    def map(self, symmetry: Symmetry) -> Pattern:
        """Return the image of the pattern."""
        return Pattern(*(map_cells(c, symmetry) for c in (self.first, self.second, self.empty)))


@dataclass(frozen=True, slots=True)
class Timeline:
    """A game of stones that stay: when each cell was filled, and whose the stones were at the end.

    `plies` are by cell, for an empty cell more than the game has; `early` are the stones of both
    seats before the first turn and, in a swapped game, after it.
    """

    first: int
    second: int
    plies: Sequence[int]
    early: tuple[tuple[int, int], ...]

    def first_ply(self, pattern: Pattern) -> int | None:
        """Return the ply after which the pattern occurs first, None if it never does."""
        for ply, stones in enumerate(self.early):
            if pattern.is_in(*stones):
                return ply
        if pattern.first & ~self.first or pattern.second & ~self.second:
            return None
        ply = max((self.plies[cell] for cell in cells_of(pattern.stones)), default=0)
        ply = max(ply, len(self.early))
        if any(self.plies[cell] <= ply for cell in cells_of(pattern.empty)):
            return None
        return ply


def example_pattern(board: Board) -> str:
    """Return a pattern of four cells that are spread over a board."""
    count = len(board.names)
    first, other, second, empty = (board.names[count * place // 5] for place in range(1, 5))
    return f"first:{first},{other};second:{second};empty:{empty}"


def parse_pattern(text: str, board: Board, canonical: Callable[[str], str]) -> Pattern:
    """Return the pattern that a text describes.

    Raise UnreadableRecord for a text that is none, IllegalMove for a cell that the board does not
    have, or that is named twice.
    """
    form = Text("write a pattern as %(example)s", example=example_pattern(board))
    sets = dict.fromkeys(PARTS, 0)
    count = 0
    for part in text[: LONGEST_PATTERN + 1].replace(" ", "").split(";"):
        name, colon, words = part.partition(":")
        if name not in sets or not colon or not words:
            raise UnreadableRecord(
                Text(
                    "%(word)s is not a part of a pattern; %(detail)s",
                    word=f"{part[:40]!r}",
                    detail=form,
                )
            )
        for word in words.split(","):
            number = board.index.get(canonical(word))
            if number is None:
                raise IllegalMove(
                    Text("%(cell)s is not a cell of this board", cell=f"{word[:40]!r}"),
                    Code.UNKNOWN_CELL,
                    cell=word[:40],
                )
            if sum(sets.values()) >> number & 1:
                raise IllegalMove(
                    Text("the pattern names %(cell)s twice", cell=word), Code.OCCUPIED, cell=word
                )
            sets[name] |= 1 << number
            count += 1
    if count > MOST_PATTERN_CELLS or len(text) > LONGEST_PATTERN:
        raise UnreadableRecord(
            Text("a pattern names at most %(most)s cells", most=MOST_PATTERN_CELLS)
        )
    if not sets[Seat.FIRST] | sets[Seat.SECOND]:
        raise UnreadableRecord(Text("a pattern needs a stone; %(detail)s", detail=form))
    return Pattern(*(sets[name] for name in PARTS))


def with_empty_neighbours(pattern: Pattern, board: Board) -> Pattern:
    """Return the pattern whose other cells next to its stones are empty.

    On a board of pegs these are the points that a link could lead to.
    """
    near = 0
    for cell in cells_of(pattern.stones):
        near |= _beside(board, cell)
    return Pattern(pattern.first, pattern.second, pattern.empty | near & ~pattern.stones)


def _beside(board: Board, cell: int) -> int:
    if isinstance(board, PegBoard):
        return sum(1 << other for other in board.links[cell])
    if isinstance(board, ScoreBoard):
        return board.beside[cell]
    assert isinstance(board, Mesh | HexBoard)
    return board.neighbours[cell]


def images_of(
    pattern: Pattern, symmetries: Iterable[Symmetry], *, exchange: bool = False
) -> tuple[Pattern, ...]:
    """Return the different images of a pattern; with `exchange` also with the colours exchanged."""
    images = dict.fromkeys(pattern.map(symmetry) for symmetry in symmetries)
    if exchange:
        images |= dict.fromkeys(Pattern(p.second, p.first, p.empty) for p in list(images))
    return tuple(images)


def find_pattern(start: Position, turns: Sequence[str], images: Iterable[Pattern]) -> int | None:
    """Return the ply after which one of the images occurs first in a legal game, None if never."""
    if isinstance(start, Placement):
        timeline = timeline_of(start, turns)
        plies = (timeline.first_ply(image) for image in images)
        return min((ply for ply in plies if ply is not None), default=None)
    images = tuple(images)
    for ply, position in enumerate(_positions(start, turns)):
        if any(image.is_in(position.first, position.second) for image in images):
            return ply
    return None


def timeline_of(start: Placement, turns: Sequence[str]) -> Timeline:
    """Return the timeline of a legal game of a placement game."""
    bits, index = start.board.bits, start.board.index
    stones = [start.first, start.second]
    plies = [len(turns) + 1] * len(start.board.names)
    for cell in cells_of(start.filled):
        plies[cell] = 0
    early: list[tuple[int, int]] = []
    for ply, turn in enumerate(turns, 1):
        if turn == SWAP:
            early = [(start.first, start.second), (stones[0], stones[1])]
            stones.reverse()
        elif turn != PASS:
            for name in turn.split(","):
                stones[(ply + 1) % 2] |= bits[name]
                plies[index[name]] = ply
    return Timeline(stones[0], stones[1], plies, tuple(early))


def held_cells(start: Position, turns: Sequence[str]) -> tuple[int, int]:
    """Return the cells that each seat's stones held at some point of a legal game."""
    if isinstance(start, Placement):
        timeline = timeline_of(start, turns)
        held = (timeline.first, timeline.second), *timeline.early
    else:
        held = tuple((p.first, p.second) for p in _positions(start, turns))
    first = second = 0
    for one, other in held:
        first |= one
        second |= other
    return first, second


def _positions(position: Position, turns: Sequence[str]) -> Iterator[Position]:
    yield position
    for turn in turns:
        position = position.play(turn)
        yield position
