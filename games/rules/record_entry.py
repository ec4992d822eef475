"""A record that is entered turn by turn: what it shows so far, and the next cell or word.

An illegal turn is not part of what is shown: the position is that before it, with the error. A turn
of several cells is begun with the first: `S91-` needs a target, `S61,` a second cell, and
`S91-S93(T60>` a rim cell for a stone that the move encloses.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from games.rules.diagram.scene import Scene, scene_of_record
from games.rules.errors import Code, RecordError
from games.rules.outcome import Termination
from games.rules.position import PASS, SWAP, Position
from games.rules.records.claims import without_ending
from games.rules.records.record import Record

CELL: Final = re.compile(r"(?:[a-z]|\*)[0-9]+", re.ASCII | re.IGNORECASE)
OPEN_ENDS = ("-", ",", ">")
"""What a turn ends with that needs another cell."""


def is_begun(turn: str) -> bool:
    """Return True if a turn needs another cell."""
    return turn.endswith(OPEN_ENDS)


def extend_turn(position: Position, begun: str, cell: str) -> str:
    """Return the turn with one more cell, "" if the cell takes the last one back.

    Whether the turn is legal is not checked here, except that a move begins on an own stone.
    """
    if begun[:-1] == cell:
        return ""
    return position.extend_turn(begun, cell)


RESIGN = "resign"
TURN_WORDS = (SWAP, PASS, RESIGN)
"""The words that a player can enter instead of cells."""


@dataclass(frozen=True, slots=True)
class PartialRecord:
    """A record so far: its scene, the turn that is begun, the error of what was entered last.

    The scene is None if the text cannot be read.
    """

    text: str
    scene: Scene | None = None
    begun: str = ""
    error: RecordError | None = None

    @property
    def words(self) -> Sequence[str]:
        """The words that can be entered now."""
        if self.scene is None or self.scene.outcome.termination not in (None, Termination.DECIDED):
            return ()
        position, has_opponent = self.scene.position, self.scene.rules.players > 1
        return [
            word
            for word in TURN_WORDS
            if (has_opponent if word == RESIGN else position.is_legal(word))
        ]


def read_entry(text: str) -> PartialRecord:
    """Return the state of a record that was typed or pasted."""
    try:
        record = Record.parse(text)
    except RecordError as error:
        return PartialRecord(text, error=error)
    return _entry(text, record)


def enter_cell(entry: PartialRecord, cell: str) -> PartialRecord:
    """Return the entry with one more cell, which completes a turn or begins one."""
    if entry.scene is None:
        return entry
    try:
        turn = extend_turn(entry.scene.position, entry.begun, cell)
    except RecordError as error:
        return replace(entry, error=error, begun="")
    return replace(entry, begun=turn) if is_begun(turn) or not turn else enter_words(entry, turn)


def enter_words(entry: PartialRecord, words: str) -> PartialRecord:
    """Return the entry with more turns, or the entry and the error of the first that is illegal."""
    try:
        open_record = replace(Record.parse(entry.text), result=None)
        joined = join_cells(
            words.split(),
            len(open_record.moves),
            lambda turns: Record.parse(f"{open_record}{' '.join(turns)}"),
        )
        words = words if joined == words.split() else " ".join(joined)
        record = Record.parse(f"{open_record}{words}")
        record.replay()
    except RecordError as error:
        return replace(entry, error=error, begun="")
    return _entry(str(record), record)


def join_cells(
    words: Sequence[str], before: int, record_of: Callable[[Sequence[str]], Record]
) -> list[str]:
    """Return typed words as turns: the two cells of one turn, as `S61 A07`, need no comma.

    They follow the turns `before` them in the record that `record_of` makes of them.
    """
    turns = list(words)
    while True:
        try:
            record_of(turns).replay()
        except RecordError as error:
            place = (error.ply or 0) - before - 1
            pair = turns[place : place + 2] if place >= 0 else []
            is_short = error.code == Code.STONE_COUNT and len(pair) == 2
            if is_short and pair[0].upper() == error.move and all(map(CELL.fullmatch, pair)):
                turns[place : place + 2] = [",".join(pair)]
                continue
        return turns


def remove_last(entry: PartialRecord) -> PartialRecord:
    """Return the entry without the cell that began a turn, or without the last move."""
    if entry.begun:
        return replace(entry, begun="", error=None)
    try:
        record = Record.parse(entry.text)
    except RecordError as error:
        return replace(entry, error=error)
    record = replace(record, moves=record.moves[:-1], result=None)
    return _entry(str(record), record)


def _entry(text: str, record: Record) -> PartialRecord:
    try:
        record.replay()
        return PartialRecord(text, scene_of_record(record))
    except RecordError as error:
        turns = without_ending(record.moves)
        legal = turns if error.ply is None else turns[: error.ply - 1]
        return PartialRecord(
            text, scene_of_record(replace(record, moves=tuple(legal), result=None)), error=error
        )
