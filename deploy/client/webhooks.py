"""Verification of webhooks, as standardwebhooks.com specifies it."""

import hmac
import json
import time
from base64 import b64decode, b64encode
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from .errors import InvalidSignature

TOLERANCE = 300.0
"""Seconds by which the clocks may differ."""


def verify_webhook(
    secret: str, headers: Mapping[str, str], body: bytes, *, now: float | None = None
) -> Any:
    """Return the JSON of a webhook; raises InvalidSignature.

    `secret` is the one of the endpoint (`whsec_...`), `body` the bytes as received, `now` the time
    in seconds since 1970. Of several signatures, one must be right: a secret is being replaced.
    """
    fields = {name.lower(): value for name, value in headers.items()}
    try:
        identifier, sent_at = fields["webhook-id"], fields["webhook-timestamp"]
        signatures = fields["webhook-signature"].split()
        age = abs((time.time() if now is None else now) - int(sent_at))
        key = b64decode(secret.removeprefix("whsec_"))
    except (KeyError, ValueError) as error:
        raise InvalidSignature(f"the headers of the webhook are wrong: {error}") from error
    if age > TOLERANCE:
        raise InvalidSignature(f"the webhook was sent {age:.0f} seconds ago")
    signed = b".".join([identifier.encode(), sent_at.encode(), body])
    expected = b64encode(hmac.new(key, signed, sha256).digest()).decode()
    if not any(hmac.compare_digest(f"v1,{expected}".encode(), sig.encode()) for sig in signatures):
        raise InvalidSignature("no signature of the webhook is right")
    return json.loads(body)
