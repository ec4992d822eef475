"""Requests below `/handicap-tables`. Written by `make schema`; do not edit."""

from __future__ import annotations

from .. import types
from ..operation import Operation


def handicap_tables(*, if_none_match: str | None = None) -> Operation[types.TableList]:
    """Return every version of the values of handicaps, oldest first; a version never changes."""
    return Operation(
        "GET",
        "/handicap-tables",
        headers={"If-None-Match": if_none_match},
    )
