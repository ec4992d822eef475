"""A pause after a request could not connect to the database.

Each request would wait for a connection and hold a thread meanwhile. During the pause requests fail
at once, so that a queue of them does not wait in turn.
"""

import time
from typing import Final

from django.db import connection

DATABASE_PAUSE: Final = 1.0
"""Seconds."""

_failed_at = -DATABASE_PAUSE


def note_failure() -> None:
    """Begin a pause if an error of the database means that this request could not connect."""
    global _failed_at
    if connection.connection is None:
        _failed_at = time.monotonic()


def is_paused() -> bool:
    """Return True shortly after a request could not connect."""
    return time.monotonic() - _failed_at < DATABASE_PAUSE
