"""The hand-written module of the Python client: event streams that go on, signed webhooks."""

import asyncio
import json
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from standardwebhooks import Webhook, WebhookVerificationError

from deploy.client.extras import Event, async_events, events, verify_webhook
from tournament.webhooks.stream import HEARTBEAT, format_event, format_opening

NAMES = st.text(st.characters(categories=["Ll"]), min_size=1, max_size=8)
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
OBJECTS = st.dictionaries(st.text(), st.integers() | st.text())


def connection(*answers: httpx.Response, seen: list[str | None] | None = None) -> Any:
    """Return a transport that gives these answers in turn, and notes `Last-Event-ID`."""
    left = [*answers, httpx.Response(404, json={"code": "not_found"})]

    def respond(request: httpx.Request) -> httpx.Response:
        if seen is not None:
            seen.append(request.headers.get("Last-Event-ID"))
        return left.pop(0)

    return httpx.MockTransport(respond)


def stream(content: bytes) -> httpx.Response:
    return httpx.Response(200, content=content, headers={"Content-Type": "text/event-stream"})


@given(
    st.lists(
        st.tuples(st.integers(1, 10**17), NAMES, st.dictionaries(st.text(), st.text(), min_size=1))
    )
)
def test_what_the_service_writes_is_read(sent: list[tuple[int, str, dict[str, str]]]) -> None:
    content = format_opening(0, retry=0)
    for sequence, name, data in sent:
        content += HEARTBEAT + format_event(data, sequence=sequence, name=name)
    seen: list[str | None] = []
    found = []
    with (
        httpx.Client(base_url="http://x", transport=connection(stream(content), seen=seen)) as http,
        pytest.raises(httpx.HTTPStatusError),
    ):
        found.extend(events(http, "spring"))
    assert found == [Event(str(sequence), name, data) for sequence, name, data in sent]
    assert seen == [None, str(sent[-1][0] if sent else 0)]


def broken_stream(seen: list[str | None]) -> Any:
    """Send two events, half of a third one, and after a busy moment the third one."""
    first = format_opening(4, retry=0) + format_event({"n": 5}, sequence=5, name="a")
    first += format_event({"n": 6}, sequence=6, name="b") + b"id: 7\ndata: {"
    busy = httpx.Response(503, json={}, headers={"Retry-After": "0"})
    last = format_event({"n": 7}, sequence=7, name="c")
    return connection(stream(first), busy, stream(last), seen=seen)


EXPECTED = [Event("5", "a", {"n": 5}), Event("6", "b", {"n": 6}), Event("7", "c", {"n": 7})]


def test_a_broken_stream_continues_after_its_last_event() -> None:
    seen: list[str | None] = []
    with httpx.Client(base_url="http://service", transport=broken_stream(seen)) as http:
        found = events(http, "spring", after=4)
        assert list(islice(found, 3)) == EXPECTED
        with pytest.raises(httpx.HTTPStatusError):
            next(found)
    assert seen == ["4", "6", "6", "7"]


def test_the_asynchronous_stream_does_the_same() -> None:
    seen: list[str | None] = []

    async def read() -> list[Event]:
        transport = broken_stream(seen)
        async with httpx.AsyncClient(base_url="http://service", transport=transport) as http:
            found = async_events(http, "spring")
            first = [await anext(found) for _ in range(3)]
            with pytest.raises(httpx.HTTPStatusError):
                await anext(found)
        return first

    assert asyncio.run(read()) == EXPECTED
    assert seen == [None, "6", "6", "7"]


def signed(body: bytes, *, age: int = 0) -> dict[str, str]:
    """Return the headers of a webhook that was sent `age` seconds ago."""
    sent_at = datetime.now(UTC) - timedelta(seconds=age)
    return {
        "Webhook-Id": "msg_1",
        "Webhook-Timestamp": str(int(sent_at.timestamp())),
        "Webhook-Signature": Webhook(SECRET).sign("msg_1", sent_at, body.decode()),
    }


@given(OBJECTS)
def test_a_signed_webhook_is_read(data: dict[str, Any]) -> None:
    body = json.dumps(data).encode()
    headers = signed(body, age=280)
    both = headers | {"Webhook-Signature": f"v1,AAAA {headers['Webhook-Signature']}"}
    assert verify_webhook(SECRET, headers, body) == verify_webhook(SECRET, both, body) == data


@given(OBJECTS, st.binary(max_size=20))
def test_another_body_is_refused(data: dict[str, Any], other: bytes) -> None:
    body = json.dumps(data).encode()
    with pytest.raises(WebhookVerificationError):
        verify_webhook(SECRET, signed(body), other + body + b" ")


@pytest.mark.parametrize(
    "changed",
    [
        signed(b"{}", age=310),
        {"Webhook-Timestamp": "soon"},
        {"Webhook-Id": "msg_2"},
        {"Webhook-Signature": ""},
        {"Webhook-Signature": "v1"},
        {"Webhook-Signature": "v1,é"},
        {"Webhook-Signature": "v2,AAAA"},
    ],
)
def test_other_headers_are_refused(changed: dict[str, str]) -> None:
    with pytest.raises(WebhookVerificationError):
        verify_webhook(SECRET, signed(b"{}") | changed, b"{}")
    with pytest.raises(WebhookVerificationError):
        verify_webhook(SECRET, {}, b"{}")
