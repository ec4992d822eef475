"""Requests below `/me`. Written by `make schema`; do not edit."""

from __future__ import annotations

from .. import types
from ..operation import Operation


def me(*, if_none_match: str | None = None) -> Operation[types.Me]:
    """Return the account, its player, its roles and the scopes of the token."""
    return Operation(
        "GET",
        "/me",
        headers={"If-None-Match": if_none_match},
    )


def rename_account(
    body: types.PatchedAccountChangeRequest | None = None, *, dry_run: bool | None = None
) -> Operation[types.Me]:
    """Change the name of the account; that of its player stays (`PATCH players/{id}`)."""
    return Operation(
        "PATCH",
        "/me",
        query={"dry_run": dry_run},
        body=body,
    )
