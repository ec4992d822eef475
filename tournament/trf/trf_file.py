"""The content of a TRF: the crosstable and the records around it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from tournament.standings.crosstable import Crosstable, Kind, PlayerId
from tournament.trf.own_record import NO_RECORD, OwnRecord


class TrfEdition(StrEnum):
    """The editions of the format, which differ in the records around the players."""

    TRF16 = "trf16"
    TRF26 = "trf26"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrfHeader:
    """Records 012 to 132 and 222, as text; empty ones are not written.

    `encoded_time` is record 222: `time_control`, which is free text, in seconds.
    `round_dates` has a text of eight characters for each round, as in `26/05/15`.
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
    encoded_time: str = ""
    round_dates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, order=True)
class AnnouncedBye:
    """A bye granted before its round: a full, half or zero-point bye."""

    round: int
    kind: Kind
    player: PlayerId


@dataclass(frozen=True, slots=True)
class ForbiddenGroup:
    """Players who may not be paired in rounds `first` to `last`; 0 means the last round."""

    players: tuple[PlayerId, ...]
    first: int = 1
    last: int = 0

    def applies_in(self, round_number: int) -> bool:
        """Return True if the players may not be paired in a round."""
        return self.first <= round_number and (not self.last or round_number <= self.last)


@dataclass(frozen=True, slots=True)
class UnknownLine:
    """A line that the reader does not understand, with its number."""

    line: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TrfFile:
    """A tournament as read from or written to a TRF.

    The crosstable ends with the last round that has results. `open_pairings` are the pairings of
    the next round, (first, second), and `byes` those announced for later rounds. `ranks` are the
    ranks in the file. `struck` are the players of a round robin whose results do not count in the
    standings, because they left with less than half of their games played (C.05 6.6). `own` is
    what only this program writes and reads; the crosstable has what the tables need of it.
    `without_seat` are the rounds and players of forfeits that have no colour in the file, although
    their opponents have one.
    """

    crosstable: Crosstable
    header: TrfHeader = field(default_factory=TrfHeader)
    ranks: Mapping[PlayerId, int] = field(default_factory=dict)
    tiebreaks: tuple[str, ...] = ()
    system: str = ""
    byes: tuple[AnnouncedBye, ...] = ()
    open_pairings: tuple[tuple[PlayerId, PlayerId], ...] = ()
    forbidden: tuple[ForbiddenGroup, ...] = ()
    struck: tuple[PlayerId, ...] = ()
    own: OwnRecord = NO_RECORD
    without_seat: frozenset[tuple[int, PlayerId]] = frozenset()
    unknown_lines: tuple[UnknownLine, ...] = ()
