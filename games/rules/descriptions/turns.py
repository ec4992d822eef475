"""A turn in one sentence: what it placed or moved, what it joined, what it decided.

`S60: joins two chains, now 9 stones, 3 edge cells, star of 3 peries.`
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from games.rules.boards.chains import cells_of
from games.rules.descriptions.chains import (
    describe_edges,
    describe_joined,
    joined_chains,
    own_chain,
)
from games.rules.families.movement import Movement
from games.rules.families.solitaire import Solitaire
from games.rules.messages import STONES, Say, count, gettext_noop, say_in_english
from games.rules.outcome import Outcome, Termination
from games.rules.position import PASS, SWAP, Position
from games.rules.seat import Seat

_ENDING_TEXTS = {
    Termination.FULL: gettext_noop("the board is full"),
    Termination.DECIDED: gettext_noop("the score is decided"),
    Termination.AGREED: gettext_noop("agreed"),
    Termination.RESIGNED: gettext_noop("resigned"),
    Termination.TIME: gettext_noop("lost on time"),
    Termination.PASSES: gettext_noop("both seats passed"),
    Termination.GOAL: gettext_noop("a winning shape"),
    Termination.BLOCKED: gettext_noop("no legal turn is left"),
    Termination.SOLVED: gettext_noop("solved"),
}
"""How a game ended, in a sentence about its last turn, for those who cannot see the board."""
_RELOCATED = re.compile(r"([*\w]+)>([*\w]+)")


def describe_turn(before: Position, turn: str, after: Position, say: Say = say_in_english) -> str:
    """Return what a turn did."""
    phrases = list(_phrases(before, turn, after, say))
    return f"{turn}: {', '.join(phrases)}." if phrases else f"{turn}."


def describe_result(outcome: Outcome, say: Say = say_in_english) -> str:
    """Return how the game ended, or what is certain about it; "" if nothing is."""
    words = []
    if outcome.termination:
        score = " {}-{}".format(*outcome.score) if outcome.score else ""
        words.append(f"{say(_ENDING_TEXTS[outcome.termination])}{score}")
    if winner := outcome.describe_winner(say):
        words.append(winner)
    return ", ".join(words)


def _phrases(before: Position, turn: str, after: Position, say: Say) -> Iterator[str]:
    seat = before.to_move
    if turn == SWAP:
        yield say(gettext_noop("the second player takes over the first stone"))
    elif turn == PASS:
        yield say(gettext_noop("{seat} places no stone"), seat=say(seat.value))
    elif isinstance(after, Solitaire):
        yield from after.describe_turn(before, say)
    elif isinstance(after, Movement):
        yield from _movement(before, turn, after, say)
    else:
        placed = list(cells_of(after.stones(seat) & ~before.stones(seat)))
        for cell in placed:
            prefix = f"{before.board.names[cell]} " if len(placed) > 1 else ""
            yield prefix + ", ".join(_placement(before, cell, after, seat, say))
    if result := describe_result(after.outcome(), say):
        yield result


def _placement(before: Position, cell: int, after: Position, seat: Seat, say: Say) -> Iterator[str]:
    joined = joined_chains(before, after, cell, seat)
    chain = own_chain(after, cell, seat)
    size = chain.bit_count()
    if size == 1:
        yield say(gettext_noop("a new chain"))
    elif joined > 1:
        yield describe_joined(joined, size, say)
    else:
        stones = count(size, STONES, say)
        yield say(gettext_noop("extends a chain to {stones}"), stones=stones)
    if edges := describe_edges(after, chain, seat, say):
        yield edges
    if shape := after.shape(chain, say):
        earlier = before.shape(chain & ~(1 << cell))
        is_same = joined == 1 and earlier.split()[:1] == after.shape(chain).split()[:1]
        pattern = gettext_noop("a {shape}") if is_same else gettext_noop("now a {shape}")
        yield say(pattern, shape=shape)


def _movement(before: Position, turn: str, after: Movement, say: Say) -> Iterator[str]:
    seat = before.to_move
    target = next(cells_of(after.stones(seat) & ~before.stones(seat)))
    yield say(gettext_noop("moves along a row"))
    for stone, rim in _RELOCATED.findall(turn):
        yield say(gettext_noop("encloses {stone}, which goes to {cell}"), stone=stone, cell=rim)
    yield from after.describe_stone(target, seat, say)
