"""FIDE's tournament report file (TRF): TRF16 with the records of pairing programs, and TRF26."""

from tournament.trf.reader import MOST_BYTES, read_trf
from tournament.trf.trf_file import (
    AnnouncedBye,
    ForbiddenGroup,
    TrfEdition,
    TrfFile,
    TrfHeader,
    UnknownLine,
)
from tournament.trf.writer import write_trf

__all__ = [
    "MOST_BYTES",
    "AnnouncedBye",
    "ForbiddenGroup",
    "TrfEdition",
    "TrfFile",
    "TrfHeader",
    "UnknownLine",
    "read_trf",
    "write_trf",
]
