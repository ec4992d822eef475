"""The ASGI application of the stream process: opens a stream, and sends what its channel has."""

import asyncio
import io
import logging
from random import Random
from typing import Any, Final

from uvicorn._types import ASGIReceiveCallable, ASGISendCallable, Scope

from deploy.logs import request_id
from deploy.middleware import REQUEST_ID
from deploy.server.environ import build_environ
from deploy.server.responses import END, Application, ServerResponse, run_application, send_response
from deploy.stream.channel import Channel, Listener
from deploy.stream.places import Places
from deploy.stream.reading import Reader, load_events
from deploy.stream.watcher import Watcher
from games.http.event_stream import HEARTBEAT, format_event, format_opening
from tournament.views.events import SUBSCRIBE, Subscription

log = logging.getLogger("perihelion.requests")

HEARTBEAT_SECONDS: Final = 15.0
RETRY_RANGE: Final = (1.0, 3.0)
"""Seconds after which a client connects again: each another time, so that not all do at once."""

CLOSED: Final = "closed"
"""The name of the last event of a listener who may not listen any more."""


class StreamApplication:
    """An ASGI application that runs a WSGI application to open a stream.

    `source` spreads the times at which clients connect again.
    """

    def __init__(
        self,
        application: Application,
        watcher: Watcher,
        reader: Reader,
        places: Places,
        source: Random,
    ) -> None:
        self._application = application
        self._watcher = watcher
        self._reader = reader
        self._places = places
        self._source = source

    async def __call__(
        self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable
    ) -> None:
        """Respond to a request."""
        assert scope["type"] == "http"  # there are no other types
        environ = {**build_environ(scope), "wsgi.input": io.BytesIO()}
        subscriptions: list[Subscription] = []

        def subscribe(subscription: Subscription) -> None:
            self._places.take(subscription.caller)
            subscriptions.append(subscription)

        opening = {**environ, SUBSCRIBE: subscribe}
        response = await asyncio.get_running_loop().run_in_executor(
            self._reader.threads, run_application, self._application, opening
        )
        try:
            if subscriptions and response.status == 200:
                listener = Listener(environ, subscriptions[0].after)
                await self._serve(listener, subscriptions[0], response, receive, send)
            else:
                await send_response(response, send, is_last=True)
                await send(END)
        finally:
            for subscription in subscriptions:
                self._places.free(subscription.caller)

    async def _serve(
        self,
        listener: Listener,
        subscription: Subscription,
        response: ServerResponse,
        receive: ASGIReceiveCallable,
        send: ASGISendCallable,
    ) -> None:
        """Send the head and the events until either side ends; write a line to the log then."""
        loop = asyncio.get_running_loop()
        started, opened_after = loop.time(), listener.after
        headers = [
            (name.encode("latin-1"), value.encode("latin-1"))
            for name, value in response.headers
            if name.lower() != "content-length"
        ]
        headers.append((b"connection", b"close"))
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        retry = self._source.uniform(*RETRY_RANGE)
        await _send(send, format_opening(listener.after, retry=retry))
        channel = self._watcher.join(subscription.stream, listener, subscription.head)
        end = asyncio.ensure_future(_wait_for_end(receive))
        try:
            await self._listen(channel, listener, end, send)
        finally:
            end.cancel()
            self._watcher.leave(channel, listener)
            _log_end(listener, subscription, response, loop.time() - started, opened_after)
        await send(END)

    async def _listen(
        self,
        channel: Channel,
        listener: Listener,
        end: "asyncio.Future[None]",
        send: ASGISendCallable,
    ) -> None:
        """Send the events, and heartbeats between them.

        `send` waits while the client does not read. The limits of the connection end it if that
        takes too long, so nothing is stored for a slow client.
        """
        while not end.done() and not self._watcher.is_stopping:
            if listener.is_refused:
                await _send(send, format_event({"reason": "not_visible"}, name=CLOSED))
                return
            news = channel.news
            if listener.after < channel.head:
                await _send(send, await self._next_events(channel, listener))
                continue
            await asyncio.wait(
                (news, end), timeout=HEARTBEAT_SECONDS, return_when=asyncio.FIRST_COMPLETED
            )
            if not news.done() and not end.done():
                await _send(send, HEARTBEAT)

    async def _next_events(self, channel: Channel, listener: Listener) -> bytes:
        """Return the next events of a listener, from memory if it is not far behind."""
        events = channel.events_after(listener.after)
        if events is None:
            async with channel.loading:
                return await self._load_events(channel, listener)
        listener.after = channel.head
        return events

    async def _load_events(self, channel: Channel, listener: Listener) -> bytes:
        """Return a page of events that were not in memory; store it if it is the last missing."""
        if channel.events_after(listener.after) is not None:
            return b""  # somebody else has loaded them meanwhile
        after, floor = listener.after, channel.floor
        page, listener.after = await self._reader.read(load_events, channel.stream, after, floor)
        if listener.after == floor == channel.floor:
            channel.add_older(page, after)
        return b"".join(event for _, event in page)


async def _send(send: ASGISendCallable, body: bytes) -> None:
    if body:
        await send({"type": "http.response.body", "body": body, "more_body": True})


async def _wait_for_end(receive: ASGIReceiveCallable) -> None:
    """Wait until the client closes the connection; the request has no body."""
    while (await receive())["type"] != "http.disconnect":
        pass


def _log_end(
    listener: Listener,
    subscription: Subscription,
    response: ServerResponse,
    seconds: float,
    opened_after: int,
) -> None:
    """Write the line of the log that says how long a client has listened."""
    token = request_id.set(dict(response.headers).get(REQUEST_ID, ""))
    fields: dict[str, Any] = {
        "method": "GET",
        "path": listener.environ["PATH_INFO"],
        "status": 200,
        "milliseconds": round(seconds * 1000, 1),
        "address": subscription.caller,
        "account": subscription.account,
    }
    log.info(
        "listened to %s for %.0f s, from line %s to line %s; %s account=%s",
        fields["path"],
        seconds,
        opened_after,
        listener.after,
        fields["address"],
        fields["account"] or "-",
        extra=fields,
    )
    request_id.reset(token)
