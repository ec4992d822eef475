"""Double *Star: *Star with two stones a turn.

The first turn is one stone, every other turn two on different cells, written `S61,A07`; their
order does not matter, and the canonical spelling sorts them. If one cell is left, the last turn is
one stone. There is no pass (decided; the booklet is silent). A swap answers the first stone.
Scores, bounds and handicaps are those of *Star.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from random import Random
from typing import Self

from games.rules.boards.chains import cells_of, nth_cell
from games.rules.errors import Code, IllegalMove
from games.rules.messages import gettext_noop
from games.rules.position import PASS, SWAP
from games.rules.star_star import STAR_STAR, StarStar
from games.rules.text import Text


@dataclass(frozen=True, slots=True)
class DoubleStarStar(StarStar):
    """A position of Double *Star."""

    @property
    def stones_this_turn(self) -> int:
        """The number of stones that this turn consists of."""
        return min(2 if self.plies else 1, self.empty.bit_count())

    def legal_moves(self) -> Iterator[str]:
        """Yield the turns in canonical spelling, then swap if it is allowed."""
        if self.is_over:
            return
        names = sorted(self.board.names[cell] for cell in cells_of(self.empty))
        for cells in combinations(names, self.stones_this_turn):
            yield ",".join(cells)
        if self.may_swap:
            yield SWAP

    def random_move(self, source: Random) -> str:
        """Return a stone in the first turn, or swap, then two stones; each with the same chance."""
        if self.stones_this_turn < 2:
            return StarStar.random_move(self, source)
        count = self.empty.bit_count()
        if self.may_swap and not source.randrange(count * (count - 1) // 2 + 1):
            return SWAP
        numbers = source.sample(range(count), 2)
        return ",".join(sorted(self.board.names[nth_cell(self.empty, n)] for n in numbers))

    def play(self, move: str) -> Self:
        """Return the position after one or two stones, or after a swap."""
        if move in (SWAP, PASS):
            return StarStar.play(self, move)
        self.check_not_over()
        names = move.split(",")
        if "" in names:
            raise IllegalMove(
                Text(
                    "%(word)s has a comma without a cell beside it; write S60 or S61,A07", word=move
                ),
                Code.UNKNOWN_CELL,
                cell=next((name for name in names if name in self.board.index), None),
            )
        cells = [self.cell(name) for name in names]
        stones = 0
        for name, cell in zip(names, cells, strict=True):
            if not self.empty >> cell & 1 or stones >> cell & 1:
                raise IllegalMove(Text("%(cell)s is occupied", cell=name), Code.OCCUPIED, cell=name)
            stones |= 1 << cell
        if len(cells) != self.stones_this_turn:
            required = Text("one stone") if self.stones_this_turn == 1 else Text("two stones")
            detail = Text(
                "this turn is %(detail)s, not %(count)s", detail=required, count=len(cells)
            )
            if len(cells) == 1:
                detail = Text("this turn is two stones, with a comma between them: S61,A07")
            raise IllegalMove(detail, Code.STONE_COUNT)
        return self.place(stones)

    def play_all(self, turns: Sequence[str]) -> Self | None:
        """Return None: turns of two stones are played one after the other."""
        return None

    def extend_turn(self, begun: str, cell: str) -> str:
        """Return the first of two cells with a comma, then both in their order."""
        if self.stones_this_turn < 2:
            return cell
        return ",".join(sorted((begun[:-1], cell))) if begun else f"{cell},"


def _canonical(word: str) -> str:
    names = word.upper().split(",")
    return ",".join(sorted(names) if all(names) else names)


DOUBLE_STAR_STAR = replace(
    STAR_STAR,
    code="double-star-star",
    name="Double *Star",
    has_long_turns=True,
    notation=gettext_noop("one cell in the first turn, then two: S60, S61,A07"),
    summary=gettext_noop("*Star with one stone in the first turn and two in every other."),
    play=(
        gettext_noop("The board, the chains, the stars and the score are those of *Star."),
        gettext_noop(
            "The first turn is one stone; every other turn is two stones on different cells. If "
            "only one cell is left, the last turn is one stone. There are no passes."
        ),
    ),
    goal=gettext_noop(
        "A player may use both stones in one place or in two: a threat that takes two answers does"
        " not win a whole turn here."
    ),
    remarks=(),
    initial_position=DoubleStarStar.start,
    canonical=_canonical,
)
