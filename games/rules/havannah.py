"""Havannah: make a bridge, a fork or a ring on a hexagon.

One stone a turn. A bridge connects two corners; a fork connects three sides, and corners belong to
no side; a ring encloses at least one cell, empty or with a stone of either colour (so seven stones
in a hexagon are a ring). The first of these wins; a full board without any is a draw. Boards have
3 to 10 cells a side. Standard public rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Self

from games.rules.boards.chains import Connections, cells_of, chain_at, chains
from games.rules.boards.hexagons import HexBoard, hexagon
from games.rules.boards.lines import Stones
from games.rules.boards.symmetries import Symmetry, hexagon_symmetries
from games.rules.conditions import Conditions
from games.rules.families.goal_placement import GoalPlacement, winning_chain
from games.rules.game import Family, GameRules
from games.rules.highlights import Highlights
from games.rules.layouts.hexagons import hexagon_layout
from games.rules.messages import Noun, gettext_noop
from games.rules.seat import Seat

_CORNERS: Noun = gettext_noop("{number} corner"), gettext_noop("{number} corners")


def is_bridge(chain: int, board: HexBoard) -> bool:
    """Return True if a chain connects two corners."""
    return sum(bool(chain & corner) for corner in board.corners) >= 2


def is_fork(chain: int, board: HexBoard) -> bool:
    """Return True if a chain connects three sides, without their corners."""
    return sum(bool(chain & side) for side in board.open_sides) >= 3


def is_ring(chain: int, board: HexBoard) -> bool:
    """Return True if a chain encloses a cell.

    Either a cell outside the chain cannot be reached from the border, or a cell of the chain has
    all its six neighbours in the chain: nothing else can be enclosed.
    """
    rest = board.cells ^ chain
    while outside := rest & board.border:
        rest ^= chain_at(outside & -outside, rest, board.neighbours)
    return rest != 0 or any(
        board.neighbours[cell] & ~chain == 0 for cell in cells_of(chain & ~board.border)
    )


@dataclass(frozen=True, slots=True)
class Havannah(GoalPlacement):
    """A position of Havannah."""

    board: HexBoard

    def has_won(self, seat: Seat, cell: int) -> bool:
        """Return True if the chain of the stone is a bridge, a fork or a ring."""
        board = self.board
        chain = chain_at(1 << cell, self.stones(seat), board.neighbours)
        if is_bridge(chain, board) or is_fork(chain, board):
            return True
        return self.may_close_ring(cell, chain) and is_ring(chain, board)

    def may_close_ring(self, cell: int, chain: int) -> bool:
        """Return False if the stone just placed on `cell` cannot make its chain a ring.

        If its neighbours in the chain are next to each other, every way through the stone has one
        around it, so it encloses nothing new but a cell with six neighbours in the chain.
        """
        neighbours = self.board.neighbours
        beside = neighbours[cell] & chain
        return chain_at(beside & -beside, beside, neighbours) != beside or any(
            neighbours[near] & ~chain == 0
            for near in cells_of((beside | 1 << cell) & ~self.board.border)
        )

    def with_picture(self, stones: Stones, state: Mapping[str, str]) -> Self:
        """Return the position that a picture shows; the last stone of a ring is not known."""
        position = GoalPlacement.with_picture(self, stones, state)
        for seat in Seat:
            found = chains(position.stones(seat), self.board.neighbours)
            if position.winner is None and any(is_ring(chain, self.board) for chain in found):
                position = replace(position, winner=seat)
        return position

    def symmetries(self) -> tuple[Symmetry, ...]:
        """Return those of the hexagon."""
        side = int(self.conditions.board)
        return hexagon_symmetries(side, side)

    def connections(self) -> Connections:
        """Return the chains; the sides without their corners count."""
        return Connections(self.board.neighbours, self.board.border, self.board.open_sides)

    def touched(self, chain: int, seat: Seat) -> Iterator[tuple[int, Noun]]:
        """Yield the sides and the corners."""
        yield from GoalPlacement.touched(self, chain, seat)
        yield sum(bool(chain & corner) for corner in self.board.corners), _CORNERS

    def highlights(self, last: int) -> Highlights:
        """Return the chain that has won."""
        return winning_chain(self, last)


def _start(conditions: Conditions) -> Havannah:
    side = int(conditions.board)
    return Havannah(conditions, hexagon(side, side))


HAVANNAH = GameRules(
    code="havannah",
    name="Havannah",
    family=Family.CONNECTION,
    layout=lambda names, _: hexagon_layout(names),
    boards=tuple(str(side) for side in range(3, 11)),
    usual_board="8",
    board_form=gettext_noop("cells a side from 3 to 10"),
    notation=gettext_noop("column letter and row number: d4"),
    summary=gettext_noop(
        "Place one stone a turn; a chain that joins two corners, or three sides, or that "
        "encloses a cell wins."
    ),
    play=(
        gettext_noop(
            "The board is a hexagon of hexagons. The players take turns to place a stone on an "
            "empty cell. Whoever first makes one of three shapes wins:"
        ),
    ),
    goal=gettext_noop(
        "a bridge, a chain between two corners; a fork, a chain between three sides, to which the "
        "corners do not belong; or a ring, a chain around at least one cell, whether that is empty"
        " or not."
    ),
    remarks=(
        gettext_noop("A full board without any of them is a draw, which hardly ever happens."),
    ),
    source=gettext_noop("standard public rules"),
    initial_position=_start,
    canonical=str.lower,
    draws=True,
)
