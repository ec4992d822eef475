"""TwixT, the paper-and-pencil rules: pegs a knight's move apart are linked at once.

- One peg a turn on an empty point of a square board without its corners. The colour that moves
  first connects row 1 and the last row and may not peg column a and the last column; the other
  colour connects those columns and may not peg these rows. After a swap the borders follow the
  colour.
- Every link between own pegs a knight's move apart that crosses no link of the other colour is
  made at once; own links may cross, and none is ever removed (decided: then the player has no
  choice to make).
- Option `link-removal`, the rules of the boxed game: own links do not cross either, and a turn may
  remove own links before its peg and add others after it. `d4(e6-f8,g7>h9)` removes the link of
  e6 and f8, places d4 with its links, and links g7 and h9.
- A chain of links from one own border to the other wins at once. A side without a legal peg ends
  the game as a draw (decided), tested for the side to move after each turn.

Boards have 5 to 26 points a side, usually 24. Points are named by column letter, from a without
gaps, and row number; the corners are not points. Standard public rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Self

from games.rules.boards.chains import Connections, cells_of, chain_at
from games.rules.boards.lines import Stones
from games.rules.boards.pegs import PegBoard, peg_board
from games.rules.boards.symmetries import Symmetry, peg_symmetries
from games.rules.conditions import Conditions
from games.rules.errors import Code, IllegalMove
from games.rules.families.goal_placement import GoalPlacement
from games.rules.game import Family, GameRules
from games.rules.highlights import Highlights
from games.rules.layouts.hexagons import peg_layout
from games.rules.messages import Noun, gettext_noop
from games.rules.outcome import Outcome, Termination
from games.rules.seat import Seat
from games.rules.text import Text

LINK_REMOVAL = "link-removal"

_TURN = re.compile(r"([a-z][0-9]+)\(((?:[a-z][0-9]+[->][a-z][0-9]+,)*[a-z][0-9]+[->][a-z][0-9]+)\)")
_LINK = re.compile(r"([a-z])([0-9]+)([->])([a-z])([0-9]+)")
_BORDERS: Noun = gettext_noop("{number} border"), gettext_noop("{number} borders")


@dataclass(frozen=True, slots=True)
class Twixt(GoalPlacement):
    """A position of TwixT; `linked[i]` is the set of the pegs that peg i is linked to."""

    board: PegBoard
    linked: tuple[int, ...] = ()

    @property
    def open_cells(self) -> int:
        """The empty points that the side to move may peg."""
        one, other = self.board.borders[self.is_black(self.to_move)]
        return self.empty & ~(one | other)

    def open_cell(self, name: str) -> int:
        """Return the number of an empty point; raise `border` for a border of the opponent."""
        number = GoalPlacement.open_cell(self, name)
        if not self.open_cells >> number & 1:
            raise IllegalMove(
                Text("%(cell)s is on a border of the other colour", cell=name),
                Code.BORDER,
                cell=name,
            )
        return number

    def play(self, move: str) -> Self:
        """Return the position after a peg and its changes of links, or after a swap."""
        turn = _TURN.fullmatch(move)
        if turn is None or LINK_REMOVAL not in self.conditions.options:
            return GoalPlacement.play(self, move)
        self.check_not_over()
        seat, names = self.to_move, turn[2].split(",")
        changes = [
            (self.cell(f"{c}{r}"), self.cell(f"{d}{s}"), sign)
            for name in names
            for c, r, sign, d, s in _LINK.findall(name)
        ]
        position = self
        for (one, other, sign), name in zip(changes, names, strict=True):
            if sign == "-":
                if not (self.stones(seat) >> one & 1 and position.linked[one] >> other & 1):
                    raise IllegalMove(
                        Text("%(link)s is not a link of the side to move", link=name),
                        Code.NO_OWN_STONE,
                    )
                position = position.without_link(one, other)
        position = position.place(1 << position.open_cell(turn[1]))
        for (one, other, sign), name in zip(changes, names, strict=True):
            if sign == ">":
                position = position.add_link(seat, one, other, name)
        return position

    def add_link(self, seat: Seat, one: int, other: int, name: str) -> Self:
        """Return the position with a link of a seat; `name` is for errors."""
        if not (self.stones(seat) >> one & self.stones(seat) >> other & 1):
            detail = Text("%(link)s does not link two pegs of the side to move", link=name)
            raise IllegalMove(detail, Code.NO_OWN_STONE)
        if other not in self.board.links[one]:
            detail = Text("the pegs of %(link)s are not a knight's move apart", link=name)
            raise IllegalMove(detail, Code.NOT_IN_A_ROW)
        if self.is_crossed(seat, one, other):
            detail = Text("%(link)s crosses another link", link=name)
            raise IllegalMove(detail, Code.PATH_BLOCKED)
        after = self.with_links([(one, other)])
        return replace(after, winner=seat) if after.has_won(seat, one) else after

    def without_link(self, one: int, other: int) -> Self:
        """Return this position without a link."""
        linked = list(self.linked)
        linked[one] &= ~(1 << other)
        linked[other] &= ~(1 << one)
        return replace(self, linked=tuple(linked))

    def is_crossed(self, seat: Seat, one: int, other: int) -> bool:
        """Return True if a link is in the way of a seat's link between two points."""
        in_the_way = self.stones(seat.other)
        if LINK_REMOVAL in self.conditions.options:
            in_the_way |= self.stones(seat)
        return any(
            self.linked[start] >> end & 1 and in_the_way >> start & 1
            for start, end in self.board.links[one][other]
        )

    def place(self, stones: int) -> Self:
        """Return the position after a peg, with all its links."""
        cell, seat = stones.bit_length() - 1, self.to_move
        links = [
            (cell, other)
            for other in self.board.links[cell]
            if self.stones(seat) >> other & 1 and not self.is_crossed(seat, cell, other)
        ]
        return GoalPlacement.place(self.with_links(links), stones)

    def with_links(self, links: Iterable[tuple[int, int]]) -> Self:
        """Return this position with more links between cells."""
        linked = list(self.linked)
        for cell, other in links:
            linked[cell] |= 1 << other
            linked[other] |= 1 << cell
        return replace(self, linked=tuple(linked))

    def links(self, pegs: int) -> tuple[tuple[int, int], ...]:
        """Return the links between some pegs of one colour, each pair of cells once."""
        return tuple(
            (cell, other)
            for cell in cells_of(pegs)
            for other in cells_of(self.linked[cell] >> cell << cell)
        )

    def has_won(self, seat: Seat, cell: int) -> bool:
        """Return True if links connect the peg to both borders of its colour."""
        one, other = self.board.borders[not self.is_black(seat)]
        chain = chain_at(1 << cell, self.stones(seat), self.linked)
        return bool(chain & one and chain & other)

    def outcome(self) -> Outcome:
        """Return the win, or the draw if the side to move has no legal peg."""
        if self.winner is None and self.is_over:
            return Outcome(termination=Termination.BLOCKED, draw=True)
        return GoalPlacement.outcome(self)

    def state(self) -> dict[str, str]:
        """Return the number of plies, the sign of the first seat, and the links."""
        names = self.board.names
        links = (f"{names[cell]}-{names[other]}" for cell, other in self.links(self.filled))
        return {**GoalPlacement.state(self), "links": " ".join(links)}

    def with_picture(self, stones: Stones, state: Mapping[str, str]) -> Self:
        """Return the position that a picture shows, with its links."""
        index = self.board.index
        ends = (link.split("-") for link in state["links"].split())
        linked = self.with_links((index[one], index[other]) for one, other in ends)
        return GoalPlacement.with_picture(linked, stones, state)

    def symmetries(self) -> tuple[Symmetry, ...]:
        """Return those of the points."""
        return peg_symmetries(self.board)

    def connections(self) -> Connections:
        """Return the chains of links; the borders are the edge."""
        borders = (*self.board.borders[0], *self.board.borders[1])
        return Connections(self.linked, sum(set(borders)), borders)

    def touched(self, chain: int, seat: Seat) -> Iterator[tuple[int, Noun]]:
        """Yield the borders of the own colour."""
        borders = self.board.borders[not self.is_black(seat)]
        yield sum(bool(chain & border) for border in borders), _BORDERS

    def highlights(self, last: int) -> Highlights:
        """Return the links, and the chain that has won."""
        links = self.links(self.first), self.links(self.second)
        if self.winner is None:
            return Highlights(links=links)
        # With the option, a link between other pegs than the last one can win.
        cells = (*cells_of(last), *cells_of(self.stones(self.winner)))
        won = next((cell for cell in cells if self.has_won(self.winner, cell)), cells[0])
        chain = chain_at(1 << won, self.stones(self.winner), self.linked)
        return Highlights(winning=(chain,), links=links)


