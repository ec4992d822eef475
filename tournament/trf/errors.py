"""Errors of reading and writing TRF."""

from tournament.standings.errors import StandingsError


class TrfError(StandingsError):
    """A TRF that cannot be read, with the `line` and `column` of the error, from 1."""

    def __init__(self, detail: str, line: int, column: int = 1, expected: str = ""):
        self.detail = detail
        self.line = line
        self.column = column
        self.expected = expected
        suffix = f"; expected {expected}" if expected else ""
        super().__init__(f"line {line}, column {column}: {detail}{suffix}")


class TrfWriteError(StandingsError):
    """A tournament that does not fit the columns of a TRF."""
