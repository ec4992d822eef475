"""Errors of the standings: point systems, crosstables, tie-break lists and prizes."""

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from games.rules.text import Text


class Refusal(ValueError):
    """A value that is wrong; `others` are the refusals of further values of the same input."""

    others: tuple["Refusal", ...] = ()


def refuse_all(refusals: Sequence[Refusal]) -> NoReturn:
    """Raise the first of some refusals, with the others."""
    first, *others = refusals
    first.others = tuple(others)
    raise first


def read_all(*readers: Callable[[], Any]) -> list[Any]:
    """Return what readers return that do not depend on each other; raises all that they refuse."""
    found: list[Any] = []
    refusals: list[Refusal] = []
    for read in readers:
        try:
            found.append(read())
        except Refusal as error:
            refusals += [error, *error.others]
    if refusals:
        refuse_all(refusals)
    return found


class StandingsError(ValueError):
    """Base class of the errors of this package."""


class PointSystemError(StandingsError):
    """A point system that gives more points for a worse result; `valid` results have points."""

    def __init__(self, detail: str, valid: Sequence[str] = ()):
        super().__init__(detail)
        self.valid = valid


class CrosstableError(StandingsError):
    """Results that contradict each other, with the `player` and the `round` where known."""

    def __init__(self, detail: str, player: int | None = None, round_number: int | None = None):
        self.detail = detail
        self.player = player
        self.round = round_number
        text = detail
        if player is not None and round_number is not None:
            text = Text(
                "player %(player)s, round %(number)s: %(detail)s",
                player=player,
                number=round_number,
                detail=detail,
            )
        elif player is not None:
            text = Text("player %(player)s: %(detail)s", player=player, detail=detail)
        elif round_number is not None:
            place = Text("round %(number)s", number=round_number)
            text = Text("%(subject)s: %(detail)s", subject=place, detail=detail)
        super().__init__(text)


class TiebreakError(StandingsError):
    """A tie-break `code` that is unknown or not allowed; `valid` lists the allowed codes."""

    def __init__(self, detail: str, code: str, valid: tuple[str, ...] = ()):
        self.detail = detail
        self.code = code
        self.valid = valid
        super().__init__(
            Text("%(detail)s; valid: %(names)s", detail=detail, names=" ".join(valid))
            if valid
            else detail
        )


def refuse_tiebreaks(errors: Sequence[TiebreakError]) -> None:
    """Raise one error that says what all of these say, if there are any."""
    if not errors:
        return
    first, *others = errors
    detail = first.detail
    for other in others:
        detail = Text("%(detail)s; %(other)s", detail=detail, other=other.detail)
    valid = next((error.valid for error in errors if error.valid), ())
    raise TiebreakError(detail, first.code, valid) from first


class PrizeError(StandingsError, Refusal):
    """An invalid list of prize groups; `pointer` is the position in it, as in `0/amounts/2`.

    `right` has what would be right, if it can be listed: `valid`, `min` and `max`; and the `code`
    of an error of the shape.
    """

    def __init__(self, detail: str, pointer: str = "", **right: Any):
        self.detail = detail
        self.pointer = pointer
        self.right = right
        super().__init__(detail)
