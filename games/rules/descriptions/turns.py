"""A turn in one sentence: what it placed or moved, what it joined, what it decided.

`S60: joins two chains, now 9 stones, 3 edge cells, star of 3 peries.`
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from games.rules.boards.chains import cells_of
from games.rules.boards.rows import longest_row
from games.rules.descriptions.chains import (
    count,
    describe_edges,
    describe_shape,
    joined_chains,
    own_chain,
    spell,
)
from games.rules.families.movement import Movement
from games.rules.families.solitaire import Solitaire
from games.rules.outcome import Outcome, Termination
from games.rules.penta_line import PentaLine
from games.rules.position import PASS, SWAP, Position
from games.rules.queens import Queens
from games.rules.seat import Seat

_ENDINGS = {
    Termination.FULL: "the board is full",
    Termination.DECIDED: "the score is decided",
    Termination.AGREED: "agreed",
    Termination.RESIGNED: "resigned",
    Termination.TIME: "lost on time",
    Termination.PASSES: "both seats passed",
    Termination.GOAL: "a winning shape",
    Termination.BLOCKED: "no legal turn is left",
    Termination.SOLVED: "solved",
}
_RELOCATED = re.compile(r"([*\w]+)>([*\w]+)")


def describe_turn(before: Position, turn: str, after: Position) -> str:
    """Return what a turn did."""
    phrases = list(_phrases(before, turn, after))
    return f"{turn}: {', '.join(phrases)}." if phrases else f"{turn}."


def describe_result(outcome: Outcome) -> str:
    """Return how the game ended, or what is certain about it; "" if nothing is."""
    words = []
    if outcome.termination:
        score = " {}-{}".format(*outcome.score) if outcome.score else ""
        words.append(f"{_ENDINGS[outcome.termination]}{score}")
    if winner := outcome.describe_winner():
        words.append(winner)
    return ", ".join(words)


def _phrases(before: Position, turn: str, after: Position) -> Iterator[str]:
    seat = before.to_move
    if turn == SWAP:
        yield "the seats exchange their colours"
    elif turn == PASS:
        yield f"{seat} places no stone"
    elif isinstance(before, Solitaire):
        yield from _solitaire(before, after)
    elif isinstance(before, Movement):
        yield from _movement(before, turn, after)
    else:
        placed = list(cells_of(after.stones(seat) & ~before.stones(seat)))
        for cell in placed:
            prefix = f"{before.board.names[cell]} " if len(placed) > 1 else ""
            yield prefix + ", ".join(_placement(before, cell, after, seat))
    if result := describe_result(after.outcome()):
        yield result


def _placement(before: Position, cell: int, after: Position, seat: Seat) -> Iterator[str]:
    joined = joined_chains(before, after, cell, seat)
    chain = own_chain(after, cell, seat)
    size = chain.bit_count()
    if size == 1:
        yield "a new chain"
    elif joined > 1:
        yield f"joins {spell(joined)} chains, now {count(size, 'stone', 'stones')}"
    else:
        yield f"extends a chain to {count(size, 'stone', 'stones')}"
    if edges := describe_edges(after, chain, seat):
        yield edges
    if shape := describe_shape(after, chain):
        kind, earlier = shape.split()[0], describe_shape(before, chain & ~(1 << cell))
        is_same = joined == 1 and earlier.startswith(kind)
        yield f"a {shape}" if is_same else f"now a {shape}"


def _movement(before: Movement, turn: str, after: Position) -> Iterator[str]:
    seat = before.to_move
    target = next(cells_of(after.stones(seat) & ~before.stones(seat)))
    yield "moves along a row"
    for stone, rim in _RELOCATED.findall(turn):
        yield f"encloses {stone}, which goes to {rim}"
    if isinstance(before, PentaLine):
        length = longest_row(before.board, target, after.stones(seat))
        if length > 1:
            yield f"{length} stones in a row"
        return
    chain = own_chain(after, target, seat)
    yield f"in a group of {count(chain.bit_count(), 'stone', 'stones')}"
    if describe_shape(after, chain):
        yield "a pentahex"


def _solitaire(before: Solitaire, after: Position) -> Iterator[str]:
    if isinstance(after, Queens):
        free = (after.empty & ~after.guarded).bit_count()
        yield f"stone {after.filled.bit_count()}, {count(free, 'free cell', 'free cells')} left"
        return
    removed = before.filled & ~after.filled
    names = [before.board.names[cell] for cell in cells_of(removed)]
    left = count(after.filled.bit_count(), "stone", "stones")
    yield f"jumps, {' and '.join(names)} empty, {left} left"
