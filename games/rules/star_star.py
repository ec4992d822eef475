"""*Star: stones on a ring mesh of five sectors round a bridge that no one may occupy.

Rules, after the booklet and the inventor's page:

- One stone a turn on an empty cell. The bridge joins its five neighbours for both colours.
- A rim cell is worth a peri, a corner a quark as well. A star is a chain with two or more rim
  cells (provably the same as: that owns two or more peries) and owns theirs. A chain with one
  rim cell is a spark: its peri, and its quark, go to the star beside it.
- Score: peries + 1 for three or more quarks + 2 x (the opponent's stars - own stars). On n rings
  both scores add up to 5n + 1, which is odd on the even boards that are played: no ties.
- Alternative score, shown beside it: own peries - the opponent's (the bonus counted)
  + 4 x (the opponent's stars - own stars); it is own score - the opponent's score.
- A stone more never lowers its owner's score. So the two extreme fills, every empty cell to one
  side and then to the other, bound all endings; the score is decided when they agree.
- Handicap stones stand before play on rays S A * T R of ring ceil(0.6 n), then of ring
  ceil(0.3 n); they are the second seat's, and the first seat moves first.

Nobridge *Star is the same game with an ordinary cell, `C`, in the place of the bridge: it has the
five cells of ring 1 as neighbours, and no peri.

Decided where the sources are silent: the name and the worth of that cell; the order of handicap
stones on other boards than ten rings, and who moves first with them. While cells are empty, the
peri of a spark counts for a star only when both rim cells beside it are stars of that colour.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from games.rules.boards.mesh import CENTRE
from games.rules.conditions import Conditions, HandicapKind
from games.rules.errors import Code, IllegalMove
from games.rules.game import GameRules
from games.rules.placement import Placement
from games.rules.position import SWAP, Outcome, Termination, winner_by
from games.rules.star_score import StarBoard, star_board

BOARDS = ("4", "6", "8", "10")
HANDICAP_RAYS = "SA*TR"


@dataclass(frozen=True, slots=True)
class StarStar(Placement):
    """A position of *Star."""

    board: StarBoard

    def cell(self, name: str) -> int:
        """Return the number of a cell; raises `bridge` for the centre where it is no cell."""
        if name == CENTRE and CENTRE not in self.board.index:
            raise IllegalMove("no stone may stand on the bridge", Code.BRIDGE, cell=CENTRE)
        return Placement.cell(self, name)

    def outcome(self) -> Outcome:
        """Return bounds and detail always; the score once both extreme fills agree on it."""
        survey = self.board.survey(self.first, self.second)
        detail = {"first": survey.first.as_dict(), "second": survey.second.as_dict()}
        points = self.conditions.points_for_first
        (least, most), (second_least, second_most) = survey.bounds
        worst = least + points, second_most - points
        best = most + points, second_least - points
        if worst != best:
            certain = winner_by(worst) if winner_by(worst) is winner_by(best) else None
            return Outcome(bounds=survey.bounds, detail=detail, winner_decided=certain)
        return Outcome(
            termination=Termination.DECIDED if self.empty else Termination.FULL,
            winner=winner_by(worst),
            score=worst,
            bounds=survey.bounds,
            detail=detail,
        )


def handicap_cells(rings: int, stones: int) -> tuple[str, ...]:
    """Return the names of the cells of the first so many handicap stones (at most ten)."""
    wide, narrow = -(-6 * rings // 10), -(-3 * rings // 10)
    order = [f"{ray}{ring % 10}0" for ring in (wide, narrow) for ray in HANDICAP_RAYS]
    return tuple(order[:stones])


def start(conditions: Conditions) -> StarStar:
    """Return the position before the first turn, handicap stones in place."""
    board = board_of(conditions.game, conditions.board)
    return StarStar(conditions, board, second=handicap_stones(board, conditions))


def handicap_stones(board: StarBoard, conditions: Conditions) -> int:
    """Return the cells of the handicap stones of a game."""
    names = handicap_cells(board.mesh.rings, conditions.handicap_stones)
    return sum(board.bits[name] for name in names)


def board_of(game: str, board: str) -> StarBoard:
    """Return the scoring board of one of the three games."""
    return star_board(int(board), bridge=game != "nobridge-star-star")


def read_board(board: str) -> str | None:
    """Return the board's name when its size is played, None when not."""
    return board if board in BOARDS else None


def combined_score(conditions: Conditions) -> int:
    """Return what both scores add up to."""
    return board_of(conditions.game, conditions.board).combined_score


def _words(bridge: bool) -> Callable[[str], frozenset[str]]:
    return lru_cache(maxsize=8)(
        lambda board: frozenset((*star_board(int(board), bridge=bridge).names, SWAP))
    )


def _shortcut(conditions: Conditions, turns: Sequence[str]) -> StarStar | None:
    return start(conditions).place_all(turns)


STAR_STAR = GameRules(
    code="star-star",
    name="*Star",
    boards=BOARDS,
    board_form="rings: 4, 6, 8 or 10",
    notation="sector letter (* S T A R), last digit of the ring, offset: S60, *00, T07",
    summary=(
        "Place one stone a turn. Each rim cell (peri) counts one for the star that owns it, "
        "three of the five corners one more, and every star costs its owner two points and "
        "gives them to the opponent."
    ),
    source="the *Star booklet and the inventor's page",
    read_board=read_board,
    start=start,
    words=_words(bridge=True),
    canonical=str.upper,
    combined_score=combined_score,
    handicaps=frozenset(HandicapKind),
    shortcut=_shortcut,
)

NOBRIDGE_STAR_STAR = replace(
    STAR_STAR,
    code="nobridge-star-star",
    name="Nobridge *Star",
    notation="as in *Star; the centre is C",
    summary="*Star with an ordinary cell in the place of the bridge, without a peri.",
    words=_words(bridge=False),
)
