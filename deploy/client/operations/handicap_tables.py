"""Requests below `/handicap-tables`. Written by `make schema`; do not edit."""

from __future__ import annotations

from typing import Literal

from .. import types
from ..operation import Listing


def handicap_tables(
    *,
    cursor: str | None = None,
    limit: int | None = None,
    order: Literal["oldest", "newest"] | None = None,
    if_none_match: str | None = None,
) -> Listing[types.PaginatedTableList, types.Table]:
    """List the versions of the values of handicaps, oldest first; a version never changes."""
    return Listing(
        "GET",
        "/handicap-tables",
        query={"cursor": cursor, "limit": limit, "order": order},
        headers={"If-None-Match": if_none_match},
    )
