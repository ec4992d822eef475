"""Star, on a hexagon: own the border with few chains.

Rules, after the inventor's article:

- One stone a turn on an empty cell of a hexagon whose sides are alternately a and b cells long.
  Passing is allowed; two consecutive passes end the game, and the position is scored as it is.
- Around the board lie the border hexes, 3(a+b) of them. A star is a chain that touches three or
  more of them; it scores that number minus two. On a full board both scores add up to
  3(a+b) - 2, so with a+b odd there are no ties.
- Option `two-point-corners`: the six border hexes beyond the corners are removed. There are
  3(a+b) - 6 left, and both scores add up to 3(a+b) - 8.
- An additional stone never lowers its owner's score, so the two extreme fills bound all endings.

The encyclopedia's 36 perimeter cells for 6x7 and 11 columns for 5x6 are errors: 33 and 10.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Self

from games.rules.boards.chains import Connections
from games.rules.boards.lines import Stones
from games.rules.boards.symmetries import Symmetry, hexagon_symmetries
from games.rules.conditions import Conditions, HandicapKind
from games.rules.errors import Code, IllegalMove
from games.rules.families.placement import Placement
from games.rules.families.score_placement import ScorePlacement
from games.rules.game import Family, GameRules
from games.rules.highlights import Highlights
from games.rules.layouts.hexagons import hexagon_layout
from games.rules.layouts.layout import Layout
from games.rules.messages import BORDER_HEXES, Noun, Say, count, gettext_noop, say_in_english
from games.rules.outcome import Outcome, Termination
from games.rules.position import PASS, SWAP
from games.rules.scoring.border_hexes import BorderBoard, border_board
from games.rules.seat import Seat
from games.rules.text import Text

TWO_POINT_CORNERS = "two-point-corners"

_STAR_OF_POINTS: Noun = (
    gettext_noop("star of {number} point"),
    gettext_noop("star of {number} points"),
)
_STAR_BOARD = re.compile(r"([2-9]|1[0-2])x([2-9]|1[0-2])")


@dataclass(frozen=True, slots=True)
class Star(ScorePlacement):
    """A position of Star; `passes` counts the passes since the last stone."""

    board: BorderBoard
    passes: int = 0

    @property
    def is_over(self) -> bool:
        """True if the board is full, or both seats have passed."""
        return self.passes == 2 or not self.empty

    @property
    def may_swap(self) -> bool:
        """True if the turn may be a swap."""
        return self.conditions.swap and self.plies == 1 and not self.passes and not self.is_over

    def legal_moves(self) -> Iterator[str]:
        """Yield the empty cells by number, swap if it is allowed, and pass."""
        if not self.is_over:
            yield from Placement.legal_moves(self)
            yield PASS

    def random_move(self, source: Random) -> str:
        """Return an empty cell, swap or pass, each with the same chance."""
        self.check_not_over()
        if not source.randrange(self.empty.bit_count() + self.may_swap + 1):
            return PASS
        return Placement.random_move(self, source)

    def play(self, move: str) -> Self:
        """Return the position after a stone, a swap or a pass."""
        self.check_not_over()
        if move == PASS:
            return replace(self, plies=self.plies + 1, passes=self.passes + 1)
        if move == SWAP and self.passes:
            raise IllegalMove(Text("there is no stone to swap for"), Code.SWAP_NOT_ALLOWED)
        return Placement.play(self, move)

    def play_all(self, turns: Sequence[str]) -> Self | None:
        """Return the position after many turns from the start, None if any is a pass or illegal."""
        return self.place_all(turns)

    def place(self, stones: int) -> Self:
        """Return the position after a stone, which resets the number of passes."""
        return replace(Placement.place(self, stones), passes=0)

    def state(self) -> dict[str, str]:
        """Return the number of plies, the sign of the first seat, and the passes."""
        return {**Placement.state(self), "passes": str(self.passes)}

    def with_picture(self, stones: Stones, state: Mapping[str, str]) -> Self:
        """Return the position that a picture shows."""
        return replace(Placement.with_picture(self, stones, state), passes=int(state["passes"]))

    def outcome(self) -> Outcome:
        """Return the outcome; after two passes the score as it is."""
        outcome = ScorePlacement.outcome(self)
        if self.passes < 2:
            return outcome
        first, second = self.board.chains_of(self.first), self.board.chains_of(self.second)
        points = self.conditions.points_for_first
        score = first.least + points, second.least - points
        return Outcome.from_score(Termination.PASSES, score, outcome.bounds, outcome.detail)

    def symmetries(self) -> tuple[Symmetry, ...]:
        """Return those of the hexagon."""
        a, b = map(int, self.conditions.board.split("x"))
        return hexagon_symmetries(a, b)

    def connections(self) -> Connections:
        """Return the chains; the cells beside border hexes are the edge."""
        return Connections(self.board.beside, self.board.hexes.border)

    def touched(self, chain: int, seat: Seat) -> Iterator[tuple[int, Noun]]:
        """Yield the border hexes."""
        found = self.board.chains_of(chain)
        yield (found.star_border | found.other_border).bit_count(), BORDER_HEXES

    def shape(self, chain: int, say: Say = say_in_english) -> str:
        """Return the star that a chain is, with its points."""
        found = self.board.chains_of(chain)
        return count(found.least, _STAR_OF_POINTS, say) if found.stars else ""

    def highlights(self, last: int) -> Highlights:
        """Return the stars, and their cells on the border."""
        groups = self.board.star_chains(self.first), self.board.star_chains(self.second)
        border = self.board.hexes.border
        return Highlights(groups=groups, owned=(sum(groups[0]) & border, sum(groups[1]) & border))


def _start(conditions: Conditions) -> Star:
    a, b = map(int, conditions.board.split("x"))
    two_point_corners = TWO_POINT_CORNERS in conditions.options
    return Star(conditions, border_board(a, b, two_point_corners=two_point_corners))


def _parse_board(board: str) -> str | None:
    return board if _STAR_BOARD.fullmatch(board) else None


def _layout(names: tuple[str, ...], options: tuple[str, ...]) -> Layout:
    return hexagon_layout(names, with_border=True, with_corners=TWO_POINT_CORNERS not in options)


STAR = GameRules(
    code="star",
    name="Star",
    family=Family.STAR,
    layout=_layout,
    boards=("5x6", "6x7", "4x5", "3x4", "2x3", "7x8", "8x9", "9x10", "10x11", "11x12"),
    board_form=gettext_noop("a x b, the two lengths of the sides, each from 2 to 12: 5x6"),
    notation=gettext_noop("column letter and row number: D4; pass"),
    summary=gettext_noop(
        "Place one stone a turn or pass. A chain that touches three or more border hexes is a "
        "star and scores that number less two; two passes end the game."
    ),
    play=(
        gettext_noop(
            "The board is a hexagon whose sides are alternately a and b cells long, surrounded by "
            "border hexes that are not played on. The players take turns to place a stone on an "
            "empty cell, or pass. Two passes in succession end the game, and so does a full board."
        ),
        gettext_noop(
            "A chain that touches three or more border hexes is a star and scores their number "
            "less two. A chain that touches fewer scores nothing."
        ),
    ),
    goal=gettext_noop(
        "The higher score wins. If a + b is odd, both scores of a full board add up to an odd "
        "number, so there is no draw."
    ),
    remarks=(
        gettext_noop(
            "With the option two-point-corners the six border hexes beyond the corners are left "
            "out, which makes corners weaker."
        ),
    ),
    source=gettext_noop("the inventor's article"),
    initial_position=_start,
    canonical=str.upper,
    parse_board=_parse_board,
    options=(TWO_POINT_CORNERS,),
    draws=True,
    handicaps=frozenset((HandicapKind.POINTS,)),
)
