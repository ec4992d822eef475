"""Read the TRF file that a command is called with: by name, or standard input as `-`."""

import sys
from pathlib import Path

from tournament.trf import MOST_BYTES


def read_source(name: str) -> bytes:
    """Return the bytes of a file, at most one more than a TRF file may have; raises OSError."""
    if name == "-":
        return sys.stdin.buffer.read(MOST_BYTES + 1)
    with Path(name).open("rb") as file:
        return file.read(MOST_BYTES + 1)
