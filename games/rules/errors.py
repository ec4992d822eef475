"""Errors of a record: one base class and few subclasses, each with a code and a place.

The codes are part of the record format: programs compare them, people read the detail. An error
is raised with what is known about its place at that point; `locate` adds the rest.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Self


class Code(StrEnum):
    """The code of an error in a record."""

    UNREADABLE = "unreadable"
    UNKNOWN_GAME = "unknown_game"
    UNKNOWN_BOARD = "unknown_board"
    BAD_TAG = "bad_tag"
    HANDICAP_CONFLICT = "handicap_conflict"
    UNKNOWN_CELL = "unknown_cell"
    OCCUPIED = "occupied"
    BRIDGE = "bridge"
    BORDER = "border"
    STONE_COUNT = "stone_count"
    SWAP_NOT_ALLOWED = "swap_not_allowed"
    PASS_NOT_ALLOWED = "pass_not_allowed"
    AFTER_END = "after_end"
    NO_OWN_STONE = "no_own_stone"
    NOT_IN_A_ROW = "not_in_a_row"
    PATH_BLOCKED = "path_blocked"
    NO_SUCH_JUMP = "no_such_jump"
    RELOCATION = "relocation"
    SHAPE_TAKEN = "shape_taken"
    GROUPS_TOUCH = "groups_touch"
    GUARDED = "guarded"
    CLAIM_OUT_OF_BOUNDS = "claim_out_of_bounds"
    CLAIM_CONTRADICTS = "claim_contradicts"


class RecordError(ValueError):
    """An error in a record: `code` is for programs, `detail` (a sentence) for people.

    `ply` counts turns from 1, `move` is the word as the record writes it, `cell` the cell
    concerned; `line` and `column` count from 1. An unknown value is None. `pointer` is the JSON
    pointer of the wrong value in a record in JSON.
    """

    pointer = ""

    def __init__(
        self,
        detail: str,
        code: Code,
        *,
        ply: int | None = None,
        move: str | None = None,
        cell: str | None = None,
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        super().__init__(detail)
        self.detail = detail
        self.code = code
        self.ply = ply
        self.move = move
        self.cell = cell
        self.line = line
        self.column = column

    def locate(
        self,
        *,
        ply: int | None = None,
        move: str | None = None,
        line: int | None = None,
        column: int | None = None,
    ) -> Self:
        """Set the parts of the place that are still unknown and return this error."""
        self.ply = ply if self.ply is None else self.ply
        self.move = move if self.move is None else self.move
        self.line = line if self.line is None else self.line
        self.column = column if self.column is None else self.column
        return self

    def as_json(self) -> dict[str, str | int]:
        """Return the code, the known parts of the place, and the detail."""
        values: dict[str, str | int | None] = {
            "code": self.code.value,
            "ply": self.ply,
            "move": self.move,
            "cell": self.cell,
            "line": self.line,
            "column": self.column,
            "detail": self.detail,
        }
        return {key: value for key, value in values.items() if value is not None}

    def __str__(self) -> str:
        place = [
            f"{name} {value}"
            for name, value in (("ply", self.ply), ("line", self.line), ("column", self.column))
            if value is not None
        ]
        return f"{self.code}: {self.detail}" + (f" ({', '.join(place)})" if place else "")


class UnreadableRecord(RecordError):
    """Text or JSON that is not in the record format."""

    def __init__(
        self, detail: str, *, line: int | None = None, column: int | None = None, pointer: str = ""
    ) -> None:
        super().__init__(detail, Code.UNREADABLE, line=line, column=column)
        self.pointer = pointer


class BadConditions(RecordError):
    """A tag with an invalid value, or one that conflicts with another tag; `tag` names it.

    `valid` are the values that it can have, None if they cannot be listed.
    """

    def __init__(
        self,
        detail: str,
        code: Code,
        *,
        tag: str,
        valid: tuple[str, ...] | None = None,
        pointer: str = "",
    ) -> None:
        super().__init__(detail, code)
        self.tag = tag
        self.valid = valid
        self.pointer = pointer


class UnknownGame(BadConditions):
    """An unknown game; the detail lists the known ones."""

    def __init__(self, detail: str, valid: tuple[str, ...] | None = None) -> None:
        super().__init__(detail, Code.UNKNOWN_GAME, tag="Game", valid=valid)


class UnknownBoard(BadConditions):
    """A board that the game is not played on; the detail lists the valid ones."""

    def __init__(self, detail: str, valid: tuple[str, ...] | None = None) -> None:
        super().__init__(detail, Code.UNKNOWN_BOARD, tag="Board", valid=valid)


class IllegalMove(RecordError):
    """A turn that the rules do not allow in this position."""


class FalseClaim(RecordError):
    """A claimed result that contradicts the moves, or that the game cannot have."""
