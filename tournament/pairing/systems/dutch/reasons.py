"""What is told of a round: reasons as codes, values and sentences, and the boards that have them.

`explanation` finds them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from tournament.standings.crosstable import PlayerId


class ReasonCode(StrEnum):
    """What a reason is about."""

    SCORE_GROUP = "score-group"
    FLOAT = "float"
    MET_BEFORE = "met-before"
    FORBIDDEN = "forbidden"
    ABSOLUTE_SEATS = "absolute-seats"
    SEATS = "seats"
    UNGRANTED = "preference-not-granted"
    BYE = "bye"
    ABSENT = "absent"
    PAIRED = "paired"
    WITHOUT = "without-this-pair"
    INSTEAD = "with-this-pair"


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason: its code, whom it is about, the figures, and a sentence that tells it."""

    code: ReasonCode
    players: tuple[PlayerId, ...]
    sentence: str
    values: Mapping[str, str | int] = field(default_factory=dict)

    def as_dict(self) -> dict[str, object]:
        """Give the reason as JSON can hold it."""
        return {
            "code": self.code.value,
            "players": list(self.players),
            "values": dict(self.values),
            "sentence": self.sentence,
        }


@dataclass(frozen=True, slots=True)
class Board:
    """A board, or the bye when `second` is None, and its reasons."""

    first: PlayerId
    second: PlayerId | None
    reasons: tuple[Reason, ...]
