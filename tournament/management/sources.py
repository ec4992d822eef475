"""What a command is told to read: a file by its name, or standard input as `-`."""

import sys
from pathlib import Path

from tournament.trf import MOST_BYTES


def read_source(name: str) -> bytes:
    """The bytes of a report; of what never ends just so many that it is refused as too long.

    Raises OSError for what cannot be read.
    """
    if name == "-":
        return sys.stdin.buffer.read(MOST_BYTES + 1)
    with Path(name).open("rb") as file:
        return file.read(MOST_BYTES + 1)
