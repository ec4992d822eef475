"""Errors of reading and writing TRF."""

from games.rules.text import Text
from tournament.standings.errors import StandingsError


class TrfError(StandingsError):
    """A TRF that cannot be read, with the `line` and `column` of the error, from 1."""

    def __init__(self, detail: str, line: int, column: int = 1, expected: str = ""):
        self.detail = detail
        self.line = line
        self.column = column
        self.expected = expected
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


class TrfWriteError(StandingsError):
    """A tournament that does not fit the columns of a TRF."""
