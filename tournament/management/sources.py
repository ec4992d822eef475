"""Read the TRF file that a command is called with: by name, or standard input as `-`."""

import sys
from pathlib import Path

from games.management.sources import UnknownEncoding, find_encoding
from tournament.pairing.errors import PairingRequestError
from tournament.trf import MOST_BYTES
from tournament.trf.errors import TrfError


def read_source(name: str, encoding: str) -> bytes:
    """Return a TRF file in UTF-8; `encoding` is its own, if neither UTF-8 nor UTF-16.

    Raises OSError, and TrfError for a file in another encoding.
    """
    if name == "-":
        content = sys.stdin.buffer.read(MOST_BYTES + 1)
    else:
        with Path(name).open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        return content
    try:
        return content.decode(find_encoding(content, encoding)).encode()
    except UnknownEncoding as error:
        raise TrfError(str(error), error.line) from None


def say_why(name: str, error: TrfError | PairingRequestError) -> str:
    """Return a line for each error of a file that cannot be read."""
    errors = error.errors if isinstance(error, TrfError) else (error,)
    return "\n".join(f"{name}: {each}" for each in errors)
