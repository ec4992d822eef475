"""What a FIDE tournament report holds: the crosstable, and all that stands around it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from tournament.standings.crosstable import Crosstable, Kind, PlayerId


class TrfEdition(StrEnum):
    """The two editions of the format, which differ in the records around the players."""

    TRF16 = "trf16"
    TRF26 = "trf26"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrfHeader:
    """Records 012 to 132, as text; empty ones are not written.

    `round_dates` holds a text of eight characters a round, `26/05/15`.
    """

    name: str = ""
    city: str = ""
    federation: str = ""
    start: str = ""
    end: str = ""
    kind: str = ""
    chief_arbiter: str = ""
    deputies: tuple[str, ...] = ()
    time_control: str = ""
    round_dates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, order=True)
class AnnouncedBye:
    """A bye known before its round: `kind` is full-bye, half-bye or zero-bye."""

    round: int
    kind: Kind
    player: PlayerId


@dataclass(frozen=True, slots=True)
class ForbiddenGroup:
    """Players none of whom may meet another in rounds `first` to `last`; last 0 means ever."""

    players: tuple[PlayerId, ...]
    first: int = 1
    last: int = 0

    def holds_in(self, round_number: int) -> bool:
        """Whether the group is kept apart in a round."""
        return self.first <= round_number and (not self.last or round_number <= self.last)


@dataclass(frozen=True, slots=True)
class UnknownLine:
    """A line that was not understood: its number in the file it came from, and its text."""

    line: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TrfFile:
    """A tournament as a file tells it.

    The crosstable ends with the last round that has results. `open_pairings` are boards of the
    round after it, (first, second); `byes` are those announced for rounds not yet played.
    `ranks` are the places the file gives, and `kept` what the reader could not use.
    """

    crosstable: Crosstable
    header: TrfHeader = field(default_factory=TrfHeader)
    ranks: Mapping[PlayerId, int] = field(default_factory=dict)
    tiebreaks: tuple[str, ...] = ()
    system: str = ""
    byes: tuple[AnnouncedBye, ...] = ()
    open_pairings: tuple[tuple[PlayerId, PlayerId], ...] = ()
    forbidden: tuple[ForbiddenGroup, ...] = ()
    kept: tuple[UnknownLine, ...] = ()
