"""Penta-Hex: run along rows and complete five different pentahexes.

25 stones each on ten rings with the centre `C`, alternating round the rim, the first player on
the even offsets. A turn moves one own stone along a row over empty cells, as in Penta-Line.

- Relocating: an enemy stone that the moved stone encloses, by three own stones on alternate
  neighbours of which the moved stone is one, is lifted, compulsorily; all enclosed ones are lifted
  together, then each is put on an empty rim cell of the mover's choice (the cell just vacated may
  serve). Stones on the rim or on `C`, and stones of pentahexes completed before the turn, are not
  lifted. Written `S91-S93(T60>A05,T62>A07)`, sorted by lifted cell.
- Whoever has five pentahexes of different shapes after a turn wins, the mover first; pentahexes
  are told in `pentahexes`. A stone more or less in a group undoes it and frees its shape.
- `shape_taken`: after the whole turn no two pentahexes, of whichever colour, may have one shape.
- `groups_touch`: the moved stone's group, own pentahexes completed before and still whole left
  out, may not be a pentahex that touches one of these; with `total-separation`, pentahexes of
  the two colours may not touch either.

No swap and no pass, no rule of repetition; a side that cannot move has a draw. Source: the *Star
booklet; what it leaves open is decided as above.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import permutations

from games.rules.boards.chains import cells_of, chain_at
from games.rules.boards.rows import RINGS, board
from games.rules.conditions import Conditions
from games.rules.errors import Code, IllegalMove
from games.rules.game import GameRules
from games.rules.movement import Movement
from games.rules.penta_line import cell_names, read_board
from games.rules.pentahexes import SIZE, has_shape, pentahexes, shape_of
from games.rules.position import refuse_other_turns
from games.rules.seat import Seat

TOTAL_SEPARATION = "total-separation"
WINNING_SHAPES = 5

_TURN = re.compile(r"([^()]+)(?:\(([^()]+)\))?")
_LIFT = re.compile(r"([^->,]+)>([^->,]+)")


@dataclass(frozen=True, slots=True)
class PentaHex(Movement):
    """A position of Penta-Hex."""

    def all_moves(self) -> Iterator[str]:
        """Yield every turn that is legal while nobody has won, with every way of relocating."""
        names = self.board.names
        for start, target in self.runs():
            lifted = list(cells_of(self.enclosed(start, target)))
            filled = (self.first | self.second) ^ (1 << start) | 1 << target
            free = list(cells_of(self.board.rim_cells & ~filled))
            for targets in permutations(free, len(lifted)):
                pairs = list(zip(lifted, targets, strict=True))
                try:
                    self._settled(start, target, pairs)
                except IllegalMove:
                    continue
                moved = f"{names[start]}-{names[target]}"
                lifts = sorted(f"{names[cell]}>{names[to]}" for cell, to in pairs)
                yield f"{moved}({','.join(lifts)})" if lifts else moved

    def can_move(self) -> bool:
        """Return whether the side to move has a legal move.

        Nearly always a move without relocations will do; looking for it first spares the very
        many ways of relocating.
        """
        for start, target in self.runs():
            if not self.enclosed(start, target):
                try:
                    self._settled(start, target, [])
                except IllegalMove:
                    continue
                return True
        return next(self.all_moves(), None) is not None

    def play(self, move: str) -> PentaHex:
        """Return the position after a move and its relocations, won by five shapes."""
        refuse_other_turns(self, move)
        turn = _TURN.fullmatch(move)
        if turn is None:
            raise IllegalMove(f"{move} is no turn: one is like S91-S93(T60>A05)", Code.UNKNOWN_CELL)
        pairs = [self._read_lift(lift) for lift in (turn[2] or "").split(",") if turn[2]]
        start, target = self.read_run(turn[1])
        self._check_lifts(start, target, pairs)
        after = replace(self._settled(start, target, pairs), plies=self.plies + 1)
        return replace(after, winner=after.seen_winner())

    def enclosed(self, start: int, target: int) -> int:
        """Return the enemy stones that a stone moving from `start` to `target` encloses."""
        around = self.board.around
        own = self.stones(self.to_move) ^ (1 << start) | 1 << target
        enemy = self.stones(self.to_move.other)
        enclosed = 0
        for stone in cells_of(self.board.neighbours[target] & enemy & ~self.board.rim_cells):
            if stone == self.board.centre:
                continue
            way = around[stone].index(target)
            flanks = (around[stone][(way + 2) % 6], around[stone][(way + 4) % 6])
            if all(flank is not None and own >> flank & 1 for flank in flanks):
                enclosed |= 1 << stone
        if not enclosed:
            return 0
        return enclosed & ~sum(pentahexes(enemy, self.board))

    def _read_lift(self, lift: str) -> tuple[int, int]:
        names = _LIFT.fullmatch(lift)
        if names is None:
            raise IllegalMove(f"{lift} is no relocation: one is like T60>A05", Code.UNKNOWN_CELL)
        return self.cell(names[1]), self.cell(names[2])

    def _check_lifts(self, start: int, target: int, pairs: list[tuple[int, int]]) -> None:
        """Raise `relocation` unless just the enclosed stones go to different empty rim cells."""
        names = self.board.names
        enclosed = self.enclosed(start, target)
        stated = [cell for cell, _ in pairs]
        if len(set(stated)) < len(stated) or set(stated) != set(cells_of(enclosed)):
            wanted = ", ".join(names[cell] for cell in cells_of(enclosed)) or "no stone"
            raise IllegalMove(f"{wanted} is to be relocated, each once", Code.RELOCATION)
        filled = (self.first | self.second) ^ (1 << start) | 1 << target
        for _, to in pairs:
            if (filled | ~self.board.rim_cells) >> to & 1:
                raise IllegalMove(
                    f"{names[to]} is no empty cell of the rim", Code.RELOCATION, cell=names[to]
                )
            filled |= 1 << to

    def _settled(self, start: int, target: int, pairs: list[tuple[int, int]]) -> PentaHex:
        """Return the stones after a turn; raises `shape_taken` or `groups_touch`."""
        seat, mesh = self.to_move, self.board
        own = self.stones(seat) ^ (1 << start) | 1 << target
        enemy = self.stones(seat.other)
        for lifted, to in pairs:
            enemy ^= 1 << lifted | 1 << to
        completed, enemys = pentahexes(own, mesh), pentahexes(enemy, mesh)
        shapes = [shape_of(group, mesh) for group in (*completed, *enemys)]
        if len(set(shapes)) < len(shapes):
            raise IllegalMove("a pentahex of this shape is on the board", Code.SHAPE_TAKEN)
        self._refuse_touching(start, target, own)
        if TOTAL_SEPARATION in self.conditions.options and any(
            self._beside(group) & other for group in completed for other in enemys
        ):
            raise IllegalMove("pentahexes of both colours touch", Code.GROUPS_TOUCH)
        return self.with_stones(seat, own, enemy)

    def _refuse_touching(self, start: int, target: int, own: int) -> None:
        """Raise `groups_touch` when the moved stone makes a pentahex beside an older own one."""
        older = [
            group
            for group in pentahexes(self.stones(self.to_move), self.board)
            if not group >> start & 1
        ]
        rest = own & ~sum(older)
        group = chain_at(1 << target, rest, self.board.neighbours)
        if group.bit_count() != SIZE or not has_shape(group, self.board):
            return
        if any(self._beside(group) & other for other in older):
            raise IllegalMove("the pentahex touches another of one's own", Code.GROUPS_TOUCH)

    def _beside(self, group: int) -> int:
        beside = 0
        for cell in cells_of(group):
            beside |= self.board.neighbours[cell]
        return beside

    def seen_winner(self) -> Seat | None:
        """Return who has five shapes, the last mover first; no shape is on the board twice."""
        for seat in (self.to_move.other, self.to_move):
            if len(pentahexes(self.stones(seat), self.board)) >= WINNING_SHAPES:
                return seat
        return None


def _start(conditions: Conditions) -> PentaHex:
    mesh = board()
    even, odd = (sum(1 << cell for cell in mesh.rim[side::2]) for side in (0, 1))
    return PentaHex(conditions, mesh, even, odd)


def _canonical(word: str) -> str:
    turn = _TURN.fullmatch(word.upper())
    if turn is None or turn[2] is None:
        return word.upper()
    return f"{turn[1]}({','.join(sorted(turn[2].split(',')))})"


PENTA_HEX = GameRules(
    code="penta-hex",
    name="Penta-Hex",
    boards=(str(RINGS),),
    board_form="10 rings",
    notation="from-to, then relocated stones: S91-S93(T60>A05); cells as in *Star, the centre C",
    summary=(
        "Move one stone a turn along a row like a chess queen. A group of exactly five is a "
        "pentahex; five of different shapes win. Enemy stones enclosed by three are sent back "
        "to the rim."
    ),
    source="the *Star booklet",
    read_board=read_board,
    start=_start,
    words=cell_names,
    canonical=_canonical,
    options=(TOTAL_SEPARATION,),
    swaps=False,
    draws=True,
)
