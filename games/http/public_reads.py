"""Reads whose response to a stranger depends on nothing but journals, the address and the time.

A view of such a read sets `public_read`, and `deploy/public_reads.py` sends its responses again
while the journals of the event and of the site have not changed.
"""

from enum import StrEnum
from typing import Final

MARK: Final = "perihelion.public_read"
"""The member of `request.META` that a view sets if its response may be stored."""


class PublicRead(StrEnum):
    """Where a read names the only event that it depends on."""

    NONE = ""
    ADDRESS = "slug"
    QUERY = "stream"
