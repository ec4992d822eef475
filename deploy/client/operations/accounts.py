"""Requests below `/accounts`. Written by `make schema`; do not edit."""

from __future__ import annotations

from .. import types
from ..operation import Operation


def sign_up(
    body: types.SignUpRequest, *, dry_run: bool | None = None, idempotency_key: str | None = None
) -> Operation[types.Sent]:
    """Request an account; a message with a token for `accounts/confirm` is sent."""
    return Operation(
        "POST",
        "/accounts",
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key},
        body=body,
        takes_key=True,
    )


def confirm_sign_up(
    body: types.NewPasswordRequest,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
) -> Operation[types.Account]:
    """Create the account with a password; log in to create a token (`POST tokens`)."""
    return Operation(
        "POST",
        "/accounts/confirm",
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key},
        body=body,
        takes_key=True,
    )


def request_password(
    body: types.EmailRequest, *, dry_run: bool | None = None, idempotency_key: str | None = None
) -> Operation[types.Sent]:
    """Request a message with a token for `accounts/password/confirm`."""
    return Operation(
        "POST",
        "/accounts/password",
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key},
        body=body,
        takes_key=True,
    )


def reset_password(
    body: types.NewPasswordRequest,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
) -> Operation[types.Account]:
    """Set a new password; the account's own tokens are revoked."""
    return Operation(
        "POST",
        "/accounts/password/confirm",
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key},
        body=body,
        takes_key=True,
    )
