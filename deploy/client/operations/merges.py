"""Requests below `/merges`. Written by `make schema`; do not edit."""

from __future__ import annotations

from typing import Literal

from .. import types
from ..operation import Listing, Operation, path_of


def merges(
    *,
    cursor: str | None = None,
    limit: int | None = None,
    order: Literal["oldest", "newest"] | None = None,
    if_none_match: str | None = None,
) -> Listing[types.PaginatedMergeList, types.Merge]:
    """The merges, oldest first."""
    return Listing(
        "GET",
        "/merges",
        query={"cursor": cursor, "limit": limit, "order": order},
        headers={"If-None-Match": if_none_match},
    )


def merge_players(
    body: types.MergeRequestRequest,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
) -> Operation[types.MergeEffect]:
    """Merge two registrations of one person; `?dry_run=1` shows what belongs to the merged one."""
    return Operation(
        "POST",
        "/merges",
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key},
        body=body,
        takes_key=True,
    )


def undo_merge(
    merge_id: int, *, dry_run: bool | None = None, idempotency_key: str | None = None
) -> Operation[types.MergeEffect]:
    """Undo a merge: the two registrations are two players again, also in the ratings."""
    return Operation(
        "POST",
        path_of("/merges/{merge_id}/undo", merge_id=merge_id),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key},
        takes_key=True,
    )
