"""Errors of the pairing package."""

from games.rules.text import Text
from tournament.standings.crosstable import PlayerId


class PairingError(ValueError):
    """The base class of all errors of this package."""


class PairingRequestError(PairingError):
    """A request that cannot be paired, for example for a round or a player that does not exist."""


class OptionError(PairingError):
    """An unknown option of a pairing system, or a value that the option `name` cannot have."""

    def __init__(self, name: str, detail: str, valid: tuple[str, ...] = ()):
        self.name = name
        self.detail = detail
        self.valid = valid
        super().__init__(detail)


class NoLegalPairing(PairingError):
    """No pairing follows all rules; `players` are those who block each other."""

    def __init__(self, detail: str, players: tuple[PlayerId, ...]):
        self.players = players
        super().__init__(detail)


class UndecidedTie(PairingRequestError):
    """Players of a group are tied for places that decide who qualifies, and for which seed."""

    def __init__(self, players: tuple[int, ...]):
        self.players = players
        super().__init__(
            Text(
                "no tie-break separates %(players)s, who are tied for places of their group that "
                "qualify; decide the tie by a play-off, by lot or by the seeds",
                players=list(players),
            )
        )