def _canonical(word: str) -> str:
    """Return a turn in lower case, its links and their ends sorted, removed ones first."""
    word = word.lower()
    turn = _TURN.fullmatch(word)
    if turn is None:
        return word
    links = []
    for c, r, sign, d, s in _LINK.findall(turn[2]):
        (c, r), (d, s) = sorted([(c, r), (d, s)], key=lambda end: (end[0], len(end[1]), end[1]))
        links.append((sign, c, len(r), r, d, len(s), s))
    written = (f"{c}{r}{sign}{d}{s}" for sign, c, _, r, d, _, s in sorted(links))
    return f"{turn[1]}({','.join(written)})"


def _start(conditions: Conditions) -> Twixt:
    board = peg_board(int(conditions.board))
    return Twixt(conditions, board, linked=(0,) * len(board.names))


TWIXT = GameRules(
    code="twixt",
    name="TwixT",
    family=Family.CONNECTION,
    layout=lambda names, _: peg_layout(names),
    has_chains=False,
    boards=("24", *(str(size) for size in range(5, 27) if size != 24)),
    board_form=gettext_noop("points a side: 24 as a rule, from 5 to 26"),
    notation=gettext_noop("column letter and row number: d4"),
    summary=gettext_noop(
        "Place one peg a turn; own pegs a knight's move apart are linked at once unless a link "
        "of the other colour is in the way. A chain of links from border to border wins."
    ),
    play=(
        gettext_noop(
            "The board is a square of holes without its corners. The players take turns to place a"
            " peg. Two pegs of one colour that are a knight's move apart are linked at once, "
            "unless a link of the other colour is in the way."
        ),
    ),
    goal=gettext_noop(
        "The player who moves first connects row 1 and the last row and may not peg the first and"
        " the last column; the other player connects these columns and may not peg those rows. The"
        " first chain of links between both borders wins."
    ),
    remarks=(
        gettext_noop(
            "These are the rules for paper and pencil: own links may cross, and no link is "
            "removed. A player without a legal peg has a draw."
        ),
        gettext_noop(
            "With the option link-removal own links may not cross either, and a turn may remove "
            "own links before its peg and add others after it: d4(e6-f8,g7>h9) removes the link of "
            "e6 and f8, places d4, and links g7 and h9."
        ),
    ),
    source=gettext_noop("standard public rules, as played with paper and pencil"),
    initial_position=_start,
    canonical=_canonical,
    options=(LINK_REMOVAL,),
    draws=True,
)
