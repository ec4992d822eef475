"""Star, on a hexagon: own the border in few chains.

Rules, after the inventor's article:

- One stone a turn on an empty cell of a hexagon whose sides are a and b cells in turn. Passing is
  allowed; two passes running end the game, and the position is scored as it stands.
- Round the board lie the border hexes, 3(a+b) of them. A star is a chain that touches three or
  more of them; it scores that number less two. On a full board both scores add up to
  3(a+b) - 2, so with a+b odd there are no ties.
- Option `two-point-corners`: the six border hexes beyond the corners are dropped. There are
  3(a+b) - 6 left, and both scores add up to 3(a+b) - 8.
- A stone more never lowers its owner's score, so the two extreme fills bound all endings.

The encyclopedia's 36 perimeter cells for 6x7 and 11 columns for 5x6 are errors: 33 and 10.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Self

from games.rules.boards.lines import Stones
from games.rules.conditions import Conditions, HandicapKind
from games.rules.errors import Code, IllegalMove
from games.rules.game import GameRules
from games.rules.placement import Placement
from games.rules.position import (
    PASS,
    SWAP,
    Outcome,
    Termination,
    refuse_after_end,
    winner_by,
)
from games.rules.star_border import BorderBoard, border_board

TWO_POINT_CORNERS = "two-point-corners"

_BOARD = re.compile(r"([2-9]|1[0-2])x([2-9]|1[0-2])")


@dataclass(frozen=True, slots=True)
class Star(Placement):
    """A position of Star; `passes` counts those since the last stone."""

    board: BorderBoard
    passes: int = 0

    @property
    def is_over(self) -> bool:
        """Whether the board is full, or both have passed."""
        return self.passes == 2 or not self.empty

    @property
    def may_swap(self) -> bool:
        """Whether the turn may be a swap."""
        return self.conditions.swap and self.plies == 1 and not self.passes and not self.is_over

    def legal_moves(self) -> Iterator[str]:
        """Yield the empty cells by number, swap where it is allowed, and pass."""
        if not self.is_over:
            yield from Placement.legal_moves(self)
            yield PASS

    def play(self, move: str) -> Self:
        """Return the position after a stone, a swap or a pass."""
        refuse_after_end(self)
        if move == PASS:
            return replace(self, plies=self.plies + 1, passes=self.passes + 1)
        if move == SWAP and self.passes:
            raise IllegalMove("there is no stone yet to swap for", Code.SWAP_NOT_ALLOWED)
        return Placement.play(self, move)

    def place(self, stones: int) -> Self:
        """Return the position after a stone, which ends a run of passes."""
        return replace(Placement.place(self, stones), passes=0)

    def state(self) -> dict[str, str]:
        """Return the number of plies, the sign of the first seat, and the run of passes."""
        return {**Placement.state(self), "passes": str(self.passes)}

    def pictured(self, stones: Stones, state: Mapping[str, str]) -> Self:
        """Return the position that a picture shows."""
        return replace(Placement.pictured(self, stones, state), passes=int(state["passes"]))

    def outcome(self) -> Outcome:
        """Return bounds and detail always; the score after two passes, or once it is decided."""
        first, second = self.board.stars(self.first), self.board.stars(self.second)
        bounds = self.board.bounds(self.first, self.second)
        detail = {"first": first.as_dict(), "second": second.as_dict()}
        points = self.conditions.points_for_first
        worst, standing, best = (
            (one + points, two - points)
            for one, two in (
                (bounds[0][0], bounds[1][1]),
                (first.score, second.score),
                (bounds[0][1], bounds[1][0]),
            )
        )
        if self.passes == 2:
            termination = Termination.PASSES
        elif worst == best:
            termination = Termination.DECIDED if self.empty else Termination.FULL
        else:
            certain = winner_by(worst) if winner_by(worst) is winner_by(best) else None
            return Outcome(bounds=bounds, detail=detail, winner_decided=certain)
        winner = winner_by(standing)
        return Outcome(
            termination=termination,
            winner=winner,
            draw=winner is None,
            score=standing,
            bounds=bounds,
            detail=detail,
        )


def board_of(conditions: Conditions) -> BorderBoard:
    """Return the board of a game."""
    a, b = conditions.board.split("x")
    with_two = TWO_POINT_CORNERS in conditions.options
    return border_board(int(a), int(b), two_point_corners=with_two)


def _start(conditions: Conditions) -> Star:
    return Star(conditions, board_of(conditions))


def _read_board(board: str) -> str | None:
    return board if _BOARD.fullmatch(board) else None


@lru_cache(maxsize=8)
def _words(board: str) -> frozenset[str]:
    return frozenset((*board_of(Conditions(game="star", board=board)).names, SWAP, PASS))


def _combined_score(conditions: Conditions) -> int:
    return board_of(conditions).combined_score


def _shortcut(conditions: Conditions, turns: Sequence[str]) -> Star | None:
    return _start(conditions).place_all(turns)


STAR = GameRules(
    code="star",
    name="Star",
    boards=("5x6", "6x7", "4x5", "3x4", "2x3", "7x8", "8x9", "9x10", "10x11", "11x12"),
    board_form="a x b, the two lengths of the sides, each from 2 to 12: 5x6",
    notation="column letter and row number: D4; pass",
    summary=(
        "Place one stone a turn or pass. A chain that touches three or more border hexes is a "
        "star and scores that number less two; two passes end the game."
    ),
    source="the inventor's article",
    read_board=_read_board,
    start=_start,
    words=_words,
    canonical=str.upper,
    options=(TWO_POINT_CORNERS,),
    draws=True,
    combined_score=_combined_score,
    handicaps=frozenset((HandicapKind.POINTS,)),
    shortcut=_shortcut,
)
