"""What the rating systems refuse."""

from collections.abc import Sequence
from dataclasses import dataclass


class RatingError(ValueError):
    """The base of all refusals of this package."""


class UnknownPreset(RatingError):
    """No preset of that name; the message lists the valid ones."""


class BadParameter(RatingError):
    """A parameter that the preset does not have, or a value outside its range."""


class BadHandicap(RatingError):
    """A handicap that cannot be read, or conditions that do not go together."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong in a file: the line, counted from 1, and the column's name if it has one."""

    line: int
    column: str
    detail: str

    def __str__(self) -> str:
        column = f", column {self.column}" if self.column else ""
        return f"line {self.line}{column}: {self.detail}"


class BadFile(RatingError):
    """A file of games or seeds that cannot be used; `faults` names every place."""

    def __init__(self, faults: Sequence[Fault], *, more: bool = False) -> None:
        self.faults = tuple(faults)
        lines = [str(fault) for fault in faults]
        if more:
            lines.append("and more: reading stopped here")
        super().__init__("\n".join(lines))
