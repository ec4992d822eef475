"""Read the TRF file that a command is called with: by name, or standard input as `-`."""

import sys
from pathlib import Path

from tournament.pairing.errors import PairingRequestError
from tournament.trf import MOST_BYTES
from tournament.trf.errors import TrfError


def read_source(name: str) -> bytes:
    """Return the bytes of a file, at most one more than a TRF file may have; raises OSError."""
    if name == "-":
        return sys.stdin.buffer.read(MOST_BYTES + 1)
    with Path(name).open("rb") as file:
        return file.read(MOST_BYTES + 1)


def say_why(name: str, error: TrfError | PairingRequestError) -> str:
    """Return a line for each error of a file that cannot be read."""
    errors = error.errors if isinstance(error, TrfError) else (error,)
    return "\n".join(f"{name}: {each}" for each in errors)
