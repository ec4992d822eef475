"""FIDE's tournament report: TRF16 with the records of pairing programs, and TRF26."""

from tournament.trf.document import (
    AnnouncedBye,
    ForbiddenGroup,
    KeptLine,
    TrfFile,
    TrfForm,
    TrfHeader,
)
from tournament.trf.reader import MOST_BYTES, read_trf
from tournament.trf.writer import write_trf

__all__ = [
    "MOST_BYTES",
    "AnnouncedBye",
    "ForbiddenGroup",
    "KeptLine",
    "TrfFile",
    "TrfForm",
    "TrfHeader",
    "read_trf",
    "write_trf",
]
