"""Requests below `/webhooks`. Written by `make schema`; do not edit."""

from __future__ import annotations

from typing import Literal

from .. import types
from ..operation import Listing, Operation, path_of


def webhooks(
    *,
    cursor: str | None = None,
    limit: int | None = None,
    order: Literal["oldest", "newest"] | None = None,
    stream: str | None = None,
    if_none_match: str | None = None,
) -> Listing[types.PaginatedWebhookList, types.Webhook]:
    """List your webhooks, and those of the events and pools that you direct, oldest first."""
    return Listing(
        "GET",
        "/webhooks",
        query={"cursor": cursor, "limit": limit, "order": order, "stream": stream},
        headers={"If-None-Match": if_none_match},
    )


def create_webhook(
    body: types.WebhookRequestRequest,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
) -> Operation[types.NewWebhook]:
    """Create a webhook, for a director of the event or an officer of the pool."""
    return Operation(
        "POST",
        "/webhooks",
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key},
        body=body,
        takes_key=True,
    )


def webhook(webhook_id: str, *, if_none_match: str | None = None) -> Operation[types.Webhook]:
    """Return a webhook without its secret."""
    return Operation(
        "GET",
        path_of("/webhooks/{webhook_id}", webhook_id=webhook_id),
        headers={"If-None-Match": if_none_match},
    )


def edit_webhook(
    webhook_id: str,
    body: types.PatchedWebhookChangeRequest | None = None,
    *,
    dry_run: bool | None = None,
) -> Operation[types.Webhook]:
    """Change the address or the kinds of a webhook, stop it, or start it again."""
    return Operation(
        "PATCH",
        path_of("/webhooks/{webhook_id}", webhook_id=webhook_id),
        query={"dry_run": dry_run},
        body=body,
    )


def delete_webhook(webhook_id: str, *, dry_run: bool | None = None) -> Operation[None]:
    """Delete a webhook and the log of its deliveries."""
    return Operation(
        "DELETE",
        path_of("/webhooks/{webhook_id}", webhook_id=webhook_id),
        query={"dry_run": dry_run},
    )


def webhook_deliveries(
    webhook_id: str,
    *,
    cursor: str | None = None,
    kind: str | None = None,
    limit: int | None = None,
    order: Literal["newest", "oldest"] | None = None,
    state: Literal["delivered", "given-up", "pending", "withdrawn"] | None = None,
    if_none_match: str | None = None,
) -> Listing[types.PaginatedWebhookDeliveryList, types.WebhookDelivery]:
    """List the deliveries of a webhook, newest first: what was sent, when, and the response."""
    return Listing(
        "GET",
        path_of("/webhooks/{webhook_id}/deliveries", webhook_id=webhook_id),
        query={"cursor": cursor, "kind": kind, "limit": limit, "order": order, "state": state},
        headers={"If-None-Match": if_none_match},
    )


def replay_webhook_delivery(
    webhook_id: str,
    delivery_id: str,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
) -> Operation[types.WebhookDelivery]:
    """Send a finished delivery once more, with the same `webhook-id`; it has one attempt."""
    return Operation(
        "POST",
        path_of(
            "/webhooks/{webhook_id}/deliveries/{delivery_id}/replay",
            webhook_id=webhook_id,
            delivery_id=delivery_id,
        ),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key},
        takes_key=True,
    )


def ping_webhook(
    webhook_id: str, *, dry_run: bool | None = None, idempotency_key: str | None = None
) -> Operation[types.WebhookDelivery]:
    """Send a `webhook.ping`, also if the webhook is stopped; it has one attempt."""
    return Operation(
        "POST",
        path_of("/webhooks/{webhook_id}/ping", webhook_id=webhook_id),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key},
        takes_key=True,
    )


def rotate_webhook_secret(
    webhook_id: str, *, dry_run: bool | None = None, idempotency_key: str | None = None
) -> Operation[types.NewSecret]:
    """Replace the secret; for a day the messages are signed by both."""
    return Operation(
        "POST",
        path_of("/webhooks/{webhook_id}/rotate-secret", webhook_id=webhook_id),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key},
        takes_key=True,
    )
