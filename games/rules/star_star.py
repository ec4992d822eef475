"""*Star: stones on a ring mesh of five sectors around a bridge that is not a cell.

Rules, after the booklet and the inventor's page:

- One stone a turn on an empty cell. The bridge connects its five neighbours for both colours.
- A rim cell is worth a peri, a corner also a quark. A star is a chain with two or more rim cells
  (equivalently, a chain that owns two or more peries). It owns theirs and those of the rim cells
  that it surrounds. A chain with one rim cell is a spark: its peri, and its quark, belong to the
  star next to it.
- Score: peries + 1 for three or more quarks + 2 x (opponent's stars - own stars). On n rings both
  scores add up to 5n + 1, which is odd for the even n that are played: there are no ties.
- Alternative score, shown with it: own peries - opponent's peries (including the bonus)
  + 4 x (opponent's stars - own stars); it equals own score - opponent's score.
- An additional stone never lowers its owner's score. So the two extreme fills, all empty cells to
  one side and then to the other, bound all endings; the score is decided if they agree.
- Handicap stones are placed before play on the rays S A * T R of ring ceil(0.6 n), then of ring
  ceil(0.3 n); they belong to the second seat, and the first seat moves first.

Nobridge *Star is the same game with an ordinary cell, `C`, instead of the bridge: its neighbours
are the five cells of ring 1, and it has no peri.

Decided where the sources are silent: the name and the value of that cell; the order of handicap
stones on boards other than ten rings, and who moves first with them. While cells are empty, a star
surrounds what the opponent cannot gain any more (`scoring.peries`), and the peri of a spark belongs
to a star too if both rim cells next to it are stars of that colour.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from games.rules.boards.chains import Connections
from games.rules.boards.mesh import CENTRE
from games.rules.boards.symmetries import Symmetry, mesh_symmetries
from games.rules.conditions import Conditions, HandicapKind
from games.rules.errors import Code, IllegalMove
from games.rules.families.placement import Placement, handicap_stones
from games.rules.families.score_placement import ScorePlacement
from games.rules.game import RING_BOARDS, Family, GameRules
from games.rules.highlights import Highlights
from games.rules.layouts.rings import ring_layout
from games.rules.messages import Say, gettext_noop, say_in_english
from games.rules.scoring.peries import StarBoard, star_board
from games.rules.text import Text

_STAR, _SPARK = gettext_noop("star of {number} peries"), gettext_noop("spark")


@dataclass(frozen=True, slots=True)
class StarStar(ScorePlacement):
    """A position of *Star."""

    board: StarBoard

    @classmethod
    def start(cls, conditions: Conditions) -> Self:
        """Return the position before the first turn, with handicap stones."""
        bridge = conditions.game != "nobridge-star-star"
        board = star_board(int(conditions.board), bridge=bridge)
        return cls(conditions, board, second=handicap_stones(board.mesh, conditions))

    def cell(self, name: str) -> int:
        """Return the number of a cell; raise `bridge` for a centre that is not a cell."""
        if name == CENTRE and CENTRE not in self.board.index:
            raise IllegalMove(Text("the bridge cannot hold a stone"), Code.BRIDGE, cell=CENTRE)
        return Placement.cell(self, name)

    def play_all(self, turns: Sequence[str]) -> Self | None:
        """Return the position after many turns from the start, None if any is illegal."""
        return self.place_all(turns)

    def symmetries(self) -> tuple[Symmetry, ...]:
        """Return those of the mesh."""
        return mesh_symmetries(self.board.mesh)

    def connections(self) -> Connections:
        """Return the chains, which the bridge connects too; the rim is the edge."""
        return Connections(self.board.neighbours, self.board.mesh.rim_cells)

    def shape(self, chain: int, say: Say = say_in_english) -> str:
        """Return the star that a chain is, with the peries that it owns, or the spark."""
        board = self.board
        rim = (chain & board.mesh.rim_cells).bit_count()
        if rim < 2:
            return say(_SPARK) if rim else ""
        opponent = self.second if chain & self.first else self.first
        owned = board.owned(board.chains_of(chain), board.chains_of(opponent))
        return say(_STAR, number=owned.bit_count())

    def highlights(self, last: int) -> Highlights:
        """Return the stars, and the peries of each seat."""
        board = self.board
        first, second = board.chains_of(self.first), board.chains_of(self.second)
        owned = board.owned(first, second), board.owned(second, first)
        return Highlights(
            groups=(board.star_chains(self.first), board.star_chains(self.second)),
            owned=(board.cells_at(owned[0]), board.cells_at(owned[1])),
        )


STAR_STAR = GameRules(
    code="star-star",
    name="*Star",
    family=Family.STAR,
    layout=lambda names, _: ring_layout(names, with_peries=True, bridge=True),
    boards=("4", "6", "8", "10"),
    board_form=gettext_noop("rings: 4, 6, 8 or 10"),
    usual_board="10",
    board_names=RING_BOARDS,
    notation=gettext_noop(
        "sector letter (* S T A R), last digit of the ring, offset: S60, *00, T07"
    ),
    summary=gettext_noop(
        "Place one stone a turn. Each rim cell (peri) counts one for the star that owns it, "
        "three of the five corners one more, and every star costs its owner two points and "
        "gives them to the opponent."
    ),
    play=(
        gettext_noop(
            "The board is a pentagon of rings around a bridge, a five-pointed star in the centre. "
            "The official boards have 4, 6, 8 or 10 rings. The players take turns to place one "
            "stone of their colour on an empty cell; stones do not move and are never removed."
        ),
        gettext_noop(
            "The bridge is no cell: no stone is placed on it, and it connects the five cells "
            "around it for both players at once."
        ),
        gettext_noop(
            "Stones of one colour on neighbouring cells form a chain. A chain with two or more "
            "edge cells is a star. It owns their peries, the points next to them, and those of the "
            "edge cells that it surrounds, whether these are empty or hold a spark: a chain with a "
            "single edge cell, whose peri belongs to the star beside it."
        ),
    ),
    goal=gettext_noop(
        "At the end each player counts one point for each peri that their stars own and one more "
        "for three or more of the five corners (quarks). The player with fewer stars gets two "
        "points for each star fewer, and the other loses as many: few large stars are better than "
        "many small ones. The higher score wins."
    ),
    remarks=(
        gettext_noop(
            "Both scores add up to five times the rings plus one, an odd number, so no game is "
            "tied. A game may stop as soon as nothing can change the score, or when the players "
            "agree on a score that is still possible."
        ),
        gettext_noop(
            "The alternative score is the lead of the first player: their peries less those of the "
            "opponent, each with the point for three corners, and REWARD, four points for each "
            "star that the opponent has more. It is the difference of both scores, so the first "
            "player wins if it is above zero. A record may end with it: agreed +1."
        ),
    ),
    source=gettext_noop("the *Star booklet and the inventor's page"),
    initial_position=StarStar.start,
    canonical=str.upper,
    handicaps=frozenset(HandicapKind),
)

NOBRIDGE_STAR_STAR = replace(
    STAR_STAR,
    code="nobridge-star-star",
    name="Nobridge *Star",
    layout=lambda names, _: ring_layout(names, with_peries=True),
    notation=gettext_noop("as in *Star; the centre is C"),
    summary=gettext_noop("*Star with an ordinary cell in the place of the bridge, without a peri."),
    play=(
        gettext_noop(
            "This is *Star with an ordinary cell, C, in the place of the bridge. A stone on it "
            "connects with the five cells around it, for its own player only."
        ),
    ),
    goal=gettext_noop(
        "C has no peri. Everything else, the stars, the peries, the quarks and the score, is as in"
        " *Star."
    ),
    remarks=(),
)
