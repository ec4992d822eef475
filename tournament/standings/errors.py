"""Errors of the standings: point systems, crosstables, tie-break lists and prizes."""

from games.rules.text import Text


class StandingsError(ValueError):
    """Base class of the errors of this package."""


class PointSystemError(StandingsError):
    """A point system that gives more points for a worse result."""


class CrosstableError(StandingsError):
    """Results that contradict each other, with the `player` and the `round` where known."""

    def __init__(self, detail: str, player: int | None = None, round_number: int | None = None):
        self.detail = detail
        self.player = player
        self.round = round_number
        where = []
        if player is not None:
            where.append(f"player {player}")
        if round_number is not None:
            where.append(Text("round %(number)s", number=round_number))
        super().__init__(
            Text("%(subject)s: %(detail)s", subject=", ".join(where), detail=detail)
            if where
            else detail
        )


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


class PrizeError(StandingsError):
    """An invalid list of prize groups; `pointer` is the position in it, as in `0/amounts/2`."""

    def __init__(self, detail: str, pointer: str = ""):
        self.detail = detail
        self.pointer = pointer
        super().__init__(detail)
