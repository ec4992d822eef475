"""What keeps a round from being paired."""

from tournament.standings.crosstable import PlayerId


class PairingError(ValueError):
    """Base of everything this package refuses."""


class PairingRequestError(PairingError):
    """A request that names a round or players the event does not have."""


class NoLegalPairing(PairingError):
    """No pairing keeps every rule; `players` are those who block each other."""

    def __init__(self, detail: str, players: tuple[PlayerId, ...]):
        self.detail = detail
        self.players = players
        super().__init__(detail)
