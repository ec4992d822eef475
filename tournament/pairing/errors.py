"""Errors of the pairing package."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from games.rules.text import Text
from tournament.standings.crosstable import PlayerId


class PairingError(ValueError):
    """The base class of all errors of this package."""


class PairingRequestError(PairingError):
    """A request that cannot be paired, for example for a round or a player that does not exist."""


class OptionError(PairingError):
    """An unknown option of a pairing system, or a value that the option `name` cannot have.

    `valid` are the options or the values, None if they cannot be listed; `limits` are the least and
    the greatest number, `min` and `max`.
    """

    def __init__(self, name: str, detail: str, valid: tuple[str, ...] | None = None, **limits: Any):
        self.name = name
        self.detail = detail
        self.valid = valid
        self.limits = limits
        super().__init__(detail)


class NoLegalPairing(PairingError):
    """No pairing follows all rules; `players` are those who block each other."""

    def __init__(self, detail: str, players: tuple[PlayerId, ...]):
        self.players = players
        super().__init__(detail)


def kept_apart(first: PlayerId, second: PlayerId) -> NoLegalPairing:
    """Return the error of two players who are kept apart, and whom the system pairs."""
    detail = Text(
        "%(first)s and %(second)s are kept apart but have to meet", first=first, second=second
    )
    return NoLegalPairing(detail, (first, second))


@dataclass(frozen=True, slots=True)
class GroupTie:
    """Players of a group whom no tie-break separates; `place` is the best that they share."""

    group: str
    place: int
    players: tuple[PlayerId, ...]


class UndecidedTies(PairingRequestError):
    """Players of groups are tied for places that decide who qualifies, and for which seed."""

    detail: Text

    def __init__(self, ties: Sequence[GroupTie]):
        self.ties = ties
        tied = [
            Text("%(players)s (group %(group)s)", players=list(tie.players), group=tie.group)
            for tie in ties
        ]
        self.detail = Text(
            "no tie-break separates %(tied)s, who are tied for places that qualify; decide this "
            "by a play-off, by lot or by the seeds",
            tied=tied,
        )
        super().__init__(self.detail)
