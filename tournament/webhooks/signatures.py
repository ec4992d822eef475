"""The messages of webhooks, signed after the Standard Webhooks specification 1.0.

The id of a message is that of the journal line, so it is the same at each attempt, and for all
webhooks. The content is what is public at the time of the attempt (tournament/webhooks/feed.py).
"""

import secrets
from base64 import b64encode
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypedDict

from django.conf import settings
from standardwebhooks import Webhook as Signer

from games.core.journal.chain import canonical_json, format_time
from games.models.streams import pool_of, tournament_of
from games.rules.text import Text
from tournament.core.queries import find_tournament
from tournament.core.references import tournament_reference
from tournament.messages.feed import find_entry
from tournament.models import Webhook, WebhookDelivery
from tournament.webhooks.formats import text_of, write_text

SECRET_BYTES = 32
PING = "webhook.ping"


class PingData(TypedDict):
    """The webhook that was pinged, to try its address."""

    webhook_id: int


@dataclass(frozen=True, slots=True)
class Message:
    """A request to send: its address, body and headers."""

    url: str
    body: bytes
    headers: dict[bytes | str, bytes | str]


def new_secret() -> str:
    """Return a random secret as the specification writes it: `whsec_` and base64."""
    return f"whsec_{b64encode(secrets.token_bytes(SECRET_BYTES)).decode()}"


def message_id(delivery: WebhookDelivery) -> str:
    """Return the id of the message: stream and number of the line; that of a ping is new."""
    if delivery.sequence is None:
        return f"ping/{delivery.pk}"
    return f"{delivery.webhook.stream}/{delivery.sequence}"


def build_message(delivery: WebhookDelivery, *, at: datetime) -> Message | None:
    """Return the signed message of a delivery; None if its entry is not public any more."""
    webhook = delivery.webhook
    is_object = webhook.format == Webhook.Format.OBJECT
    content: Any
    if delivery.sequence is not None:
        entry = find_entry(webhook.stream, delivery.sequence)
        if entry is None:
            return None
        content = entry.as_message() if is_object else text_of(webhook, entry)
        if content is None:
            return None
    elif is_object:
        data: PingData = {"webhook_id": webhook.pk}
        content = {
            "type": PING,
            "timestamp": format_time(at),
            "tournament": tournament_reference(find_tournament(webhook.stream))
            if tournament_of(webhook.stream)
            else None,
            "pool": pool_of(webhook.stream),
            "sequence": None,
            "data": data,
        }
    else:
        title = Text("The webhook %(number)s sends its messages here.", number=webhook.pk)
        page = f"{settings.PUBLIC_URL}/account/webhooks/{webhook.pk}"
        content = write_text(webhook, title, (), page)
    body = canonical_json(content)
    number = message_id(delivery)
    signatures = [Signer(secret).sign(number, at, body) for secret in _secrets(webhook, at)]
    headers: dict[bytes | str, bytes | str] = {
        "Content-Type": "application/json",
        "User-Agent": f"Perihelion/{settings.VERSION}",
        "webhook-id": number,
        "webhook-timestamp": str(int(at.timestamp())),
        "webhook-signature": " ".join(signatures),
    }
    return Message(webhook.url, body.encode(), headers)


def _secrets(webhook: Webhook, at: datetime) -> list[str]:
    """Return the secrets that sign at this time, the newest first."""
    until = webhook.previous_until
    is_valid = until is not None and at < until and webhook.previous_secret
    return [webhook.secret, webhook.previous_secret] if is_valid else [webhook.secret]
