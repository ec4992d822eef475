"""Requests below `/claims`. Written by `make schema`; do not edit."""

from __future__ import annotations

from typing import Literal

from .. import types
from ..operation import Listing, Operation, path_of


def claims(
    *,
    cursor: str | None = None,
    limit: int | None = None,
    order: Literal["oldest", "newest"] | None = None,
    state: Literal["accepted", "open", "refused"] | None = None,
    if_none_match: str | None = None,
) -> Listing[types.PaginatedClaimList, types.Claim]:
    """The claims that the account made, and those that it may decide, oldest first."""
    return Listing(
        "GET",
        "/claims",
        query={"cursor": cursor, "limit": limit, "order": order, "state": state},
        headers={"If-None-Match": if_none_match},
    )


def claim_player(
    body: types.ClaimRequestRequest,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
) -> Operation[types.Claim]:
    """Claim to be a player; an owner of an event of the player, or site staff, decides."""
    return Operation(
        "POST",
        "/claims",
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key},
        body=body,
        takes_key=True,
    )


def accept_claim(
    claim_id: int,
    body: types.ClaimDecisionRequest | None = None,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
) -> Operation[types.Claim]:
    """Accept or refuse a claim."""
    return Operation(
        "POST",
        path_of("/claims/{claim_id}/accept", claim_id=claim_id),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key},
        body=body,
        takes_key=True,
    )


def refuse_claim(
    claim_id: int,
    body: types.ClaimDecisionRequest | None = None,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
) -> Operation[types.Claim]:
    """Accept or refuse a claim."""
    return Operation(
        "POST",
        path_of("/claims/{claim_id}/refuse", claim_id=claim_id),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key},
        body=body,
        takes_key=True,
    )
