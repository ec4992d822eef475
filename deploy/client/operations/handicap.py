"""Requests below `/handicap`. Written by `make schema`; do not edit."""

from __future__ import annotations

from typing import Literal

from .. import types
from ..operation import Operation


def handicap(
    *,
    board: str | None = None,
    cap: int | None = None,
    first: int | None = None,
    game: str | None = None,
    kind: Literal["stones", "points", "first move"] | None = None,
    pool: str | None = None,
    second: int | None = None,
    share: int | None = None,
    swap: bool | None = None,
    if_none_match: str | None = None,
) -> Operation[types.Recommendation]:
    """Recommend a handicap for two players by their ratings in a pool."""
    return Operation(
        "GET",
        "/handicap",
        query={
            "board": board,
            "cap": cap,
            "first": first,
            "game": game,
            "kind": kind,
            "pool": pool,
            "second": second,
            "share": share,
            "swap": swap,
        },
        headers={"If-None-Match": if_none_match},
    )
