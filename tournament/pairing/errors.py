"""What keeps a round from being paired."""

from tournament.standings.crosstable import PlayerId


class PairingError(ValueError):
    """Base of everything this package refuses."""


class PairingRequestError(PairingError):
    """A request that names a round or players the event does not have."""


class OptionError(PairingError):
    """An option of a system that it does not have, or cannot be set so; `name` is the option."""

    def __init__(self, name: str, detail: str, valid: tuple[str, ...] = ()):
        self.name = name
        self.detail = detail
        self.valid = valid
        super().__init__(detail)


class NoLegalPairing(PairingError):
    """No pairing keeps every rule; `players` are those who block each other."""

    def __init__(self, detail: str, players: tuple[PlayerId, ...]):
        self.detail = detail
        self.players = players
        super().__init__(detail)
