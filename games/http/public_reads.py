"""Reads whose response to a stranger depends on nothing but journals, the address and the time.

A view of such a read sets `public_read`, and `deploy/public_reads.py` sends its responses again
while the journals of the event and of the site have not changed.
"""

from enum import StrEnum
from typing import Final

MARK: Final = "perihelion.public_read"
"""The member of `request.META` that a view sets if its response may be stored."""


class PublicRead(StrEnum):
    """Where a read names the only event that it depends on.

    A list that depends on more, such as the games of all events, is not stored: each event has a
    journal of its own, so no single line tells that nothing has changed anywhere, and a line common
    to all would let every write wait for the others.
    """

    NONE = ""
    ADDRESS = "slug"
    QUERY = "stream"
