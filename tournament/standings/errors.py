"""Errors of the standings: point systems, crosstables, tie-break lists, prizes."""


class StandingsError(ValueError):
    """Base of everything this package refuses."""


class PointSystemError(StandingsError):
    """A point system in which the worse result would be worth more."""


class CrosstableError(StandingsError):
    """Results that cannot be of one event; `player` and `round` say where, when known."""

    def __init__(self, detail: str, player: int | None = None, round_number: int | None = None):
        self.detail = detail
        self.player = player
        self.round = round_number
        where = []
        if player is not None:
            where.append(f"player {player}")
        if round_number is not None:
            where.append(f"round {round_number}")
        super().__init__(f"{', '.join(where)}: {detail}" if where else detail)


class TiebreakError(StandingsError):
    """A tie-break code that is unknown or out of place; `valid` lists the codes that are not."""

    def __init__(self, detail: str, code: str, valid: tuple[str, ...] = ()):
        self.detail = detail
        self.code = code
        self.valid = valid
        super().__init__(f"{detail}; valid: {' '.join(valid)}" if valid else detail)


class PrizeError(StandingsError):
    """A list of prizes that cannot be; `pointer` leads to the place in it, as `0/amounts/2`."""

    def __init__(self, detail: str, pointer: str = ""):
        self.detail = detail
        self.pointer = pointer
        super().__init__(detail)
