"""Requests below `/rules`. Written by `make schema`; do not edit."""

from __future__ import annotations

from typing import Any, Literal

from .. import types
from ..operation import Operation, path_of


def rules_games(*, if_none_match: str | None = None) -> Operation[types.Rules]:
    """Return every game with its boards and options, and the limits of a record."""
    return Operation(
        "GET",
        "/rules/games",
        headers={"If-None-Match": if_none_match},
    )


def board_picture(
    code: str,
    *,
    board: str | None = None,
    names: Literal["0", "1"] | None = None,
    options: str | None = None,
    if_none_match: str | None = None,
) -> Operation[str]:
    """Return the board of a game before the first ply, as SVG."""
    return Operation(
        "GET",
        path_of("/rules/games/{code}/board.svg", code=code),
        query={"board": board, "names": names, "options": options},
        headers={"If-None-Match": if_none_match},
    )


def record_sheet(
    code: str,
    *,
    board: str | None = None,
    options: str | None = None,
    paper: Literal["a4", "letter"] | None = None,
) -> Operation[bytes]:
    """Return a blank record sheet of a game."""
    return Operation(
        "GET",
        path_of("/rules/games/{code}/sheet.pdf", code=code),
        query={"board": board, "options": options, "paper": paper},
    )


def referee(body: types.RefereeRequestRequest | str) -> Operation[dict[str, Any]]:
    """Judge one record or several; nothing is stored."""
    return Operation(
        "POST",
        "/rules/referee",
        body=body,
        content_type="text/plain" if isinstance(body, str) else "",
    )


def rules_systems(*, if_none_match: str | None = None) -> Operation[types.SystemSerializerResults]:
    """List the pairing systems with their options and sources."""
    return Operation(
        "GET",
        "/rules/systems",
        headers={"If-None-Match": if_none_match},
    )


def rules_system(code: str, *, if_none_match: str | None = None) -> Operation[types.System]:
    """Return a pairing system."""
    return Operation(
        "GET",
        path_of("/rules/systems/{code}", code=code),
        headers={"If-None-Match": if_none_match},
    )
