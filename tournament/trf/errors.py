"""Errors of reading and writing TRF."""

from collections.abc import Callable, Sequence
from typing import ParamSpec, TypeVar

from games.rules.text import Text
from tournament.standings.errors import StandingsError

MOST_ERRORS = 100
"""The maximum number of errors of a file that are looked for."""

Arguments = ParamSpec("Arguments")
Found = TypeVar("Found")


class TrfError(StandingsError):
    """A TRF that cannot be read, with the `line` and `column` of the error, from 1.

    `errors` are all that were found, in reading order; this one is the first. `player` is the
    pairing number of the player about whom it is, 0 if the caller does not say.
    """

    player = 0

    def __init__(self, detail: str, line: int, column: int = 1, expected: str = ""):
        self.detail = detail
        self.line = line
        self.column = column
        self.expected = expected
        self.errors: Sequence[TrfError] = (self,)
        place = {"line": line, "column": column, "detail": detail}
        super().__init__(
            Text(
                "line %(line)s, column %(column)s: %(detail)s; expected %(detail2)s",
                **place,
                detail2=expected,
            )
            if expected
            else Text("line %(line)s, column %(column)s: %(detail)s", **place)
        )


class TeamFileError(TrfError):
    """A TRF of a team event: everything else in it follows other rules."""

    def __init__(self, record: str, line: int):
        super().__init__(
            Text("a file of a team event: %(record)s", record=f"{record[:40].rstrip()!r}"),
            line,
            1,
            Text("the file of an event of single players; team events are not supported"),
        )


class TrfWriteError(StandingsError):
    """A tournament that does not fit the columns of a TRF."""


def attempt(
    errors: list[TrfError],
    read: Callable[Arguments, Found],
    *args: Arguments.args,
    **kwargs: Arguments.kwargs,
) -> Found | None:
    """Return what a function reads; if it raises TrfError, add all its errors and return None."""
    try:
        return read(*args, **kwargs)
    except TeamFileError:
        raise
    except TrfError as error:
        errors += error.errors
        return None


def raise_first(errors: Sequence[TrfError]) -> None:
    """Raise the first of some errors in reading order, with all of them; none if there are none."""
    if errors:
        first, *others = sorted(errors, key=lambda error: (error.line, error.column))
        first.errors = (first, *others)[:MOST_ERRORS]
        raise first
