"""Webhooks in the Python client: only what the secret has signed, and not long ago."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from standardwebhooks import Webhook

from deploy.client import InvalidSignature, verify_webhook

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
NOW = 1_750_000_000
OBJECTS = st.dictionaries(st.text(), st.integers() | st.text())


def signed(body: bytes) -> dict[str, str]:
    """Return the headers of a webhook, signed by the reference implementation."""
    time = datetime.fromtimestamp(NOW, UTC)
    signature = Webhook(SECRET).sign("msg_1", time, body.decode())
    return {"Webhook-Id": "msg_1", "Webhook-Timestamp": str(NOW), "Webhook-Signature": signature}


@given(OBJECTS)
def test_a_signed_webhook_is_read(data: dict[str, Any]) -> None:
    body = json.dumps(data).encode()
    headers = signed(body) | {"Webhook-Signature": "v1,AAAA " + signed(body)["Webhook-Signature"]}
    assert verify_webhook(SECRET, headers, body, now=NOW + 299) == data


@given(OBJECTS, st.binary(max_size=20))
def test_another_body_is_refused(data: dict[str, Any], other: bytes) -> None:
    body = json.dumps(data).encode()
    with pytest.raises(InvalidSignature):
        verify_webhook(SECRET, signed(body), other + body + b" ", now=NOW)


@pytest.mark.parametrize(
    "changed",
    [
        {"Webhook-Timestamp": str(NOW - 301)},
        {"Webhook-Timestamp": "soon"},
        {"Webhook-Id": "msg_2"},
        {"Webhook-Signature": ""},
        {"Webhook-Signature": "v1,é"},
        {"Webhook-Signature": "v2,AAAA"},
    ],
)
def test_other_headers_are_refused(changed: dict[str, str]) -> None:
    with pytest.raises(InvalidSignature):
        verify_webhook(SECRET, signed(b"{}") | changed, b"{}", now=NOW)
    with pytest.raises(InvalidSignature):
        verify_webhook(SECRET, {}, b"{}", now=NOW)
