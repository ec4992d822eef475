"""Requests below `/heads`. Written by `make schema`; do not edit."""

from __future__ import annotations

from ..operation import Operation


def heads() -> Operation[str]:
    """Return the heads of all public journals, one per line: stream, sequence, digest."""
    return Operation(
        "GET",
        "/heads.txt",
    )
