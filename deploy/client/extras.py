"""What the description of the API cannot say: event streams that go on, and signed webhooks.

    from perihelion_client import AuthenticatedClient
    from perihelion_client.api.tables import get_standings
    from perihelion_client.extras import events

    client = AuthenticatedClient("https://example.org", token="peri_...")
    for event in events(client.get_httpx_client(), "spring-open"):
        print(event.data["type"], get_standings.sync("spring-open", client=client))

`make client` adds this module to the package, whose other modules openapi-python-client writes.
"""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import httpx
from httpx_sse import ServerSentEvent, aconnect_sse, connect_sse
from standardwebhooks import Webhook, WebhookVerificationError

BUSY = (429, 503)
SILENCE = httpx.Timeout(30.0, read=90.0)
"""The seconds without a line, not even a heartbeat, after which a connection counts as broken."""


@dataclass(frozen=True, slots=True)
class Event:
    """A published line of the journal: `id` is its number, `data` has its `type` and content.

    Its `name` is `message`; `closed` comes before the end of a stream that is not public any more.
    """

    id: str
    name: str
    data: Any


@dataclass
class Subscription:
    """Where a stream goes on: after the event `last_id`, `wait` seconds after it has broken."""

    slug: str
    last_id: str = ""
    wait: float = 3.0

    def request(self) -> dict[str, Any]:
        """Return the arguments of the next request."""
        headers = {"Last-Event-ID": self.last_id} if self.last_id else {}
        url = f"/api/v1/tournaments/{quote(self.slug, safe='')}/stream"
        return {"method": "GET", "url": url, "headers": headers, "timeout": SILENCE}

    def is_open(self, response: httpx.Response) -> bool:
        """Return False if the service is busy; raises HTTPStatusError if it refuses."""
        if response.status_code in BUSY:
            stated = response.headers.get("Retry-After", "")
            self.wait = float(stated) if stated.isdecimal() else self.wait
            return False
        response.raise_for_status()
        return True

    def read(self, sent: ServerSentEvent) -> Event | None:
        """Note where the stream goes on; return the event, None if only that was sent."""
        self.last_id = sent.id or self.last_id
        self.wait = self.wait if sent.retry is None else sent.retry / 1000
        return Event(sent.id, sent.event, json.loads(sent.data)) if sent.data else None


def events(http: httpx.Client, slug: str, *, after: int | None = None) -> Iterator[Event]:
    """Yield the events of a tournament as they are written, without end.

    `after=0` begins with the first one. A broken connection is made again after the last event.
    Raises HTTPStatusError if the service refuses, as with 404.
    """
    stream = Subscription(slug, "" if after is None else str(after))
    while True:
        try:
            with connect_sse(http, **stream.request()) as source:
                if stream.is_open(source.response):
                    for sent in source.iter_sse():
                        if event := stream.read(sent):
                            yield event
        except httpx.TransportError:
            pass
        time.sleep(stream.wait)


async def async_events(
    http: httpx.AsyncClient, slug: str, *, after: int | None = None
) -> AsyncIterator[Event]:
    """Yield the events as `events` does."""
    stream = Subscription(slug, "" if after is None else str(after))
    while True:
        try:
            async with aconnect_sse(http, **stream.request()) as source:
                if stream.is_open(source.response):
                    async for sent in source.aiter_sse():
                        if event := stream.read(sent):
                            yield event
        except httpx.TransportError:
            pass
        await asyncio.sleep(stream.wait)


def verify_webhook(secret: str, headers: Mapping[str, str], body: bytes) -> Any:
    """Return the JSON of a webhook; raises WebhookVerificationError.

    `secret` is the one of the endpoint (`whsec_...`), `body` the bytes as received. Of several
    signatures, one must be right: a secret is being replaced.
    """
    try:
        return Webhook(secret).verify(body, dict(headers))
    except ValueError as error:  # a header or the body is not even text of the right form
        raise WebhookVerificationError(f"the webhook cannot be read: {error}") from error
