"""Requests below `/invitations`. Written by `make schema`; do not edit."""

from __future__ import annotations

from .. import types
from ..operation import Operation


def accept_invitation(
    body: types.AcceptanceRequest,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
) -> Operation[types.Accepted]:
    """Take the role of an invitation; an address without an account gets one."""
    return Operation(
        "POST",
        "/invitations/accept",
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key},
        body=body,
        takes_key=True,
    )
