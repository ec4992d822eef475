"""Requests below `/tokens`. Written by `make schema`; do not edit."""

from __future__ import annotations

from .. import types
from ..operation import Listing, Operation, path_of


def tokens(
    *, cursor: str | None = None, limit: int | None = None, if_none_match: str | None = None
) -> Listing[types.PaginatedTokenList, types.Token]:
    """The account's tokens, oldest first, without their secrets."""
    return Listing(
        "GET",
        "/tokens",
        query={"cursor": cursor, "limit": limit},
        headers={"If-None-Match": if_none_match},
    )


def make_token(
    body: types.TokenRequestRequest,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
) -> Operation[types.NewToken]:
    """Create a token; authenticate by email and password (HTTP Basic) or by another token."""
    return Operation(
        "POST",
        "/tokens",
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key},
        body=body,
        takes_key=True,
    )


def revoke_token(token_id: str, *, dry_run: bool | None = None) -> Operation[None]:
    """Revoke one of the account's tokens; a token revokes none with a scope that it lacks."""
    return Operation(
        "DELETE",
        path_of("/tokens/{token_id}", token_id=token_id),
        query={"dry_run": dry_run},
    )
