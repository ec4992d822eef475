"""Requests below `/`. Written by `make schema`; do not edit."""

from __future__ import annotations

from typing import Any

from ..operation import Operation


def index(*, if_none_match: str | None = None) -> Operation[dict[str, Any]]:
    """List the addresses of the API."""
    return Operation(
        "GET",
        "/",
        headers={"If-None-Match": if_none_match},
    )
