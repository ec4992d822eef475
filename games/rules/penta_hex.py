"""Penta-Hex: move along rows and complete five different pentahexes.

25 stones each on ten rings with the centre `C`, alternating around the rim, the first player on the
even offsets. A turn moves one own stone along a row over empty cells, as in Penta-Line.

- Relocation: an enemy stone is enclosed by three own stones on alternate neighbours, one of which
  is the moved stone. All enclosed stones must be lifted together; then each is put on an empty rim
  cell of the mover's choice (the cell just vacated is allowed). Stones on the rim or on `C`, and
  stones of pentahexes completed before the turn, are not lifted. Written
  `S91-S93(T60>A05,T62>A07)`, sorted by lifted cell.
- A seat with five pentahexes of different shapes after a turn wins, the mover first. Pentahexes are
  defined in `boards.pentahexes`: an additional stone in a group, or a missing one, undoes it and
  frees its shape.
- `shape_taken`: after the whole turn no two pentahexes, of either colour, may have one shape.
- `groups_touch`: if own pentahexes that were completed before and are still whole are left out, the
  moved stone's group may not be a pentahex that touches one of them; with `total-separation`,
  pentahexes of the two colours may not touch either.

There is no swap, no pass and no rule of repetition; a side that cannot move has a draw. Source: the
*Star booklet; what it leaves open is decided as above.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import permutations
from random import Random
from typing import Self

from games.rules.boards.chains import Connections, cells_of, chain_at
from games.rules.boards.pentahexes import PENTAHEX_SIZE, Shape, has_shape, pentahexes, shape_of
from games.rules.boards.rows import HEXAGON_RINGS, row_board
from games.rules.conditions import Conditions
from games.rules.errors import Code, IllegalMove
from games.rules.families.movement import Movement, begin_move
from games.rules.game import Family, GameRules
from games.rules.highlights import Highlights
from games.rules.layouts.rings import ring_layout
from games.rules.messages import STONES, Say, count, gettext_noop, say_in_english
from games.rules.outcome import Outcome
from games.rules.seat import Seat
from games.rules.text import Text

TOTAL_SEPARATION = "total-separation"
WINNING_SHAPES = 5

_PENTAHEX = gettext_noop("pentahex")
_TURN = re.compile(r"([^()]+)(?:\(([^()]+)\))?")
_RELOCATION = re.compile(r"([^->,]+)>([^->,]+)")


@dataclass(frozen=True, slots=True)
class PentaHex(Movement):
    """A position of Penta-Hex."""

    def all_moves(self) -> Iterator[str]:
        """Yield every turn that is legal if no seat has won, with all possible relocations."""
        for start, target in self.runs():
            lifted = list(cells_of(self.enclosed(start, target)))
            filled = self.filled ^ (1 << start) | 1 << target
            free = list(cells_of(self.board.rim_cells & ~filled))
            for targets in permutations(free, len(lifted)):
                relocations = list(zip(lifted, targets, strict=True))
                try:
                    self._after_turn(start, target, relocations)
                except IllegalMove:
                    continue
                yield self._spell_turn(start, target, relocations)

    def random_move(self, source: Random) -> str:
        """Return a legal turn: draw a run, then the rim cells of the stones that it relocates.

        Runs with many ways to relocate are not drawn more often than others.
        """
        self.check_not_over()
        runs = list(self.runs())
        source.shuffle(runs)
        for start, target in runs:
            lifted = list(cells_of(self.enclosed(start, target)))
            filled = self.filled ^ (1 << start) | 1 << target
            free = list(cells_of(self.board.rim_cells & ~filled))
            if len(free) < len(lifted):
                continue
            relocations = list(zip(lifted, source.sample(free, len(lifted)), strict=True))
            try:
                self._after_turn(start, target, relocations)
            except IllegalMove:
                continue
            return self._spell_turn(start, target, relocations)
        return source.choice(list(self.all_moves()))

    def can_move(self) -> bool:
        """Return True if the side to move has a legal move.

        Try the moves without relocations first: nearly always one is legal, and there are very
        many ways to relocate.
        """
        for start, target in self.runs():
            if not self.enclosed(start, target):
                try:
                    self._after_turn(start, target, [])
                except IllegalMove:
                    continue
                return True
        return next(self.all_moves(), None) is not None

    def play(self, move: str) -> Self:
        """Return the position after a move and its relocations; five shapes win."""
        self.check_moves_stone(move)
        turn = _TURN.fullmatch(move)
        if turn is None:
            raise IllegalMove(
                Text("%(word)s is not a turn; write S91-S93(T60>A05)", word=move), Code.UNKNOWN_CELL
            )
        words = turn[2].split(",") if turn[2] else []
        relocations = [self._parse_relocation(word) for word in words]
        start, target = self.parse_run(turn[1])
        self._check_relocations(start, target, relocations)
        after = replace(self._after_turn(start, target, relocations), plies=self.plies + 1)
        return replace(after, winner=after.find_winner())

    def enclosed(self, start: int, target: int) -> int:
        """Return the enemy stones that a stone moving from `start` to `target` encloses."""
        around = self.board.around
        own = self.stones(self.to_move) ^ (1 << start) | 1 << target
        enemy = self.stones(self.to_move.other)
        enclosed = 0
        for stone in cells_of(self.board.neighbours[target] & enemy & ~self.board.rim_cells):
            if stone == self.board.centre:
                continue
            direction = around[stone].index(target)
            flanks = (around[stone][(direction + turn) % 6] for turn in (2, 4))
            if all(flank is not None and own >> flank & 1 for flank in flanks):
                enclosed |= 1 << stone
        if not enclosed:
            return 0
        return enclosed & ~sum(pentahexes(enemy, self.board))

    def _spell_turn(self, start: int, target: int, relocations: list[tuple[int, int]]) -> str:
        """Return the canonical spelling of a turn."""
        names = self.board.names
        move = f"{names[start]}-{names[target]}"
        words = sorted(f"{names[cell]}>{names[to]}" for cell, to in relocations)
        return f"{move}({','.join(words)})" if words else move

    def _parse_relocation(self, word: str) -> tuple[int, int]:
        names = _RELOCATION.fullmatch(word)
        if names is None:
            written = word or Text("an empty word")
            raise IllegalMove(
                Text("%(detail)s is not a relocation; write T60>A05", detail=written),
                Code.UNKNOWN_CELL,
            )
        return self.cell(names[1]), self.cell(names[2])

    def _check_relocations(
        self, start: int, target: int, relocations: list[tuple[int, int]]
    ) -> None:
        """Raise `relocation` unless the enclosed stones go to different empty rim cells."""
        names = self.board.names
        enclosed = self.enclosed(start, target)
        if sorted(cell for cell, _ in relocations) != list(cells_of(enclosed)):
            required = ", ".join(names[cell] for cell in cells_of(enclosed)) or Text("no stone")
            raise IllegalMove(
                Text("this move encloses and relocates %(detail)s", detail=required),
                Code.RELOCATION,
            )
        filled = self.filled ^ (1 << start) | 1 << target
        for _, to in relocations:
            if (filled | ~self.board.rim_cells) >> to & 1:
                raise IllegalMove(
                    Text("%(cell)s is not an empty cell of the rim", cell=names[to]),
                    Code.RELOCATION,
                    cell=names[to],
                )
            filled |= 1 << to

    def _after_turn(self, start: int, target: int, relocations: list[tuple[int, int]]) -> Self:
        """Return the stones after a turn; raise `shape_taken` or `groups_touch`."""
        seat, mesh = self.to_move, self.board
        own = self.stones(seat) ^ (1 << start) | 1 << target
        enemy = self.stones(seat.other)
        for lifted, to in relocations:
            enemy ^= 1 << lifted | 1 << to
        own_groups, enemy_groups = pentahexes(own, mesh), pentahexes(enemy, mesh)
        shapes = [shape_of(group, mesh) for group in (*own_groups, *enemy_groups)]
        if len(set(shapes)) < len(shapes):
            raise IllegalMove(Text("a pentahex of this shape is on the board"), Code.SHAPE_TAKEN)
        self._check_touching(start, target, own)
        if TOTAL_SEPARATION in self.conditions.options and any(
            self._neighbours_of(group) & other for group in own_groups for other in enemy_groups
        ):
            raise IllegalMove(Text("pentahexes of both colours touch"), Code.GROUPS_TOUCH)
        return self.with_stones(seat, own, enemy)

    def _check_touching(self, start: int, target: int, own: int) -> None:
        """Raise `groups_touch` if the moved stone completes a pentahex next to an older own one."""
        older = [
            group
            for group in pentahexes(self.stones(self.to_move), self.board)
            if not group >> start & 1
        ]
        rest = own & ~sum(older)
        group = chain_at(1 << target, rest, self.board.neighbours)
        if group.bit_count() != PENTAHEX_SIZE or not has_shape(group, self.board):
            return
        if any(self._neighbours_of(group) & other for other in older):
            raise IllegalMove(Text("the pentahex touches another own pentahex"), Code.GROUPS_TOUCH)

    def _neighbours_of(self, group: int) -> int:
        neighbours = 0
        for cell in cells_of(group):
            neighbours |= self.board.neighbours[cell]
        return neighbours

    def find_winner(self) -> Seat | None:
        """Return the seat with five shapes; a shape is never on the board twice."""
        for seat in (self.to_move.other, self.to_move):
            if len(pentahexes(self.stones(seat), self.board)) >= WINNING_SHAPES:
                return seat
        return None

    def connections(self) -> Connections:
        """Return the groups; the rim is the edge."""
        return Connections(self.board.neighbours, self.board.rim_cells)

    def shape(self, chain: int, say: Say = say_in_english) -> str:
        """Return whether a group is a pentahex."""
        return say(_PENTAHEX) if chain in pentahexes(chain, self.board) else ""

    def describe_stone(self, cell: int, seat: Seat, say: Say) -> Iterator[str]:
        """Yield the size of the group of a stone, and whether it is a pentahex."""
        group = chain_at(1 << cell, self.stones(seat), self.board.neighbours)
        stones = count(group.bit_count(), STONES, say)
        yield say(gettext_noop("in a group of {stones}"), stones=stones)
        if self.shape(group):
            yield say(gettext_noop("a pentahex"))

    def holdings(self, seat: Seat) -> Mapping[str, int]:
        """Return the pentahexes."""
        return {"pentahexes": len(pentahexes(self.stones(seat), self.board))}

    def outcome(self) -> Outcome:
        """Return the outcome of a movement game, with the pentahexes of each seat."""
        detail = {seat.value: self.holdings(seat) for seat in Seat}
        return replace(Movement.outcome(self), detail=detail)

    def shape_owners(self) -> dict[Shape, Seat]:
        """Return the shapes that are on the board, with the seats that have them."""
        return {
            shape_of(group, self.board): seat
            for seat in Seat
            for group in pentahexes(self.stones(seat), self.board)
        }

    def highlights(self, last: int) -> Highlights:
        """Return the pentahexes, also those that have won."""
        groups = pentahexes(self.first, self.board), pentahexes(self.second, self.board)
        winning = () if self.winner is None else groups[self.winner is Seat.SECOND]
        return Highlights(kind="pentahex", groups=groups, winning=winning)

    def extend_turn(self, begun: str, cell: str) -> str:
        """Return the move, begun if an enclosed stone has no rim cell yet."""
        if not begun:
            return begin_move(self, cell)
        move, _, relocated = (begun + cell).partition("(")
        start, target = self.parse_run(move)
        enclosed = [self.board.names[stone] for stone in cells_of(self.enclosed(start, target))]
        done = relocated.split(",") if relocated else []
        if len(done) < len(enclosed):
            return f"{move}({','.join([*done, enclosed[len(done)]])}>"
        return f"{move}({','.join(sorted(done))})" if done else move


def _start(conditions: Conditions) -> PentaHex:
    mesh = row_board()
    even, odd = (sum(1 << cell for cell in mesh.rim[side::2]) for side in (0, 1))
    return PentaHex(conditions, mesh, even, odd)


def _canonical(word: str) -> str:
    turn = _TURN.fullmatch(word.upper())
    if turn is None or turn[2] is None:
        return word.upper()
    relocations = turn[2].split(",")
    return f"{turn[1]}({','.join(sorted(relocations) if all(relocations) else relocations)})"


PENTA_HEX = GameRules(
    code="penta-hex",
    name="Penta-Hex",
    family=Family.MOVEMENT,
    layout=lambda names, _: ring_layout(names),
    has_long_turns=True,
    boards=(str(HEXAGON_RINGS),),
    board_form=gettext_noop("10 rings"),
    notation=gettext_noop(
        "from-to, then relocated stones: S91-S93(T60>A05); cells as in *Star, the centre C"
    ),
    summary=gettext_noop(
        "Move one stone a turn along a row like a chess queen. A group of exactly five is a "
        "pentahex; five of different shapes win. Enemy stones enclosed by three are sent back "
        "to the rim."
    ),
    play=(
        gettext_noop(
            "Each player has 25 stones on the edge of the board of ten rings, in turn around it. A"
            " turn moves one stone along a row over empty cells, as in Penta-Line."
        ),
    ),
    goal=gettext_noop(
        "A group of exactly five stones is a pentahex; there are 22 shapes, mirror images counted "
        "once. A group that contains C or surrounds it has no shape. Five pentahexes of different "
        "shapes win."
    ),
    remarks=(
        gettext_noop(
            "No shape may be on the board twice, whichever player has it, and a stone may not "
            "complete a pentahex next to another of the same player. With the option "
            "total-separation, pentahexes of both players may not touch either."
        ),
        gettext_noop(
            "An opponent's stone that the moved stone and two others enclose on alternate sides is"
            " lifted and put on an empty cell of the edge, where the player who moved likes. "
            "Stones of a pentahex, on the edge and on C are safe."
        ),
    ),
    source=gettext_noop("the *Star booklet"),
    initial_position=_start,
    canonical=_canonical,
    options=(TOTAL_SEPARATION,),
    swaps=False,
    draws=True,
)
