"""FIDE's tournament report: TRF16 with the records of pairing programs, and TRF26."""

from tournament.standings.trf.document import (
    AnnouncedBye,
    ForbiddenGroup,
    KeptLine,
    TrfFile,
    TrfForm,
    TrfHeader,
)
from tournament.standings.trf.reader import read_trf
from tournament.standings.trf.writer import write_trf

__all__ = [
    "AnnouncedBye",
    "ForbiddenGroup",
    "KeptLine",
    "TrfFile",
    "TrfForm",
    "TrfHeader",
    "read_trf",
    "write_trf",
]
